import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount, roundMoney } from '../../core/money.ts';
import { type PaymentMethod, type PaymentStatus, paymentMethods } from '../enumerations.ts';
import type { EventType } from '../event/types.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import { type Payment, paymentPayload } from './fields.ts';

/** Whether the payment was made. Approval by staff counts as completed (decisions §7). */
export const isSettled = (status: string): boolean => status === 'completed' || status === 'approved';

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
type Said = Pick<Payment, 'amount' | 'tip_amount' | 'fee_amount' | 'method' | 'status' | 'method_details' | 'gateway' | 'description'>;

/** Returns the record of a new payment. */
export const makePayment = (input: Said, origin: PaymentOrigin): Payment => ({
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
const assertOriginal = ({ type }: Payment): void => {
  if (type === 'refund') throw new ApiError('conflict', 'A refund is final; it cannot be changed.');
};

/** Statuses that a payment with refunds may have (decisions §7). */
const refundedStatuses: readonly PaymentStatus[] = ['completed', 'approved', 'refunded'];

/**
 * Returns the payment with this status, which may equal its current status. `completed_at` is the
 * last time at which it was completed or approved.
 */
export const setPaymentStatus = (payment: Payment, status: PaymentStatus, now: string): Payment => {
  assertOriginal(payment);
  if (payment.refunded_amount > 0 && !refundedStatuses.includes(status))
    throw new ApiError('conflict', `A payment with refunds cannot become ${status}.`, { field: 'status' });
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
  if (amounts.total_amount < payment.refunded_amount)
    throw invalidValue('amount', `amount must be at least ${payment.refunded_amount}, which is already refunded.`);
  return { ...payment, ...amounts, previous_status: payment.status, updated_at: now };
};

interface RefundOrigin extends Pick<Payment, 'id' | 'amount' | 'description' | 'source'> {
  readonly now: string;
}

/**
 * Returns the record of a refund, and the total refunded of the payment, which never exceeds what
 * was paid. The amount is rounded to the decimals of the currency. The whole remaining amount can
 * always be refunded.
 */
export const makeRefund = (original: Payment, { id, amount: said, description, source, now }: RefundOrigin, places: number) => {
  assertOriginal(original);
  if (!isSettled(original.status))
    throw new ApiError('conflict', `This payment is ${original.status}. Only completed or approved payments can be refunded.`, {
      field: 'status',
    });
  const room = addMoney(original.total_amount, -original.refunded_amount);
  const amount = said === room ? said : roundMoney(said, places);
  if (amount <= 0) throw invalidValue('amount', 'amount must not round to 0 in the currency of the payment.');
  if (amount > room) throw invalidValue('amount', `amount must be at most ${room}, the amount that is not refunded yet.`);
  const refund: Payment = {
    id,
    order_id: original.order_id,
    customer_id: original.customer_id,
    schedule_id: original.schedule_id,
    ...paymentAmounts(amount, 0, 0),
    type: 'refund',
    source,
    method: original.method,
    status: 'completed',
    previous_status: null,
    method_details: original.method_details,
    // The gateway will give the refund its own transaction id.
    gateway: original.gateway && { provider: original.gateway.provider, transaction_id: null },
    original_payment_id: original.id,
    refunded_amount: 0,
    description,
    created_at: now,
    completed_at: now,
    updated_at: now,
    emits_on_create: true,
  };
  return { refund, refunded_amount: addMoney(original.refunded_amount, amount) };
};

/** Returns the events that a payment emits when it reaches a new status. */
const reached = (before: string | undefined, after: string): readonly EventType[] => {
  if (isSettled(after) && !(before !== undefined && isSettled(before))) return ['payment.completed'];
  return after === 'failed' && before !== 'failed' ? ['payment.failed'] : [];
};

const typesOf = ({ before, after }: Images<Payment>): readonly EventType[] => {
  const { status, type, emits_on_create } = after.record;
  if (before) return isSaved(before, after) ? ['payment.updated', ...reached(before.record.status, status)] : [];
  if (!emits_on_create) return [];
  return type === 'refund' ? ['payment.refunded'] : ['payment.created', ...reached(undefined, status)];
};

/** Returns the events of a change (§ When payment events fire, rules 1 to 7). */
export const paymentEvents = (images: Images<Payment>): readonly EventOfChange[] => {
  const object = paymentPayload(images.after.record);
  return typesOf(images).map((type) => ({ type, object }));
};
