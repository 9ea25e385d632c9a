import * as v from 'valibot';
import { namedRecord, type record } from '../../core/fields.ts';
import * as inputs from '../inputs.ts';
import { sentOf } from '../record-fields.ts';
import { shown } from './fields.ts';
import { isPayable, normalisePaymentMethod, unpayable } from './rules.ts';

/** Fields of a payment, sent with an order or alone. */
export const paymentInput = {
  ...sentOf(shown, inputs),
  /** Accepts every value; an unknown method becomes `other`. */
  method: v.pipe(v.nullish(v.unknown(), 'other'), v.transform(normalisePaymentMethod), v.metadata({ type: 'string' })),
};
export type PaymentInput = v.InferOutput<ReturnType<typeof record<typeof paymentInput>>>;

/**
 * A payment that is sent with an order. It is checked before the order is made, and errors name its
 * position in the list.
 */
export const orderPaymentInput = v.pipe(
  namedRecord('PaymentInput', paymentInput),
  v.forward(
    v.check((payment: PaymentInput) => isPayable(payment), unpayable),
    ['amount'],
  ),
);
