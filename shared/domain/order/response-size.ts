import { maxSentBytes, sentBytes } from '../../core/sent-bytes.ts';
import { cutText } from '../../core/text.ts';
import { type Payment, paymentPayload } from '../payment/fields.ts';
import { type Order, orderView } from './fields.ts';

/**
 * An order counts as at least so many bytes in the response that shows it with its payments. So a
 * change of an order below that size needs no look at the payments.
 */
const minOrderBytes = 1_000_000;
/** Bytes that a payment may gain when its status and amounts change. */
const growthBytes = 200;
/** The rest is for refunds that gateways report, which are always recorded. */
const maxCallerBytes = 4_500_000;

const orderBytes = (order: Order): number => Math.max(minOrderBytes, sentBytes(orderView(order)));
const paymentBytes = (payment: Payment): number => sentBytes(paymentPayload(payment)) + growthBytes;
const bytesOf = (order: Order, payments: readonly Payment[]): number =>
  payments.reduce((bytes, payment) => bytes + paymentBytes(payment), orderBytes(order));

/** Whether the response of the order with all its payments stays below the limit (decisions §3). */
export const isReadable = (order: Order, payments: readonly Payment[]): boolean => bytesOf(order, payments) <= maxCallerBytes;

/** Whether a change of the order may make its response too large, so that its payments must be read. */
export const growsBeyondReserve = (before: Order, after: Order): boolean => {
  const bytes = orderBytes(after);
  return bytes > minOrderBytes && bytes > orderBytes(before);
};

/**
 * Returns the payment with as much of its description as the response of its order can show beside
 * the others. For money that a gateway has moved, which is never rejected.
 */
export const cutToFit = (order: Order, others: readonly Payment[], payment: Payment): Payment => {
  const { description } = payment;
  if (description === null) return payment;
  const free = maxSentBytes - bytesOf(order, [...others, { ...payment, description: '' }]);
  const isFitting = (text: string): boolean => sentBytes(text) <= free;
  if (isFitting(description)) return payment;
  let [fitting, tooLong] = [0, description.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (isFitting(cutText(description, middle))) fitting = middle;
    else tooLong = middle;
  }
  return { ...payment, description: fitting === 0 ? null : cutText(description, fitting) };
};
