import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { orNull, record, requiredText, text } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import { makePayment, paymentInput } from '../../shared/domain/payment/input.ts';
import { normalisePaymentMethod } from '../../shared/domain/payment/record.ts';
import type { AccountAction, ActionServices } from './action.ts';

const input = record({
  ...paymentInput,
  method: v.pipe(
    v.nullish(text(), 'other'),
    v.transform((method) => normalisePaymentMethod(method)),
  ),
  order_id: orNull(requiredText()),
  /** The order's own where absent. */
  customer_id: orNull(requiredText()),
  schedule_id: orNull(requiredText()),
});

/** Whom the payment is from; refuses an order or a customer that the account does not have. */
const payerOf = async (
  { store }: ActionServices,
  account: string,
  { order_id, customer_id }: { readonly order_id: string | null; readonly customer_id: string | null },
): Promise<string | null> => {
  const [order, customer] = await Promise.all([
    order_id === null ? undefined : store.orders.get(account, order_id),
    customer_id === null ? undefined : store.customers.get(account, customer_id),
  ]);
  if (order_id !== null && (!order || order.record.deleted_at !== null)) throw invalidValue('order_id', 'No such order.');
  if (customer_id !== null && (!customer || customer.record.erased_at !== undefined))
    throw invalidValue('customer_id', 'No such customer.');
  return customer_id ?? order?.record.customer_id ?? null;
};

export const createPayment: AccountAction<typeof input> = {
  summary: 'Records a payment, with or without an order.',
  account: 'required',
  input,
  async decide(services, { order_id, customer_id, schedule_id, ...said }, account) {
    const { store, clock, newId } = services;
    const nowMs = clock.now();
    const payment = makePayment(said, {
      id: newId('pay', nowMs),
      order_id,
      customer_id: await payerOf(services, account.id, { order_id, customer_id }),
      schedule_id,
      source: 'dashboard',
      created_at: isoFromMs(nowMs),
      emits_on_create: true,
    });
    return { result: paymentPayload(payment), writes: store.payments.createWrites(account.id, payment) };
  },
};
