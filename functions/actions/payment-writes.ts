import { invalidValue } from '../../shared/core/errors.ts';
import { notBefore } from '../../shared/core/time.ts';
import { hasText } from '../../shared/domain/erased-fields.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { orderAfter, type PaidOrder } from '../../shared/operations/money-back.ts';
import type { Store } from '../../shared/table/store.ts';
import { keepIfSame, unlessErasedWrites } from './modify.ts';

/**
 * Returns the write of the order's payment status after its payments have changed to `changed`. A
 * refund always saves its order, so that simultaneous refunds see each other; other changes only if
 * they change the status, which needs an earlier refund.
 */
export const orderWrites = ({ orders }: Store, account: string, order: PaidOrder | undefined, changed: readonly Payment[], now: string) => {
  if (!order || order.stored.record.deleted_at !== null) return [];
  const { stored } = order;
  const computed = orderAfter(order, changed, now);
  const isRefund = changed.some(({ type }) => type === 'refund');
  const after = isRefund ? notBefore(stored.record, computed) : keepIfSame(stored.record, computed);
  return after === stored.record ? [] : [orders.replaceWrite(account, after, stored)];
};

/**
 * Bytes of JSON that all payments of an order may have together. The order itself has less than 2.5
 * MB, so its response stays below 5 MB (decisions §3).
 */
const maxPaymentsBytes = 2_500_000;

/** Rejects a payment that would make the response of its order too large. */
export const assertReadable = (order: PaidOrder | undefined, payment: Payment): void => {
  const views = [...(order?.payments ?? []), payment].map(paymentPayload);
  if (Buffer.byteLength(JSON.stringify(views)) <= maxPaymentsBytes) return;
  const field = payment.description === null ? 'order_id' : 'description';
  throw invalidValue(field, `${field}: the payments of the order must be less than ${maxPaymentsBytes} bytes in all.`);
};

/** Returns writes that reject a new payment with text if its customer or its order's was erased. */
export const textWrites = (store: Store, account: string, order: PaidOrder | undefined, payment: Payment) =>
  hasText(payment) ? unlessErasedWrites(store, account, [payment.customer_id, order?.stored.record.customer_id]) : [];
