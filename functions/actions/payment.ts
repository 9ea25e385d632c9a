import * as v from 'valibot';
import { ApiError, invalidValue, missing, notFound } from '../../shared/core/errors.ts';
import { notNegativeMoney, oneOf, orNull, partial, positiveMoney, record, recordId, text } from '../../shared/core/fields.ts';
import { isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { paymentStatuses } from '../../shared/domain/enumerations.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { paymentInput } from '../../shared/domain/payment/input.ts';
import {
  correctPayment,
  hasMoney,
  isSettled,
  makePayment,
  normalisePaymentMethod,
  setPaymentStatus,
} from '../../shared/domain/payment/rules.ts';
import { assertReadable, findOrder, orderWrites, type PaidOrder, textWrites } from '../../shared/operations/paid-order.ts';
import type { Store } from '../../shared/table/store.ts';
import { type ActionServices, idField, onAccount } from './action.ts';
import { refund } from './payment.refund.ts';
import { assertGivenBackByRefund, type PaymentChange, readUsableStripeKeys } from './taken-payments.ts';

/** Returns the payer. Rejects a customer that does not exist in the account. */
const payerOf = async ({ customers }: Store, account: string, id: string | null, order: PaidOrder | undefined): Promise<string | null> => {
  if (id === null) return order?.stored.record.customer_id ?? null;
  const customer = await customers.get(account, id);
  if (!customer || customer.record.erased_at !== undefined) throw invalidValue('customer_id', missing('Customer', 'customer_id'));
  return id;
};

const create = onAccount({
  summary: 'Records a payment, with or without an order. Takes no money.',
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
  async decide({ store, clock, newId }, { order_id, customer_id, schedule_id, ...fields }, account) {
    const nowMs = clock.now();
    const order = await findOrder(store, account.id, order_id);
    if (order_id !== null && order?.stored.record.deleted_at !== null) {
      if (order && isSettled(fields.status)) throw deletedOrderError('order_id');
      throw invalidValue('order_id', missing('Order', 'order_id'));
    }
    const payment = makePayment(fields, {
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

/** The error of a payment of a deleted order that would count (decisions §7). */
const deletedOrderError = (field: string): ApiError =>
  new ApiError('conflict', 'The order of the payment is deleted, so the payment cannot become completed or approved.', { field });

/** Rejects a change by which a deleted order would have money that was not given back (decisions §7). */
const assertNoMoneyOfDeleted = (order: PaidOrder | undefined, before: Payment, after: Payment): void => {
  if (!order || order.stored.record.deleted_at === null) return;
  if (isSettled(after.status) && after.status !== before.status) throw deletedOrderError('status');
  if (hasMoney(after) && !hasMoney(before))
    throw new ApiError('conflict', 'The order of the payment is deleted, so its amount cannot exceed what was given back.', {
      field: 'amount',
    });
};

/** Saves a change of a payment, also one that changes no value (§ When payment events fire, rule 2). */
const changePayment = async (
  { store, clock }: ActionServices,
  { id: account }: Account,
  id: string,
  sent: PaymentChange,
  apply: (payment: Payment, now: string) => Payment,
) => {
  const stored = await store.payments.get(account, id);
  if (!stored) throw notFound('Payment');
  // Before all other rules, which suggest a value that this one rejects too.
  await assertGivenBackByRefund(stored.record, sent, () => readUsableStripeKeys({ store }, account));
  const now = isoFromMs(clock.now());
  const payment = withLaterTime(stored.record, apply(stored.record, now));
  const order = await findOrder(store, account, payment.order_id);
  assertNoMoneyOfDeleted(order, stored.record, payment);
  return {
    result: paymentPayload(payment),
    writes: [store.payments.replaceWrite(account, payment, stored), ...orderWrites(store, account, order, [payment], now)],
  };
};

export const payment = {
  create,
  set_status: onAccount({
    summary: "Sets a payment's status. Emits payment.updated even if the status stays the same.",
    input: record({ ...idField, status: oneOf(paymentStatuses) }),
    decide: (services, { id, status }, account) =>
      changePayment(services, account, id, { status }, (payment, now) => setPaymentStatus(payment, status, now)),
  }),
  void: onAccount({
    summary: 'Voids a payment that no gateway took. Gives no money back. A payment with refunds cannot be voided.',
    input: record(idField),
    decide: (services, { id }, account) =>
      changePayment(services, account, id, { status: 'voided' }, (payment, now) => setPaymentStatus(payment, 'voided', now)),
  }),
  correct_amount: onAccount({
    summary: 'Corrects the amount of a payment that no gateway took. It cannot be less than the amount already refunded.',
    input: record({
      ...idField,
      amount: positiveMoney(),
      ...partial({ tip_amount: notNegativeMoney(), fee_amount: notNegativeMoney() }),
    }),
    decide: (services, { id, ...correction }, account) =>
      changePayment(services, account, id, correction, (payment, now) => correctPayment(payment, correction, now)),
  }),
  refund,
};
