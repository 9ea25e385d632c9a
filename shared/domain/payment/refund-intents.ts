import { tailOfId } from '../../core/ids.ts';
import { pick } from '../record-fields.ts';
import type { Payment, RefundIntent } from './fields.ts';

/**
 * A refund at a gateway is an intent of its payment until the gateway has made it (docs/decisions/0041).
 * It begins, is settled or released, and reserves its amount in between:
 *
 * begin    A call reserves the amount. It carries the intent out until its lease ends.
 * pause    The call failed. Its lease ends at once.
 * resume   A call carries out the intent of a call that failed or died.
 * accept   The gateway has the refund, and decides later.
 * settle   The gateway has decided: the refund succeeded or failed.
 * release  The gateway rejected the refund, or never got it.
 *
 * Each step returns the payment after it.
 */

/** How long a call may carry an intent out, in milliseconds. The function runs for 60 s at most. */
const leaseMs = 60_000;
/** How long after its lease a request that was cut off may still be carried out, in milliseconds. */
const mayArriveMs = 5 * 60_000;

/** Whether a call carries the intent out. */
export const isLeased = ({ lease_until_ms }: RefundIntent, nowMs: number): boolean => lease_until_ms > nowMs;

/** Whether the gateway has the refund, and decides later. */
export const isAccepted = ({ transaction_id }: RefundIntent): boolean => transaction_id !== null;

/** Whether the gateway never gets the refund, if it does not have it by now. */
export const isLost = ({ lease_until_ms }: RefundIntent, nowMs: number): boolean => lease_until_ms + mayArriveMs <= nowMs;

/**
 * Whether the call with this mark began or resumed the refund. A mark is the end of the ids that a
 * call makes.
 */
export const isOfCall = (mark: string | undefined, { id, calls = [] }: Pick<RefundIntent, 'id' | 'calls'>): boolean =>
  mark !== undefined && (tailOfId(id) === mark || calls.includes(mark));

/** Returns the payment with these refunds under way. */
export const withIntents = ({ refund_intents: _, ...payment }: Payment, intents: readonly RefundIntent[]): Payment =>
  intents.length === 0 ? payment : { ...payment, refund_intents: intents };

const othersOf = ({ refund_intents = [] }: Payment, { id }: RefundIntent) => refund_intents.filter((one) => one.id !== id);

const putIntent = (payment: Payment, intent: RefundIntent): Payment => withIntents(payment, [...othersOf(payment, intent), intent]);

const leaseIntent = (payment: Payment, unleased: Omit<RefundIntent, 'lease_until_ms'>, nowMs: number) => {
  const intent: RefundIntent = { ...unleased, lease_until_ms: nowMs + leaseMs };
  return { payment: putIntent(payment, intent), intent };
};

/** Begins an intent that becomes this refund. */
export const beginIntent = (payment: Payment, refund: Payment, nowMs: number) =>
  leaseIntent(payment, { ...pick(refund, ['id', 'amount', 'description', 'source', 'created_at']), transaction_id: null }, nowMs);

/** Resumes the intent for the call with this mark. */
export const resumeIntent = (payment: Payment, intent: RefundIntent, mark: string | undefined, nowMs: number) => {
  const isNew = mark !== undefined && !isOfCall(mark, intent);
  return leaseIntent(payment, isNew ? { ...intent, calls: [...(intent.calls ?? []), mark] } : intent, nowMs);
};

/** Ends the lease of the intent, if the payment still has it. */
export const pauseIntent = (payment: Payment, { id }: RefundIntent, nowMs: number): Payment =>
  withIntents(
    payment,
    (payment.refund_intents ?? []).map((one) => (one.id === id ? { ...one, lease_until_ms: nowMs } : one)),
  );

/**
 * Gives the intent its transaction at the gateway. Returns the payment itself if the intent has it.
 */
export const acceptIntent = (payment: Payment, intent: RefundIntent, transaction_id: string): Payment =>
  intent.transaction_id === transaction_id ? payment : putIntent(payment, { ...intent, transaction_id, lease_until_ms: 0 });

/** Ends the intent. */
export const settleIntent = (payment: Payment, intent: RefundIntent): Payment => withIntents(payment, othersOf(payment, intent));

/**
 * Ends an intent that the gateway does not carry out. Returns the payment itself if the intent has
 * changed since it was read: a call has resumed it, the gateway has it, or it has ended.
 */
export const releaseIntent = (payment: Payment, read: RefundIntent): Payment => {
  const isAsRead = ({ id, lease_until_ms, transaction_id }: RefundIntent) =>
    id === read.id && lease_until_ms === read.lease_until_ms && transaction_id === null;
  return payment.refund_intents?.some(isAsRead) ? settleIntent(payment, read) : payment;
};
