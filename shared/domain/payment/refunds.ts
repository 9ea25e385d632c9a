import { createHash } from 'node:crypto';
import { ApiError, invalidValue } from '../../core/errors.ts';
import { makeId } from '../../core/ids.ts';
import { addMoney, roundMoney } from '../../core/money.ts';
import type { Payment } from './fields.ts';
import { acceptIntent, settleIntent } from './refund-intents.ts';
import { assertOriginal, isSettled, paymentAmounts, reservedAmountOf } from './rules.ts';

/** Fields of a refund that are known before it is made. */
type RefundOrigin = Pick<Payment, 'id' | 'amount' | 'description' | 'source' | 'created_at'>;

/**
 * Returns the amount to refund, rounded to the decimals of the currency. Throws if the payment was
 * not made, or if the amount exceeds what is neither refunded nor reserved. The whole remaining
 * amount can always be refunded.
 */
export const refundableAmount = (original: Payment, requestedAmount: number, decimals: number): number => {
  assertOriginal(original);
  if (!isSettled(original.status))
    throw new ApiError('conflict', `The payment is ${original.status}. Only a completed or approved payment can be refunded.`, {
      field: 'status',
    });
  const reserved = reservedAmountOf(original);
  const refundable = addMoney(original.total_amount, -original.refunded_amount, -reserved);
  const amount = requestedAmount === refundable ? requestedAmount : roundMoney(requestedAmount, decimals);
  if (amount <= 0) throw invalidValue('amount', 'amount must not round to 0 in the currency of the payment.');
  if (amount > refundable && amount <= addMoney(refundable, reserved))
    throw new ApiError('conflict', `Refunds of ${reserved} are still running. Try again when they have ended.`, { field: 'amount' });
  if (amount > refundable) throw invalidValue('amount', `amount must be at most ${refundable}, the amount that is not refunded yet.`);
  return amount;
};

/** Returns the record of a refund. `transaction_id` is the gateway's id of it; null if it made none. */
export const makeRefund = (original: Payment, origin: RefundOrigin, transaction_id: string | null, now: string): Payment => ({
  id: origin.id,
  order_id: original.order_id,
  customer_id: original.customer_id,
  schedule_id: original.schedule_id,
  ...paymentAmounts(origin.amount, 0, 0),
  type: 'refund',
  source: origin.source,
  method: original.method,
  status: 'completed',
  previous_status: null,
  method_details: original.method_details,
  gateway: original.gateway && { provider: original.gateway.provider, transaction_id },
  original_payment_id: original.id,
  refunded_amount: 0,
  description: origin.description,
  created_at: origin.created_at,
  completed_at: now,
  updated_at: now,
  emits_on_create: true,
});

/** A refund as its gateway has it. */
export interface GatewayRefund {
  /** The gateway's id. */
  readonly id: string;
  /** The gateway's ids of the payment, of which the payment's record has one. */
  readonly transactionIds: readonly string[];
  readonly amount: number;
  /** Id of the intent that it carries out; null if it was made at the gateway itself. */
  readonly intentId: string | null;
  /** Id of the payment's record, if the refund carries an intent out. */
  readonly paymentId: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: string;
}

/** Returns the id of the refund's record: always the same, however often the gateway reports it. */
export const refundId = ({ id, intentId, created_at }: GatewayRefund): string =>
  intentId ?? makeId('pay', Date.parse(created_at), createHash('sha256').update(id).digest());

/** The original payment after a report of the gateway, and the refund's record if there is one. */
interface AfterReport {
  readonly original: Payment;
  readonly refund: Payment | undefined;
}

/** Whether the record has what the gateway reports: it carries its id, or the id that a report leads to. */
export const isRecordOf = (refund: Payment, reported: GatewayRefund): boolean =>
  refund.id === refundId(reported) || refund.gateway?.transaction_id === reported.id;

/**
 * Returns the refund that was recorded without the gateway and that a report takes over: one of the
 * same amount, if both together would give back more than was paid (decisions §7). `refunds` are those
 * of the payment.
 */
export const findManualRefund = (original: Payment, refunds: readonly Payment[], reported: GatewayRefund): Payment | undefined => {
  if (reported.status !== 'succeeded' || addMoney(original.refunded_amount, reported.amount) <= original.total_amount) return undefined;
  return refunds.find(
    ({ amount, status, gateway }) => amount === reported.amount && status === 'completed' && gateway?.transaction_id === null,
  );
};

/**
 * Returns what a report of the gateway makes of the payment and of the refund's record, undefined before
 * the first one. A report that says nothing new changes nothing. A refund that fails after it
 * succeeded is taken back.
 */
export const afterReport = (original: Payment, known: Payment | undefined, reported: GatewayRefund, now: string): AfterReport => {
  const id = refundId(reported);
  const intent = original.refund_intents?.find((one) => one.id === id);
  if (reported.status === 'pending') return { original: intent ? acceptIntent(original, intent, reported.id) : original, refund: known };
  const released = intent ? settleIntent(original, intent) : original;
  const addRefund = (amount: number): Payment => ({ ...released, refunded_amount: addMoney(released.refunded_amount, amount) });
  if (reported.status === 'failed') {
    if (!known || known.status === 'failed') return { original: released, refund: known };
    const failed: Payment = { ...known, status: 'failed', previous_status: known.status, updated_at: now };
    return { original: addRefund(-known.amount), refund: failed };
  }
  if (known) return { original: released, refund: known };
  const origin = intent ?? { id, description: null, source: 'stripe', created_at: reported.created_at };
  // What was asked for and what was given back may differ.
  const refund = makeRefund(original, { ...origin, amount: reported.amount }, reported.id, now);
  return { original: addRefund(reported.amount), refund: intent?.calls ? { ...refund, refund_calls: intent.calls } : refund };
};
