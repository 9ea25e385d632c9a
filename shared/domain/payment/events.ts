import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import type { EventType } from '../event/types.ts';
import { isSettled, type Payment } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of payment.* (§ Payloads). */
export const paymentPayload = (payment: Payment): wire.Payment => ({
  id: payment.id,
  order_id: payment.order_id,
  customer_id: payment.customer_id,
  schedule_id: payment.schedule_id,
  amount: payment.amount,
  tip_amount: payment.tip_amount,
  total_amount: payment.total_amount,
  fee_amount: payment.fee_amount,
  net_amount: payment.net_amount,
  type: payment.type,
  source: payment.source,
  method: payment.method,
  status: payment.status,
  previous_status: payment.previous_status,
  method_details: payment.method_details && {
    brand: payment.method_details.brand,
    last4: payment.method_details.last4,
    wallet_type: payment.method_details.wallet_type,
  },
  gateway: payment.gateway && { provider: payment.gateway.provider, transaction_id: payment.gateway.transaction_id },
  original_payment_id: payment.original_payment_id,
  refunded_amount: payment.refunded_amount,
  description: payment.description,
  created_at: payment.created_at,
  completed_at: payment.completed_at,
});

/** What the status says on its own, where it was not so before. */
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

/** § When payment events fire, rules 1 to 7. */
export const paymentEvents = (images: Images<Payment>): readonly EventOfChange[] => {
  const object = paymentPayload(images.after.record);
  return typesOf(images).map((type) => ({ type, object }));
};
