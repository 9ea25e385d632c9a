import { friendlyOrderNumber, type Order } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of order.* (§ Payloads). */
export const orderPayload = (order: Order): wire.OrderEventObject => ({
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

/** Every member of the order.* payload, and what only the API shows (decisions §6). */
export const orderView = (order: Order): wire.Order => ({
  ...orderPayload(order),
  items: order.items.map(({ id, product_id, name, quantity, unit_price, total, notes }) => ({
    id,
    product_id,
    name,
    quantity,
    unit_price,
    total,
    notes,
  })),
  payment_method: order.payment_method,
  event_category: order.event_category,
  delivery_address: order.delivery_address,
  notes: order.notes,
  custom_fields: order.custom_fields,
  metadata: order.metadata,
});
