import * as v from 'valibot';
import { invalidValue, notFound } from '../../shared/core/errors.ts';
import { markup, notNegativeMoney, oneOf, orNull, partial, positiveMoney, record, recordId, text } from '../../shared/core/fields.ts';
import { placesOf } from '../../shared/core/money.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { paymentStatuses } from '../../shared/domain/enumerations.ts';
import { saleCurrency } from '../../shared/domain/order/record.ts';
import { makePayment, paymentInput } from '../../shared/domain/payment/input.ts';
import { normalisePaymentMethod, type Payment, paymentPayload } from '../../shared/domain/payment/record.ts';
import { correctPayment, makeRefund, setPaymentStatus } from '../../shared/domain/payment/rules.ts';
import type { Store } from '../../shared/table/store.ts';
import { type ActionServices, byId, onAccount } from './action.ts';
import { modifyRecord } from './modify.ts';

/** Returns the payer. Rejects an order or customer that does not exist in the account. */
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

const create = onAccount({
  summary: 'Records a payment, with or without an order.',
  input: record({
    ...paymentInput,
    method: v.pipe(
      v.nullish(text(), 'other'),
      v.transform((method) => normalisePaymentMethod(method)),
    ),
    order_id: orNull(recordId()),
    /** If absent, the customer of the order. */
    customer_id: orNull(recordId()),
    schedule_id: orNull(recordId()),
  }),
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
});

const change = async (
  { store, clock }: ActionServices,
  { id: account }: Account,
  id: string,
  changed: (payment: Payment, now: string) => Payment,
) => {
  const { record, writes } = await modifyRecord({ records: store.payments, account, id, name: 'Payment' }, (payment) =>
    changed(payment, isoFromMs(clock.now())),
  );
  return { result: paymentPayload(record), writes };
};

/**
 * Returns the currency of the payment's order, or else the currency of the account. Payments have
 * no currency field.
 */
const currencyOf = async (store: Store, account: Account, { order_id }: Payment): Promise<string> =>
  (order_id === null ? undefined : await store.orders.get(account.id, order_id))?.record.currency ?? saleCurrency(account);

/**
 * Writes the refund and the refunded total in one transaction, so that parallel refunds cannot
 * exceed the payment.
 */
const refund = onAccount({
  summary: 'Gives back a part or all of a settled payment, as a refund record of its own.',
  input: record({ ...byId, amount: positiveMoney(), description: orNull(markup()) }),
  async decide({ store, clock, newId }, { id, amount, description }, account) {
    const nowMs = clock.now();
    const origin = { id: newId('pay', nowMs), amount, description, source: 'dashboard', now: isoFromMs(nowMs) };
    const original = await store.payments.get(account.id, id);
    if (!original) throw notFound('Payment');
    const places = placesOf(await currencyOf(store, account, original.record));
    const { refund, refunded_amount } = makeRefund(original.record, origin, places);
    return {
      result: paymentPayload(refund),
      writes: [store.payments.refundedWrite(account.id, original, refunded_amount), ...store.payments.createWrites(account.id, refund)],
    };
  },
});

export const payment = {
  create,
  set_status: onAccount({
    summary: 'Writes the status of a payment; the same one again is a write too.',
    input: record({ ...byId, status: oneOf(paymentStatuses) }),
    decide: (services, { id, status }, account) => change(services, account, id, (payment, now) => setPaymentStatus(payment, status, now)),
  }),
  void: onAccount({
    summary: 'Voids a payment.',
    input: record(byId),
    decide: (services, { id }, account) => change(services, account, id, (payment, now) => setPaymentStatus(payment, 'voided', now)),
  }),
  correct_amount: onAccount({
    summary: 'Corrects the amount of a payment, never below what was refunded of it.',
    input: record({
      ...byId,
      amount: positiveMoney(),
      ...partial({ tip_amount: notNegativeMoney(), fee_amount: notNegativeMoney() }),
    }),
    decide: (services, { id, ...correction }, account) =>
      change(services, account, id, (payment, now) => correctPayment(payment, correction, now)),
  }),
  refund,
};
