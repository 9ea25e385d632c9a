import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount } from '../../core/money.ts';
import { type PaymentMethod, type PaymentStatus, paymentMethods } from '../enumerations.ts';
import type { EventType } from '../event/types.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import { type Payment, paymentPayload } from './fields.ts';

/** Whether the payment was made. Approval by staff counts as completed (decisions §7). */
export const isSettled = (status: string): boolean => status === 'completed' || status === 'approved';

/** Whether the payment counts (decisions §7) and was not given back whole. A refund does not count. */
export const hasMoney = ({ type, status, total_amount, refunded_amount }: Payment): boolean =>
  type === 'payment' && isSettled(status) && refunded_amount < total_amount;

/**
 * Returns the method. An unknown one becomes `other` without an error (§ Enumerations,
 * Payment-record method).
 */
export const normalisePaymentMethod = (method: unknown): PaymentMethod => {
  const known = typeof method === 'string' ? method.trim().toLowerCase() : '';
  return paymentMethods.find((name) => name === known) ?? 'other';
};

/** Whether the amount with its tip is a valid amount. */
export const isPayable = ({ amount, tip_amount }: Pick<Payment, 'amount' | 'tip_amount'>): boolean =>
  addMoney(amount, tip_amount) < maxAmount;
export const unpayable = `must be less than ${maxAmount} together with the tip`;

/**
 * Returns the amounts with the tip and without the fee. Rejects an amount that cannot be paid, with
 * `amount` as field.
 */
export const paymentAmounts = (amount: number, tip_amount: number, fee_amount: number) => {
  if (!isPayable({ amount, tip_amount })) throw invalidValue('amount', `amount ${unpayable}.`);
  const total_amount = addMoney(amount, tip_amount);
  return { amount, tip_amount, fee_amount, total_amount, net_amount: addMoney(total_amount, -fee_amount) };
};

/** Fields of a payment that the service sets. */
interface PaymentOrigin
  extends Pick<Payment, 'id' | 'order_id' | 'customer_id' | 'schedule_id' | 'source' | 'created_at' | 'emits_on_create'> {}

/** Fields of a payment that the caller sends. */
type NewPayment = Pick<
  Payment,
  'amount' | 'tip_amount' | 'fee_amount' | 'method' | 'status' | 'method_details' | 'gateway' | 'description'
>;

/** Returns the record of a new payment. */
export const makePayment = (input: NewPayment, origin: PaymentOrigin): Payment => ({
  ...origin,
  ...paymentAmounts(input.amount, input.tip_amount, input.fee_amount),
  type: 'payment',
  method: input.method,
  status: input.status,
  previous_status: null,
  method_details: input.method_details,
  gateway: input.gateway,
  original_payment_id: null,
  refunded_amount: 0,
  description: input.description,
  completed_at: isSettled(input.status) ? origin.created_at : null,
  updated_at: origin.created_at,
});

/** Throws 409 for a refund, because refunds are final. */
export const assertOriginal = ({ type }: Payment): void => {
  if (type === 'refund') throw new ApiError('conflict', 'A refund is final. To correct it, record another payment or refund.');
};

/** Returns the amount of the refunds that the gateway has not made yet. */
export const reservedAmountOf = ({ refund_intents = [] }: Payment): number => addMoney(...refund_intents.map(({ amount }) => amount));

/** Statuses that a payment with refunds may have (decisions §7). */
const refundedStatuses: readonly PaymentStatus[] = ['completed', 'approved', 'refunded'];

/**
 * Returns the payment with this status, which may equal its current status. `completed_at` is the
 * last time at which it was completed or approved.
 */
export const setPaymentStatus = (payment: Payment, status: PaymentStatus, now: string): Payment => {
  assertOriginal(payment);
  if (addMoney(payment.refunded_amount, reservedAmountOf(payment)) > 0 && !refundedStatuses.includes(status))
    throw new ApiError('conflict', `A payment with refunds cannot become ${status}. It can become ${refundedStatuses.join(', ')}.`, {
      field: 'status',
    });
  const completed_at = isSettled(status) && !isSettled(payment.status) ? now : payment.completed_at;
  return { ...payment, status, previous_status: payment.status, completed_at, updated_at: now };
};

/** Fields that a correction may change. */
type Correction = Pick<Payment, 'amount'> & Partial<Pick<Payment, 'tip_amount' | 'fee_amount'>>;

/**
 * Returns the payment with another amount and recalculated fields. The status does not change, so
 * `previous_status` is the status (§ When payment events fire, rule 5).
 */
export const correctPayment = (payment: Payment, correction: Correction, now: string): Payment => {
  assertOriginal(payment);
  const { amount, tip_amount, fee_amount } = { ...payment, ...correction };
  const amounts = paymentAmounts(amount, tip_amount, fee_amount);
  const refunded = addMoney(payment.refunded_amount, reservedAmountOf(payment));
  if (amounts.total_amount < refunded) throw invalidValue('amount', `amount must be at least ${refunded}, the amount already refunded.`);
  return { ...payment, ...amounts, previous_status: payment.status, updated_at: now };
};

/** Returns the events that a payment emits when it reaches a new status. */
const statusEvents = (before: string | undefined, after: string): readonly EventType[] => {
  if (isSettled(after) && !(before !== undefined && isSettled(before))) return ['payment.completed'];
  return after === 'failed' && before !== 'failed' ? ['payment.failed'] : [];
};

const typesOf = ({ before, after }: Images<Payment>): readonly EventType[] => {
  const { status, type, emits_on_create } = after.record;
  if (before) return isSaved(before, after) ? ['payment.updated', ...statusEvents(before.record.status, status)] : [];
  if (!emits_on_create) return [];
  return type === 'refund' ? ['payment.refunded'] : ['payment.created', ...statusEvents(undefined, status)];
};

/** Returns the events of a change (§ When payment events fire, rules 1 to 7). */
export const paymentEvents = (images: Images<Payment>): readonly EventOfChange[] => {
  const object = paymentPayload(images.after.record);
  return typesOf(images).map((type) => ({ type, object }));
};
