import * as v from 'valibot';
import { invalidValue, notFound } from '../../shared/core/errors.ts';
import { markup, notNegativeMoney, oneOf, orNull, partial, positiveMoney, record, recordId, text } from '../../shared/core/fields.ts';
import { placesOf } from '../../shared/core/money.ts';
import { isoFromMs, notBefore } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { paymentStatuses } from '../../shared/domain/enumerations.ts';
import { hasText } from '../../shared/domain/erased-fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { saleCurrency, withPaymentStatus } from '../../shared/domain/order/rules.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { paymentInput } from '../../shared/domain/payment/input.ts';
import { correctPayment, makePayment, makeRefund, normalisePaymentMethod, setPaymentStatus } from '../../shared/domain/payment/rules.ts';
import type { Stored } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import { type ActionServices, byId, onAccount } from './action.ts';
import { keepIfSame, unlessErasedWrites } from './modify.ts';

/** An order and its payments. */
interface PaidOrder {
  readonly stored: Stored<Order>;
  readonly payments: readonly Payment[];
}

/** Returns the order of a payment, also a deleted one; undefined without an order. */
const findOrder = async ({ orders, payments }: Store, account: string, id: string | null): Promise<PaidOrder | undefined> => {
  if (id === null) return undefined;
  const [stored, paid] = await Promise.all([orders.get(account, id), payments.ofOrder(account, id)]);
  return stored && { stored, payments: paid };
};

/**
 * Returns the write of the order's payment status after its payments have changed to `changed`. A
 * refund always saves its order, so that simultaneous refunds see each other; other changes only if
 * they change the status, which needs an earlier refund.
 */
const orderWrites = ({ orders }: Store, account: string, order: PaidOrder | undefined, changed: readonly Payment[], now: string) => {
  if (!order || order.stored.record.deleted_at !== null) return [];
  const { stored, payments } = order;
  const others = payments.filter(({ id }) => !changed.some((payment) => payment.id === id));
  const computed = withPaymentStatus(stored.record, [...others, ...changed], now);
  const isRefund = changed.some(({ type }) => type === 'refund');
  const after = isRefund ? notBefore(stored.record, computed) : keepIfSame(stored.record, computed);
  return after === stored.record ? [] : [orders.replaceWrite(account, after, stored)];
};

/**
 * Bytes of JSON that all payments of an order may have together. The order itself has less than 2.5
 * MB, so its response stays below 5 MB (decisions §3).
 */
const maxPaymentsBytes = 2_500_000;

/** Rejects a payment that would make the response of its order too large. */
const assertReadable = (order: PaidOrder | undefined, payment: Payment): void => {
  const views = [...(order?.payments ?? []), payment].map(paymentPayload);
  if (Buffer.byteLength(JSON.stringify(views)) <= maxPaymentsBytes) return;
  const field = payment.description === null ? 'order_id' : 'description';
  throw invalidValue(field, `${field}: the payments of the order must be less than ${maxPaymentsBytes} bytes in all.`);
};

/** Returns writes that reject a new payment with text if its customer or its order's was erased. */
const textWrites = (store: Store, account: string, order: PaidOrder | undefined, payment: Payment) =>
  hasText(payment) ? unlessErasedWrites(store, account, [payment.customer_id, order?.stored.record.customer_id]) : [];

/** Returns the payer. Rejects a customer that does not exist in the account. */
const payerOf = async ({ customers }: Store, account: string, id: string | null, order: PaidOrder | undefined): Promise<string | null> => {
  if (id === null) return order?.stored.record.customer_id ?? null;
  const customer = await customers.get(account, id);
  if (!customer || customer.record.erased_at !== undefined) throw invalidValue('customer_id', 'No such customer.');
  return id;
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
  async decide({ store, clock, newId }, { order_id, customer_id, schedule_id, ...said }, account) {
    const nowMs = clock.now();
    const order = await findOrder(store, account.id, order_id);
    if (order_id !== null && order?.stored.record.deleted_at !== null) throw invalidValue('order_id', 'No such order.');
    const payment = makePayment(said, {
      id: newId('pay', nowMs),
      order_id,
      customer_id: await payerOf(store, account.id, customer_id, order),
      schedule_id,
      source: 'dashboard',
      created_at: isoFromMs(nowMs),
      emits_on_create: true,
    });
    assertReadable(order, payment);
    return {
      result: paymentPayload(payment),
      writes: [
        ...store.payments.createWrites(account.id, payment),
        ...orderWrites(store, account.id, order, [payment], payment.created_at),
        ...textWrites(store, account.id, order, payment),
      ],
    };
  },
});

/** Saves a change of a payment, also one that changes no value (§ When payment events fire, rule 2). */
const change = async (
  { store, clock }: ActionServices,
  { id: account }: Account,
  id: string,
  changed: (payment: Payment, now: string) => Payment,
) => {
  const stored = await store.payments.get(account, id);
  if (!stored) throw notFound('Payment');
  const now = isoFromMs(clock.now());
  const payment = notBefore(stored.record, changed(stored.record, now));
  const order = await findOrder(store, account, payment.order_id);
  return {
    result: paymentPayload(payment),
    writes: [store.payments.replaceWrite(account, payment, stored), ...orderWrites(store, account, order, [payment], now)],
  };
};

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
    const order = await findOrder(store, account.id, original.record.order_id);
    // Payments have no currency field.
    const places = placesOf(order?.stored.record.currency ?? saleCurrency(account));
    const { refund, refunded_amount } = makeRefund(original.record, origin, places);
    assertReadable(order, refund);
    const refunded = { ...original.record, refunded_amount };
    return {
      result: paymentPayload(refund),
      writes: [
        store.payments.refundedWrite(account.id, original, refunded_amount),
        ...store.payments.createWrites(account.id, refund),
        ...orderWrites(store, account.id, order, [refunded, refund], origin.now),
        ...textWrites(store, account.id, order, refund),
      ],
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
