import type { InferOutput } from 'valibot';
import { paymentMethods, paymentStatuses } from '../enumerations.ts';
import { erase, erasedOf, field, namesOf, pick, retained, sentOf } from '../record-fields.ts';
import { extensibleOneOf, money, oneOf, orNull, shape, text, timestamp } from '../wire-shape.ts';

const detailsFields = {
  brand: field(orNull(text('Brand of the card, for example `visa`. Null if not known.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  last4: field(orNull(text('Last four digits of the card. Null if not known.')), { erased: null, sent: (is) => is.optionalText() }),
  wallet_type: field(orNull(text('Wallet that holds the card, for example `apple_pay`. Null without a wallet.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
};

/** Kept, because the bakery's books refer to the transaction. */
const gatewayFields = {
  provider: field(orNull(text('Name of the gateway, for example `stripe`. Null if not stated.')), {
    erased: retained,
    sent: (is) => is.optionalText(),
  }),
  transaction_id: field(orNull(text("The gateway's id of the transaction. Null if not stated.")), {
    erased: retained,
    sent: (is) => is.optionalText(),
  }),
};

const methodDetails = shape('PaymentMethodDetails', 'Card or wallet that paid.', detailsFields);
const gateway = shape('PaymentGatewayReference', 'The gateway that took the payment, and its transaction.', gatewayFields);
export type MethodDetails = InferOutput<typeof methodDetails>;

/** Fields of `data.object` in payment.* (§ Payloads) and of responses. */
export const shown = {
  id: field(text('Id of the payment.'), { erased: retained }),
  order_id: field(orNull(text('Id of the order. Null without an order.')), { erased: retained }),
  customer_id: field(orNull(text('Id of the customer who paid. Null if not known.')), { erased: retained }),
  schedule_id: field(orNull(text('Id of the payment plan in the dashboard. Null without a plan.')), { erased: retained }),
  amount: field(money("Amount without the tip, in the order's currency."), { erased: retained, sent: (is) => is.positiveMoney() }),
  tip_amount: field(money('Tip, added to the amount.'), { erased: retained, sent: (is) => is.withDefault(is.notNegativeMoney(), 0) }),
  total_amount: field(money('`amount` plus `tip_amount`.'), { erased: retained }),
  fee_amount: field(money('Fee that the gateway kept. 0 if not known.'), {
    erased: retained,
    sent: (is) => is.withDefault(is.notNegativeMoney(), 0),
  }),
  net_amount: field(money('`total_amount` minus `fee_amount`.'), { erased: retained }),
  type: field(oneOf(['payment', 'refund'], 'A refund is a separate record that refers to the original payment.'), { erased: retained }),
  source: field(text('Channel that recorded it, for example `api`, `dashboard` or `checkout`.'), { erased: retained }),
  method: field(extensibleOneOf(paymentMethods, 'How the customer paid. `other` if the method is not in the list.'), { erased: retained }),
  status: field(extensibleOneOf(paymentStatuses, 'Status. `approved` counts as completed.'), {
    erased: retained,
    sent: (is) => is.withDefault(is.oneOf(paymentStatuses), 'completed'),
  }),
  previous_status: field(
    orNull(text('Status before the last write. Equal to `status` if the write did not change it; null on creation.')),
    { erased: retained },
  ),
  method_details: field(orNull(methodDetails), {
    erased: null,
    sent: (is) => is.orNull(is.namedRecord('PaymentMethodDetailsInput', sentOf(detailsFields, is))),
  }),
  gateway: field(orNull(gateway), {
    erased: (reference) => reference && erase(reference, erasedOf(gatewayFields)),
    sent: (is) => is.orNull(is.namedRecord('PaymentGatewayReferenceInput', sentOf(gatewayFields, is))),
  }),
  original_payment_id: field(orNull(text('Only on a refund: id of the refunded payment.')), { erased: retained }),
  refunded_amount: field(money('Amount that was refunded so far. 0 on a refund.'), { erased: retained }),
  description: field(orNull(text('What the payment is for, with markup. Null if not stated.')), {
    erased: null,
    sent: (is) => is.orNull(is.markup()),
  }),
  created_at: field(timestamp('Time at which the payment was recorded.'), { erased: retained }),
  completed_at: field(orNull(timestamp('Time of the last completion or approval. Null before the first.')), { erased: retained }),
};

export const payment = shape('Payment', 'A payment or a refund, as in orders and `payment.*` events.', shown);
type PaymentView = InferOutput<typeof payment>;

/**
 * A refund that the gateway must make and has not made yet. It reserves its amount. Its id is the id
 * of the refund record to come, and identifies the refund at the gateway.
 */
export interface RefundIntent extends Pick<PaymentView, 'id' | 'amount' | 'description' | 'source' | 'created_at'> {
  /** The gateway's id of the refund, once the gateway has it. */
  readonly transaction_id: string | null;
  /** Until then, a call carries the intent out. In milliseconds since the Unix epoch. */
  readonly lease_until_ms: number;
  /** Marks of the calls that resumed the intent, if there are any: the ends of their ids. */
  readonly calls?: readonly string[];
}

export interface Payment extends PaymentView {
  /** Refunds that the gateway has not made yet; absent without one. Never returned. */
  readonly refund_intents?: readonly RefundIntent[];
  /** Only on a refund: marks of the calls that resumed its intent. Never returned. */
  readonly refund_calls?: readonly string[];
  /** Time of the last write. Never returned. */
  readonly updated_at: string;
  /**
   * Whether the record's creation emits an event (§ When payment events fire, rule 7). Later writes
   * always do.
   */
  readonly emits_on_create: boolean;
}

const withoutDescriptions = (intents: Payment['refund_intents']): Payment['refund_intents'] =>
  intents?.map((intent) => ({ ...intent, description: null }));

export const paymentFields = {
  ...erasedOf(shown),
  refund_intents: withoutDescriptions,
  refund_calls: retained,
  updated_at: retained,
  emits_on_create: retained,
};

export const paymentPayload = ({ method_details, gateway: reference, ...rest }: Payment): PaymentView =>
  pick(
    {
      ...rest,
      method_details: method_details && pick(method_details, namesOf(detailsFields)),
      gateway: reference && pick(reference, namesOf(gatewayFields)),
    },
    namesOf(shown),
  );
