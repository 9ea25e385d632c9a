import type { Order } from '../../shared/domain/order.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import { orderPayload } from '../../shared/events/order-events.ts';
import { paymentPayload } from '../../shared/events/payment-events.ts';

/** Every member of the order.* payload, and what only the API shows (decisions §6). */
export const orderView = (order: Order) => ({
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

/** One order by id alone has its payments. */
export const orderWithPaymentsView = (order: Order, payments: readonly Payment[]) => ({
  ...orderView(order),
  payments: payments.map(paymentPayload),
});
