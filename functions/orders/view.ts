import type { Order } from '../../shared/domain/order/record.ts';
import { orderView } from '../../shared/domain/order/view.ts';
import type * as wire from '../../shared/domain/order/wire.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';

/** One order by id alone has its payments. */
export const orderWithPaymentsView = (order: Order, payments: readonly Payment[]): wire.OrderWithPayments => ({
  ...orderView(order),
  payments: payments.map(paymentPayload),
});
