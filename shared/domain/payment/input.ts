import * as v from 'valibot';
import { markup, namedRecord, notNegativeMoney, oneOf, optionalText, orNull, positiveMoney, type record } from '../../core/fields.ts';
import { paymentStatuses } from '../enumerations.ts';
import { isPayable, isSettled, normalisePaymentMethod, type Payment, paymentAmounts, unpayable } from './record.ts';

/** Fields of a payment, sent with an order or alone. */
export const paymentInput = {
  amount: positiveMoney(),
  /** Accepts every value; an unknown method becomes `other`. */
  method: v.pipe(v.nullish(v.unknown(), 'other'), v.transform(normalisePaymentMethod), v.metadata({ type: 'string' })),
  status: v.nullish(oneOf(paymentStatuses), 'completed'),
  tip_amount: v.nullish(notNegativeMoney(), 0),
  fee_amount: v.nullish(notNegativeMoney(), 0),
  description: orNull(markup()),
  method_details: orNull(
    namedRecord('PaymentMethodDetailsInput', { brand: optionalText(), last4: optionalText(), wallet_type: optionalText() }),
  ),
  gateway: orNull(namedRecord('PaymentGatewayReferenceInput', { provider: optionalText(), transaction_id: optionalText() })),
};
export type PaymentInput = v.InferOutput<ReturnType<typeof record<typeof paymentInput>>>;

/**
 * A payment that is sent with an order. It is checked before the order is made, and errors name its
 * position in the list.
 */
export const orderPayment = v.pipe(
  namedRecord('PaymentInput', paymentInput),
  v.forward(
    v.check((payment: PaymentInput) => isPayable(payment), unpayable),
    ['amount'],
  ),
);

/** Fields of a payment that the service sets. */
interface PaymentOrigin
  extends Pick<Payment, 'id' | 'order_id' | 'customer_id' | 'schedule_id' | 'source' | 'created_at' | 'emits_on_create'> {}

/** Returns the record of a new payment. */
export const makePayment = (input: PaymentInput, origin: PaymentOrigin): Payment => ({
  ...origin,
  ...paymentAmounts(input.amount, input.tip_amount, input.fee_amount),
  type: 'payment',
  method: input.method,
  status: input.status,
  previous_status: null,
  method_details: input.method_details,
  gateway: input.gateway,
  original_payment_id: null,
  refunded_amount: 0,
  description: input.description,
  completed_at: isSettled(input.status) ? origin.created_at : null,
  updated_at: origin.created_at,
});
