import type { Order } from '../../shared/domain/order.ts';
import { orderView } from '../../shared/domain/order-view.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import type * as wire from '../../shared/domain/wire/order.ts';
import { paymentPayload } from '../../shared/events/payment-events.ts';

/** One order by id alone has its payments. */
export const orderWithPaymentsView = (order: Order, payments: readonly Payment[]): wire.OrderWithPayments => ({
  ...orderView(order),
  payments: payments.map(paymentPayload),
});
