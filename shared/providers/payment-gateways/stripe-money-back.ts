import Stripe from 'stripe';
import { isoFromSeconds } from '../../core/time.ts';
import type { GatewayRefund } from '../../domain/payment/refunds.ts';
import { type GatewayDispute, KeysRejected, type MoneyBack, type RefundingGateway, RefundRejected, type RefundRequest } from './gateway.ts';
import {
  type ClientOf,
  fromMinorUnits,
  idOf,
  isUnknown,
  minorUnits,
  openClients,
  type StripeKeys,
  type StripeOptions,
  withKnowingKeys,
} from './stripe-client.ts';

/** Events of Stripe's webhook about refunds and disputes that this service reads. */
export const moneyBackTypes = [
  'charge.refunded',
  ...['created', 'updated', 'failed'].map((name) => `refund.${name}`),
  ...['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map((name) => `charge.dispute.${name}`),
];

const statuses: Readonly<Record<string, GatewayRefund['status']>> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' };

/** Keys of a refund's metadata that hold the ids of the intent and of the payment's record. */
const intentKey = 'bakery_refund';
const paymentKey = 'bakery_payment';
/** An id of a payment, as this service makes it. Other systems may write the same key. */
const ownId = /^pay_[0-9a-z]{26}$/;
const ownIdIn = (metadata: Stripe.Metadata | null, key: string): string | null => {
  const id = metadata?.[key] ?? '';
  return ownId.test(id) ? id : null;
};

const definedIds = (...ids: readonly (string | undefined)[]): readonly string[] => ids.filter((id) => id !== undefined);

const refundOf = ({ id, amount, currency, status, metadata, payment_intent, charge, created }: Stripe.Refund): GatewayRefund => ({
  id,
  transactionIds: definedIds(idOf(payment_intent), idOf(charge)),
  amount: fromMinorUnits(amount, currency.toUpperCase()),
  intentId: ownIdIn(metadata, intentKey),
  paymentId: ownIdIn(metadata, paymentKey),
  status: statuses[status ?? ''] ?? 'pending',
  created_at: isoFromSeconds(created),
});

/** Statuses of a dispute. All others are those of inquiries, or say that the bank asked for nothing. */
const disputeStatuses: Readonly<Record<string, GatewayDispute['status']>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

const disputeOf = ({ id, status, payment_intent, charge }: Stripe.Dispute, reported_ms: number): GatewayDispute => ({
  id,
  transactionIds: definedIds(idOf(payment_intent), idOf(charge)),
  status: disputeStatuses[status] ?? 'inquiry',
  reported_ms,
});

/** Whether Stripe has rejected the request, and would reject it again. */
const isRejected = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError || isUnknown(error);

const rejectionOf = (error: unknown): RefundRejected => {
  // The text of an error about a key repeats a part of the key.
  const isAboutRequest = error instanceof Stripe.errors.StripeInvalidRequestError;
  return new RefundRejected(isAboutRequest ? error.message : 'Stripe does not accept the keys of the account.', { cause: error });
};

const currencyOf = async (stripe: Stripe, payment: string): Promise<string> =>
  (await (payment.startsWith('pi_') ? stripe.paymentIntents.retrieve(payment) : stripe.charges.retrieve(payment))).currency;

const referenceTo = (payment: string) => (payment.startsWith('pi_') ? { payment_intent: payment } : { charge: payment });

/** Returns the refunds of a payment, with all keys: those of another account may list nothing instead of an error. */
const listRefunds = async (clientOf: ClientOf, keys: readonly StripeKeys[], payment: string): Promise<readonly GatewayRefund[]> => {
  const found = new Map<string, GatewayRefund>();
  let rejection: unknown;
  let hasListed = false;
  for (const one of keys) {
    try {
      const list = clientOf(one).refunds.list({ ...referenceTo(payment), limit: 100 });
      for await (const refund of list) found.set(refund.id, refundOf(refund));
      hasListed = true;
    } catch (error) {
      if (!isUnknown(error)) throw error;
      rejection = error;
    }
  }
  if (!hasListed) throw new KeysRejected(rejection);
  return [...found.values()];
};

/** Stripe's refunds. They go to the way of paying that the shopper used. */
export const stripeRefunds = ({ keys, api }: Omit<StripeOptions, 'now'>): RefundingGateway => {
  const clientOf = openClients(api);
  const make = (stripe: Stripe, { payment, intentId, paymentId, amount, currency }: RefundRequest): Promise<Stripe.Refund> =>
    stripe.refunds.create(
      { ...referenceTo(payment), amount: minorUnits(amount, currency), metadata: { [intentKey]: intentId, [paymentKey]: paymentId } },
      { idempotencyKey: intentId },
    );
  return {
    currencyOf: async (payment) => (await withKnowingKeys(clientOf, keys, (stripe) => currencyOf(stripe, payment))).toUpperCase(),
    async refund(request) {
      try {
        return refundOf(await withKnowingKeys(clientOf, keys, (stripe) => make(stripe, request)));
      } catch (error) {
        throw isRejected(error) ? rejectionOf(error) : error;
      }
    },
    refundsOf: (payment) => listRefunds(clientOf, keys, payment),
    findRefund: async ({ payment, intentId }) =>
      (await listRefunds(clientOf, keys, payment)).find((refund) => refund.intentId === intentId),
  };
};

/** Reads the present state. If no keys may read it, uses what the signed event says. */
const presentOr = async <Result>(read: () => Promise<Result>, readEvent: () => Result): Promise<Result> => {
  try {
    return await read();
  } catch (error) {
    if (isUnknown(error)) return readEvent();
    throw error;
  }
};

/**
 * Returns what an event says about refunds and disputes; undefined if it is of no interest. Events
 * arrive late, twice and in any order, so the present state is asked for.
 */
export const moneyBackOf = async (
  { type, created, data }: Stripe.Event,
  clientOf: ClientOf,
  keys: readonly StripeKeys[],
  now: () => number,
): Promise<MoneyBack | undefined> => {
  if (!moneyBackTypes.includes(type)) return undefined;
  const ask = <Result>(call: (stripe: Stripe) => Promise<Result>) => withKnowingKeys(clientOf, keys, call);
  const sessionOf: MoneyBack['sessionOf'] = async (payments, account) => {
    const intent = payments.find((id) => id.startsWith('pi_'));
    if (intent === undefined) return undefined;
    const read = async () => (await ask((stripe) => stripe.paymentIntents.retrieve(intent))).metadata;
    const metadata = await presentOr(read, (): Stripe.Metadata => ({}));
    return metadata['account'] === account ? metadata['session'] : undefined;
  };
  if (type.startsWith('charge.dispute.')) {
    const dispute = data.object as Stripe.Dispute;
    const read = async () => disputeOf(await ask((stripe) => stripe.disputes.retrieve(dispute.id)), now());
    return { sessionOf, refunds: [], disputes: [await presentOr(read, () => disputeOf(dispute, created * 1000))] };
  }
  if (type === 'charge.refunded') {
    const charge = data.object as Stripe.Charge;
    const read = () => ask((stripe) => stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 1_000 }));
    return { sessionOf, refunds: (await presentOr(read, () => charge.refunds?.data ?? [])).map(refundOf), disputes: [] };
  }
  const refund = data.object as Stripe.Refund;
  const read = () => ask((stripe) => stripe.refunds.retrieve(refund.id));
  return { sessionOf, refunds: [refundOf(await presentOr(read, () => refund))], disputes: [] };
};
