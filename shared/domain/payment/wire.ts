import type * as v from 'valibot';
import { paymentMethods, paymentStatuses } from '../enumerations.ts';
import { known, money, oneOf, orNull, shape, text, timestamp } from '../wire-shape.ts';

const methodDetails = shape('PaymentMethodDetails', 'Details of the card or wallet.', {
  brand: orNull(text('For example `visa`.')),
  last4: orNull(text('Last four digits.')),
  wallet_type: orNull(text('For example `apple_pay`.')),
});

const gateway = shape('PaymentGatewayReference', 'The payment at its gateway.', {
  provider: orNull(text('Name of the gateway.')),
  transaction_id: orNull(text("The gateway's id of the transaction.")),
});

export const payment = shape('Payment', 'A payment or a refund, as in orders and `payment.*` events.', {
  id: text('Id of the payment.'),
  order_id: orNull(text('Id of the order.')),
  customer_id: orNull(text('Id of the customer who paid.')),
  schedule_id: orNull(text('Id of its payment schedule.')),
  amount: money('Amount without the tip.'),
  tip_amount: money('Tip, added to the amount.'),
  total_amount: money('Amount plus tip.'),
  fee_amount: money('Fee kept by the gateway.'),
  net_amount: money('Total minus fee.'),
  type: oneOf(['payment', 'refund'], 'A refund is a separate record that refers to the original payment.'),
  source: text('Channel that recorded it, for example `api`, `dashboard` or `checkout`.'),
  method: known(paymentMethods, 'Payment method.'),
  status: known(paymentStatuses, 'Status. `approved` counts as completed.'),
  previous_status: orNull(text('Status before the last write. Equal to `status` if the write did not change it; null on creation.')),
  method_details: orNull(methodDetails),
  gateway: orNull(gateway),
  original_payment_id: orNull(text('Only on a refund: id of the refunded payment.')),
  refunded_amount: money('Amount refunded so far.'),
  description: orNull(text('Free text that keeps its markup.')),
  created_at: timestamp('Time of creation.'),
  completed_at: orNull(timestamp('Time of the last completion or approval.')),
});

export type Payment = v.InferOutput<typeof payment>;
