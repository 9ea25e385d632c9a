import { ApiError } from '../../shared/core/errors.ts';
import { gatewayKeysOf } from '../../shared/domain/checkout/former-gateway.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { isSettled } from '../../shared/domain/payment/rules.ts';
import type { RefundingGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import type { ActionServices } from './action.ts';

/** The keys of Stripe that the account has, or had for as long as payments with them may be settled. */
export const readUsableStripeKeys = async ({ store }: Pick<ActionServices, 'store'>, account: string) => {
  const { document, formers } = await store.accounts.getStoredSettings(account);
  const current = gatewayKeysOf(document.checkout);
  return [...(current ? [current] : []), ...formers];
};

/** Returns the keys. They are read once for each call. */
export type StripeKeysReader = () => ReturnType<typeof readUsableStripeKeys>;

/** Opens Stripe with the account's keys. Returns the reason instead if no key can be read. */
export const openRefundingGateway = async (
  { secrets, stripeApi: api }: Pick<ActionServices, 'secrets' | 'stripeApi'>,
  account: string,
  readKeys: StripeKeysReader,
): Promise<{ readonly gateway?: RefundingGateway; readonly unresolved?: Error | undefined }> => {
  const { keys, unresolved } = await readStripeKeys(secrets, account, await readKeys());
  const [first, ...others] = keys;
  if (!first) return { unresolved };
  // Loaded only here, because it is more code than all actions together.
  const { stripeRefunds } = await import('../../shared/providers/payment-gateways/stripe-money-back.ts');
  return { gateway: stripeRefunds({ keys: [first, ...others], ...(api ? { api } : {}) }) };
};

/** Whether the payment names a transaction of Stripe. */
const namesStripe = ({ gateway }: Payment): boolean =>
  gateway?.provider?.toLowerCase() === 'stripe' && /^(pi|ch|py)_/.test(gateway.transaction_id ?? '');

/** Whether Stripe took the payment, and not only a merchant's record says so. */
export const isAtStripe = async (payment: Payment, readKeys: StripeKeysReader): Promise<boolean> =>
  namesStripe(payment) && (payment.source === 'checkout' || (await readKeys()).length > 0);

/**
 * Whether a gateway took the money, and not only a merchant's record says so: the payment is of a
 * checkout, or names a transaction of Stripe while the account has keys of Stripe (decisions §7).
 */
const isTaken = async (payment: Payment, readKeys: StripeKeysReader): Promise<boolean> => {
  if (payment.type === 'refund' || !(isSettled(payment.status) || payment.status === 'refunded')) return false;
  return payment.source === 'checkout' || isAtStripe(payment, readKeys);
};

const amounts = ['amount', 'tip_amount', 'fee_amount'] as const;

/** The fields that an action is to set on a payment. */
export type PaymentChange = Partial<Pick<Payment, 'status' | (typeof amounts)[number]>>;

/** Returns the first field of a change that only a refund may change on a payment that a gateway took. */
const changedByHand = (before: Payment, change: PaymentChange): keyof PaymentChange | undefined => {
  const { status = before.status } = change;
  const isGivenBack = status === 'refunded' && before.refunded_amount >= before.total_amount;
  if (status !== before.status && !isSettled(status) && !isGivenBack) return 'status';
  return amounts.find((name) => change[name] !== undefined && change[name] !== before[name]);
};

/**
 * Rejects a change of a payment whose money a gateway took, if only a refund may make it (decisions
 * §7). The stored value passes.
 */
export const assertGivenBackByRefund = async (before: Payment, change: PaymentChange, readKeys: StripeKeysReader): Promise<void> => {
  const field = changedByHand(before, change);
  if (field === undefined || !(await isTaken(before, readKeys))) return;
  throw new ApiError('conflict', 'A gateway took this payment. Give money back with payment.refund; the other amounts are final.', {
    field,
  });
};
