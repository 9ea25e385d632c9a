import { friendlyOrderNumber, type Order } from '../domain/order.ts';
import { type EventOfChange, type Images, isSaved } from './images.ts';

/** `data.object` of order.* (§ Payloads). */
export const orderPayload = (order: Order) => ({
  id: order.id,
  order_number: order.order_number,
  friendly_order_number: friendlyOrderNumber(order),
  external_id: order.external_id,
  status: order.status,
  payment_status: order.payment_status,
  subtotal: order.subtotal,
  tax: order.tax,
  delivery_fee: order.delivery_fee,
  discount: order.discount,
  total: order.total,
  currency: order.currency,
  customer_id: order.customer_id,
  customer_name: order.customer_name,
  customer_email: order.customer_email,
  customer_phone: order.customer_phone,
  delivery_type: order.delivery_type,
  delivery_date: order.delivery_date,
  delivery_time: order.delivery_time,
  items_count: order.items.length,
  order_type: order.order_type,
  source: order.source,
  created_at: order.created_at,
  updated_at: order.updated_at,
});

/** `order.updated` on every save; `order.status_changed` besides it, which alone tells the status before (decisions §7). */
export const orderEvents = ({ before, after }: Images<Order>): readonly EventOfChange[] => {
  const object = orderPayload(after.record);
  if (!before) return [{ type: 'order.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  if (after.record.deleted_at !== null) return [{ type: 'order.deleted', object }];
  const previous_status = before.record.status;
  const moved = previous_status !== after.record.status;
  return [
    { type: 'order.updated', object },
    ...(moved ? [{ type: 'order.status_changed', object: { ...object, previous_status } } as const] : []),
  ];
};
