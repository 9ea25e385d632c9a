import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, roundMoney } from '../../core/money.ts';
import type { PaymentStatus } from '../enumerations.ts';
import { isSettled, type Payment, paymentAmounts } from './record.ts';

/** Refund records are final: what is refunded is said by making one. */
const assertOriginal = ({ type }: Payment): void => {
  if (type === 'refund') throw new ApiError('conflict', 'A refund is final; it cannot be changed.');
};

/** A status write, also of the status it has. `completed_at` is the moment it was last reached. */
export const setPaymentStatus = (payment: Payment, status: PaymentStatus, now: string): Payment => {
  assertOriginal(payment);
  const completed_at = isSettled(status) && !isSettled(payment.status) ? now : payment.completed_at;
  return { ...payment, status, previous_status: payment.status, completed_at, updated_at: now };
};

/** Fields that a correction may change. */
type Correction = Pick<Payment, 'amount'> & Partial<Pick<Payment, 'tip_amount' | 'fee_amount'>>;

/**
 * Another amount, with what follows from it; no status change, so `previous_status` is the status
 * (§ When payment events fire, rule 5).
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
 * The refund record of a part of a settled payment, and what is refunded of it in all: never more
 * than was paid. What has more decimals than money of its currency is rounded, but all that is left
 * may always be given back.
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
    // The gateway gives the refund a transaction of its own.
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
