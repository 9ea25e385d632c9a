import type * as v from 'valibot';
import { paymentMethods, paymentStatuses } from '../enumerations.ts';
import { known, money, oneOf, orNull, shape, text, timestamp } from '../wire-shape.ts';

const methodDetails = shape('PaymentMethodDetails', 'What is known of the card or wallet.', {
  brand: orNull(text('Such as `visa`.')),
  last4: orNull(text('Last four digits.')),
  wallet_type: orNull(text('Such as `apple_pay`.')),
});

const gateway = shape('PaymentGatewayReference', 'The payment at its gateway.', {
  provider: orNull(text('Name of the gateway.')),
  transaction_id: orNull(text("The gateway's id of the transaction.")),
});

export const payment = shape('Payment', 'A payment or a refund, as orders hold it and `payment.*` events tell it.', {
  id: text('Id of the payment.'),
  order_id: orNull(text('The order it is for.')),
  customer_id: orNull(text('The customer who paid.')),
  schedule_id: orNull(text('The payment schedule it belongs to.')),
  amount: money('Amount without the tip.'),
  tip_amount: money('Tip on top of it.'),
  total_amount: money('Amount and tip.'),
  fee_amount: money('Fee kept by the gateway.'),
  net_amount: money('Total without the fee.'),
  type: oneOf(['payment', 'refund'], 'A refund is a record of its own, made against an original payment.'),
  source: text('Where it was recorded: `api`, `dashboard`, `checkout`.'),
  method: known(paymentMethods, 'How it was paid.'),
  status: known(paymentStatuses, 'Its status; `approved` counts as completed.'),
  previous_status: orNull(text('Status before the last write; equal to `status` where the write left it, null on create.')),
  method_details: orNull(methodDetails),
  gateway: orNull(gateway),
  original_payment_id: orNull(text('On a refund: the payment it gives back.')),
  refunded_amount: money('How much of it was refunded so far.'),
  description: orNull(text('Free text that keeps its markup.')),
  created_at: timestamp('Moment it was recorded.'),
  completed_at: orNull(timestamp('Moment it was last completed or approved.')),
});

export type Payment = v.InferOutput<typeof payment>;
