import { addMoney } from '../../core/money.ts';
import { isSettled, type Payment } from '../payment/record.ts';
import type { Order } from './record.ts';

/** Whether the payment was made, and may have been given back since. */
const isPaid = ({ status }: Payment): boolean => isSettled(status) || status === 'refunded';

/**
 * Returns the order with the payment status that follows from its payments (decisions §7): `refunded`
 * if everything paid was given back, `partial_refund` after a smaller refund, otherwise the status
 * before the first refund.
 */
export const withPaymentStatus = (order: Order, payments: readonly Payment[], updated_at: string): Order => {
  const originals = payments.filter(({ type }) => type === 'payment');
  const paid = addMoney(...originals.filter(isPaid).map(({ total_amount }) => total_amount));
  const refunded = addMoney(...originals.map(({ refunded_amount }) => refunded_amount));
  const before = order.payment_status_before ?? order.payment_status;
  if (refunded === 0) return { ...order, payment_status: before, payment_status_before: null, updated_at };
  return { ...order, payment_status: refunded >= paid ? 'refunded' : 'partial_refund', payment_status_before: before, updated_at };
};
