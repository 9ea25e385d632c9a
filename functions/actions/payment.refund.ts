import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { markup, orNull, positiveMoney, record } from '../../shared/core/fields.ts';
import { makeId, type NewId, tailOfId } from '../../shared/core/ids.ts';
import { addMoney, placesOf, roundMoney } from '../../shared/core/money.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { gatewayKeysOf, isKept } from '../../shared/domain/checkout/former-gateway.ts';
import { saleCurrency } from '../../shared/domain/order/rules.ts';
import { type Payment, paymentPayload, type RefundIntent } from '../../shared/domain/payment/fields.ts';
import { type GatewayRefund, makeRefund, refundableAmount, withIntents } from '../../shared/domain/payment/refunds.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import { applyRefund, findOrder, type PaidOrder } from '../../shared/operations/money-back.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { type RefundingGateway, RefundRefused, type RefundRequest } from '../../shared/providers/payment-gateways/gateway.ts';
import { readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import { withoutOrder } from '../../shared/table/payments.ts';
import type { Stored } from '../../shared/table/records.ts';
import { type ActionServices, byId, onAccount, retries } from './action.ts';
import { assertReadable, orderWrites, textWrites } from './payment-writes.ts';

const input = record({
  ...byId,
  amount: positiveMoney(),
  description: orNull(markup()),
  gateway: v.optional(v.boolean('must be true or false'), true),
});
type Input = v.InferOutput<typeof input>;

/** A payment to refund, and its order. */
interface Original {
  readonly stored: Stored<Payment>;
  readonly order: PaidOrder | undefined;
}

const findPayment = async ({ store }: ActionServices, account: string, id: string): Promise<Stored<Payment>> => {
  const stored = await store.payments.get(account, id);
  if (!stored) throw notFound('Payment');
  return stored;
};

const findOriginal = async (services: ActionServices, account: string, id: string): Promise<Original> => {
  const stored = await findPayment(services, account, id);
  return { stored, order: await findOrder(services.store, account, stored.record.order_id) };
};

/** Returns the amount with the decimals of the payment's currency. Payments have no currency field. */
const placesIn = ({ order }: Original, account: Account): number => placesOf(order?.stored.record.currency ?? saleCurrency(account));

/** Returns the refund that the input asks for, as a record. Rejects one that cannot be made. */
const plan = (
  { clock, newId }: ActionServices,
  original: Original,
  { amount: said, description }: Input,
  account: Account,
  idOf: NewId = newId,
): Payment => {
  const { record } = original.stored;
  const amount = refundableAmount(record, said, placesIn(original, account));
  const nowMs = clock.now();
  const now = isoFromMs(nowMs);
  const refund = makeRefund(record, { id: idOf('pay', nowMs), amount, description, source: 'dashboard', created_at: now }, null, now);
  assertReadable(original.order, refund);
  return refund;
};

/**
 * Writes the refund and the refunded total in one transaction, so that parallel refunds cannot
 * exceed the payment.
 */
const recordRefund = async (services: ActionServices, said: Input, account: Account) => {
  const { store } = services;
  const original = await findOriginal(services, account.id, said.id);
  const refund = plan(services, original, said, account);
  const { stored, order } = original;
  const refunded: Payment = { ...stored.record, refunded_amount: addMoney(stored.record.refunded_amount, refund.amount) };
  return {
    result: paymentPayload(refund),
    writes: [
      store.payments.refundedWrite(account.id, stored, refunded),
      ...store.payments.createWrites(account.id, refund),
      ...orderWrites(store, account.id, order, [refunded, refund], refund.created_at),
      ...textWrites(store, account.id, order, refund),
    ],
  };
};

/** How long a call may carry an intent out, in milliseconds. The function runs for 60 s at most. */
const leaseMs = 60_000;

/** Whether a call began the refund at the gateway and did not end: it failed, or its process died. */
const isLeft = ({ transaction_id, lease_until_ms }: RefundIntent, nowMs: number): boolean =>
  transaction_id === null && lease_until_ms <= nowMs;

/** Returns ids whose ends are the same for every try of a call with this token. */
const idsOf = (payment: string, token: string): NewId => {
  const entropy = createHash('sha256')
    .update(JSON.stringify([payment, token]))
    .digest();
  return (prefix, atMs) => makeId(prefix, atMs, entropy);
};

/** A call of the action, and its input. */
interface Asking {
  readonly said: Input;
  readonly account: Account;
  readonly token: string | undefined;
}

/** Returns a function that says whether a refund was begun by this call: another try had its token. */
const isOfCall = ({ said, token }: Asking): ((refund: { readonly id: string }) => boolean) => {
  const end = token === undefined ? undefined : tailOfId(idsOf(said.id, token)('pay', 0));
  return ({ id }) => tailOfId(id) === end;
};

/**
 * Returns what an earlier try left: with its token or, if no token says which call it was, with its
 * amount and description.
 */
const leftOf = (asking: Asking, original: Original, nowMs: number): RefundIntent | undefined => {
  const { said, account } = asking;
  const { refund_intents = [] } = original.stored.record;
  const amounts = [said.amount, roundMoney(said.amount, placesIn(original, account))];
  const isAlike = (one: RefundIntent) => isLeft(one, nowMs) && one.description === said.description && amounts.includes(one.amount);
  return refund_intents.find(isOfCall(asking)) ?? refund_intents.find(isAlike);
};

/** Returns the record of a refund that an earlier try of the call has made, or a notice about it. */
const findMade = async ({ store }: ActionServices, asking: Asking, { stored, order }: Original): Promise<Payment | undefined> => {
  if (asking.token === undefined) return undefined;
  const siblings = order?.payments ?? (await store.payments.ofOrder(asking.account.id, withoutOrder));
  return siblings.filter(({ original_payment_id }) => original_payment_id === stored.record.id).find(isOfCall(asking));
};

/**
 * Reserves the amount before the gateway is asked (decisions §7): takes over what an earlier try
 * left, or begins an intent. Returns the refund's record if another try, or a notice, has made it.
 */
const reserve = (services: ActionServices, asking: Asking) =>
  retryStale(services, retries, async () => {
    const { store, clock, newId } = services;
    const { said, account, token } = asking;
    const original = await findOriginal(services, account.id, said.id);
    const made = await findMade(services, asking, original);
    if (made) return { made };
    const { stored, order } = original;
    const left = leftOf(asking, original, clock.now());
    const refund = left ? undefined : plan(services, original, said, account, token === undefined ? newId : idsOf(said.id, token));
    const begun = refund && { ...pick(refund, ['id', 'amount', 'description', 'source', 'created_at']), transaction_id: null };
    const intent: RefundIntent = { ...((left ?? begun) as Omit<RefundIntent, 'lease_until_ms'>), lease_until_ms: clock.now() + leaseMs };
    const others = (stored.record.refund_intents ?? []).filter(({ id }) => id !== intent.id);
    await store.commit([
      store.payments.refundedWrite(account.id, stored, withIntents(stored.record, [...others, intent])),
      ...(refund ? textWrites(store, account.id, order, refund) : []),
    ]);
    return { intent, currency: order?.stored.record.currency, isRetry: left !== undefined };
  });

/** Ends the lease, so that the next call takes the intent over at once. If this fails, the lease ends alone. */
const endLease = async ({ store }: ActionServices, account: string, payment: string, { id }: RefundIntent): Promise<void> => {
  const stored = await store.payments.get(account, payment);
  if (!stored) return;
  const intents = (stored.record.refund_intents ?? []).map((one) => (one.id === id ? { ...one, lease_until_ms: 0 } : one));
  await store.commit([store.payments.refundedWrite(account, stored, withIntents(stored.record, intents))]);
};

/** The report about an intent that the gateway does not carry out. It releases the amount. */
const notMade = ({ id, amount, created_at }: RefundIntent): GatewayRefund => ({
  id: '',
  payments: [],
  amount,
  intent: id,
  status: 'failed',
  created_at,
});

/**
 * Ends the other refunds of the payment that no call carries out: it records those that the gateway
 * has made, also if their notice was lost, and releases those that it never got.
 */
const endOthers = async (services: ActionServices, gateway: RefundingGateway, asking: Asking, original: Original): Promise<void> => {
  const { said, account } = asking;
  const { refund_intents = [], gateway: reference } = original.stored.record;
  const nowMs = services.clock.now();
  const own = leftOf(asking, original, nowMs);
  for (const intent of refund_intents) {
    if (intent === own || intent.lease_until_ms > nowMs) continue;
    const found = await gateway.findRefund({ payment: String(reference?.transaction_id), intent: intent.id });
    await applyRefund(services, account.id, found ?? notMade(intent), said.id);
  }
};

/** The keys of Stripe that the account has, or had for as long as payments with them may be settled. */
const stripeKeysOf = async ({ store, clock }: ActionServices, account: string) => {
  const { document, formers } = await store.accounts.getStoredSettings(account);
  const current = gatewayKeysOf(document.checkout);
  return [...(current ? [current] : []), ...formers.filter((former) => isKept(former, clock.now()))];
};

const openRefunds = async (services: ActionServices, account: string): Promise<RefundingGateway> => {
  const { secrets, stripeApi: api } = services;
  const { keys, unresolved } = await readStripeKeys(secrets, account, await stripeKeysOf(services, account));
  const [first, ...others] = keys;
  if (!first)
    throw new ApiError(
      'conflict',
      'The account has no keys of Stripe that can be read. With "gateway": false the refund is only recorded.',
      {
        cause: unresolved,
      },
    );
  // Loaded only here, because it is more code than all actions together.
  const { stripeRefunds } = await import('../../shared/providers/payment-gateways/stripe-money-back.ts');
  return stripeRefunds({ keys: [first, ...others], ...(api ? { api } : {}) });
};

/** Asks the gateway. A retry first looks for the refund, because the gateway forgets keys after a day. */
const askGateway = async (gateway: RefundingGateway, request: RefundRequest, isRetry: boolean): Promise<GatewayRefund> =>
  (isRetry ? await gateway.findRefund(request) : undefined) ?? (await gateway.refund(request));

/** The error of a call after which nobody knows what Stripe did. */
const unanswered = (cause: unknown): ApiError =>
  new ApiError(
    'request_in_flight',
    'Stripe did not say whether it made the refund. Repeat the same call. If it fails again, checkout.check says why.',
    { cause },
  );

/**
 * Makes the refund at Stripe. Returns its record or, if Stripe has not decided yet, the record to
 * come with the status `pending`.
 */
const refundAtGateway = async (services: ActionServices, asking: Asking) => {
  const { said, account } = asking;
  const original = await findOriginal(services, account.id, said.id);
  const { record } = original.stored;
  const gateway = await openRefunds(services, account.id);
  await endOthers(services, gateway, asking, original).catch((cause) => {
    throw cause instanceof ApiError ? cause : unanswered(cause);
  });
  const reserved = await reserve(services, asking);
  if (reserved.made) return paymentPayload(reserved.made);
  const { intent, currency, isRetry } = reserved;
  const payment = String(record.gateway?.transaction_id);
  const report = (reported: GatewayRefund) => applyRefund(services, account.id, reported, said.id);
  let reported: GatewayRefund;
  try {
    reported = await askGateway(gateway, { payment, intent: intent.id, amount: intent.amount, currency }, isRetry);
  } catch (cause) {
    if (cause instanceof RefundRefused) {
      await report(notMade(intent));
      throw new ApiError('conflict', `Stripe rejected the refund: ${cause.message}`, { cause });
    }
    await endLease(services, account.id, said.id, intent).catch(() => undefined);
    throw unanswered(cause);
  }
  const refund = await report(reported);
  if (reported.status === 'failed') throw new ApiError('conflict', 'The refund failed at Stripe. Nothing was given back.');
  const { created_at } = intent;
  const coming: Payment = { ...makeRefund(record, intent, reported.id, created_at), status: 'pending', completed_at: null };
  return paymentPayload(refund ?? coming);
};

/** Whether Stripe took the payment, and not only a merchant's record says so. */
const isAtStripe = async (services: ActionServices, account: string, { gateway, source }: Payment): Promise<boolean> => {
  if (gateway?.provider?.toLowerCase() !== 'stripe' || !/^(pi|ch|py)_/.test(gateway.transaction_id ?? '')) return false;
  return source === 'checkout' || (await stripeKeysOf(services, account)).length > 0;
};

export const refund = onAccount({
  summary: 'Gives back a part or all of a settled payment: at Stripe if Stripe took it, unless `gateway` is false.',
  input,
  async choose(token, services, said, account) {
    const { record: original } = await findPayment(services, account.id, said.id);
    const atStripe = said.gateway && (await isAtStripe(services, account.id, original));
    return atStripe ? { run: () => refundAtGateway(services, { said, account, token }) } : { decide: recordRefund };
  },
});
