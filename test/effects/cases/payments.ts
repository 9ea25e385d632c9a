import { type Cases, type Effect, rejects } from '../case.ts';
import type { Scene } from '../scene.ts';
import type { View } from '../snapshot.ts';

/** An order of 40 by a customer, with hand-made payments. */
const paid = async (scene: Scene, ...payments: readonly object[]) => {
  const customer = await scene.customer();
  const order = await scene.order({ customer: { id: customer.id } });
  const made: View[] = [];
  for (const fields of payments) made.push(await scene.pay(order, fields));
  return { order, customer, payment: made[0], payments: made };
};

const loose = (scene: Scene, fields: object = {}) => scene.act('payment.create', { amount: 40, method: 'cash', ...fields });

/** A change of a payment: the order that shows it is saved too. */
const change = ({ id, order_id }: View, changes: object, more: readonly string[] = []): Effect => ({
  input: { id, ...changes },
  events: ['payment.updated', ...more, ...(order_id ? ['order.updated'] : [])],
  read: () => [`payment ${id}`, changes as Record<string, unknown>],
});

const create = (input: Readonly<Record<string, unknown>>, more: readonly string[] = []): Effect => ({
  input,
  events: ['payment.created', ...more, ...(input['order_id'] ? ['order.updated'] : [])],
  read: ({ id }) => [`payment ${id}`],
});

const refund = ({ id, order_id }: View, input: Readonly<Record<string, unknown>>): Effect => {
  const { gateway: _, ...shown } = input;
  return {
    input: { id, ...input },
    events: ['payment.refunded', ...(order_id ? ['order.updated'] : [])],
    read: (result) => [`payment ${result['id']}`, { ...shown, original_payment_id: id }],
  };
};

export const paymentCases = {
  'payment.create': {
    'a payment with every field': async (scene) => {
      const [{ order }, payer] = [await paid(scene), await scene.customer()];
      return create(
        {
          order_id: order.id,
          customer_id: payer.id,
          schedule_id: 'sch_1',
          amount: 40,
          tip_amount: 2,
          fee_amount: 0.7,
          method: 'bank_transfer',
          status: 'completed',
          method_details: { brand: 'visa', last4: '4242', wallet_type: 'apple_pay' },
          gateway: { provider: 'square', transaction_id: 'sq_1' },
          description: 'in <b>full</b>',
        },
        ['payment.completed'],
      );
    },
    'a payment of a part': async (scene) =>
      create({ order_id: (await paid(scene)).order.id, amount: 15, method: 'cash' }, ['payment.completed']),
    'a payment of the rest': async (scene) => {
      const { order } = await paid(scene, { amount: 15 });
      return create({ order_id: order.id, amount: 25, method: 'cash' }, ['payment.completed']);
    },
    'a payment of more than the total': async (scene) =>
      create({ order_id: (await paid(scene)).order.id, amount: 50, method: 'cash' }, ['payment.completed']),
    'a payment that waits': async (scene) =>
      create({ order_id: (await paid(scene)).order.id, amount: 40, method: 'wire_transfer', status: 'pending' }),
    'a payment that failed': async (scene) =>
      create({ order_id: (await paid(scene)).order.id, amount: 40, method: 'card', status: 'failed' }, ['payment.failed']),
    'an approved payment': async (scene) =>
      create({ order_id: (await paid(scene)).order.id, amount: 40, method: 'card', status: 'approved' }, ['payment.completed']),
    'a voided payment': async (scene) => create({ order_id: (await paid(scene)).order.id, amount: 40, method: 'card', status: 'voided' }),
    'a payment without an order': async (scene) =>
      create({ customer_id: (await scene.customer()).id, amount: 40, method: 'cash' }, ['payment.completed']),
    'a payment after a refund of the whole': async (scene) => {
      const { order, payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 40 });
      return create({ order_id: order.id, amount: 40, method: 'cash' }, ['payment.completed']);
    },
    'a payment of a disputed order': async (scene) => {
      const { order, payment } = await scene.sold();
      await scene.dispute(order.id, payment, 'needs_response');
      return create({ order_id: order.id, amount: 40, method: 'cash' }, ['payment.completed']);
    },
    'a payment of a deleted order': async (scene) => {
      const { order } = await paid(scene);
      await scene.act('order.delete', { id: order.id });
      return rejects({ order_id: order.id, amount: 40, method: 'cash' });
    },
  },
  'payment.set_status': {
    'a waiting payment that is completed': async (scene) =>
      change((await paid(scene, { status: 'pending' })).payment, { status: 'completed' }, ['payment.completed']),
    'a submitted payment that is approved': async (scene) =>
      change((await paid(scene, { status: 'submitted' })).payment, { status: 'approved' }, ['payment.completed']),
    'a submitted payment that is rejected': async (scene) =>
      change((await paid(scene, { status: 'submitted' })).payment, { status: 'failed' }, ['payment.failed']),
    'a completed payment that is completed': async (scene) => change((await paid(scene, {})).payment, { status: 'completed' }),
    'a completed payment that is completed for the third time': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.set_status', { id: payment.id, status: 'completed' });
      return { ...change(payment, { status: 'completed' }), events: ['payment.updated'] };
    },
    'a completed payment that is approved': async (scene) => change((await paid(scene, {})).payment, { status: 'approved' }),
    'a completed payment that fails': async (scene) => change((await paid(scene, {})).payment, { status: 'failed' }, ['payment.failed']),
    'a completed payment that waits again': async (scene) => change((await paid(scene, {})).payment, { status: 'pending' }),
    'one of two payments that fails': async (scene) =>
      change((await paid(scene, { amount: 15 }, { amount: 25 })).payment, { status: 'failed' }, ['payment.failed']),
    'a completed payment that is marked as refunded': async (scene) => change((await paid(scene, {})).payment, { status: 'refunded' }),
    'a payment with a refund that is approved': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return change(payment, { status: 'approved' });
    },
    'a payment with a refund of the whole that is marked as refunded': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 40 });
      return change(payment, { status: 'refunded' });
    },
    'a payment with a refund that fails': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return rejects({ id: payment.id, status: 'failed' });
    },
    'a payment without an order that fails': async (scene) => change(await loose(scene), { status: 'failed' }, ['payment.failed']),
    'a payment that Stripe took, approved': async (scene) => change((await scene.sold()).payment, { status: 'approved' }),
    'a payment that Stripe took, completed again': async (scene) => change((await scene.sold()).payment, { status: 'completed' }),
    'a payment that Stripe took, failed': async (scene) => rejects({ id: (await scene.sold()).payment.id, status: 'failed' }),
    'a payment that Stripe took, pending': async (scene) => rejects({ id: (await scene.sold()).payment.id, status: 'pending' }),
    'a payment that Stripe took, marked as refunded': async (scene) => rejects({ id: (await scene.sold()).payment.id, status: 'refunded' }),
    'a payment by hand that names a transaction of Stripe, failed': async (scene) => {
      const { payment } = await paid(scene, { gateway: { provider: 'stripe', transaction_id: 'pi_by_hand' } });
      return rejects({ id: payment.id, status: 'failed' });
    },
    'a payment of a deleted order': async (scene) => {
      const { order, payment } = await paid(scene, { status: 'pending' });
      await scene.act('order.delete', { id: order.id });
      return rejects({ id: payment.id, status: 'completed' });
    },
  },
  'payment.void': {
    'the only payment': async (scene) => {
      const { payment } = await paid(scene, {});
      return { ...change(payment, {}), read: () => [`payment ${payment.id}`, { status: 'voided', previous_status: 'completed' }] };
    },
    'one of two payments': async (scene) => change((await paid(scene, { amount: 15 }, { amount: 25 })).payment, {}),
    'a payment that waits': async (scene) => change((await paid(scene, { status: 'pending' })).payment, {}),
    'a payment that is voided twice': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.void', { id: payment.id });
      return change(payment, {});
    },
    'a payment that is voided for the third time': async (scene) => {
      const { payment } = await paid(scene, {});
      for (const _ of [1, 2]) await scene.act('payment.void', { id: payment.id });
      return { ...change(payment, {}), events: ['payment.updated'] };
    },
    'a payment without an order': async (scene) => change(await loose(scene), {}),
    'a payment that Stripe took': async (scene) => rejects({ id: (await scene.sold()).payment.id }),
    'a payment with a refund': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return rejects({ id: payment.id });
    },
  },
  'payment.correct_amount': {
    'amount, tip and fee': async (scene) => change((await paid(scene, {})).payment, { amount: 30, tip_amount: 3, fee_amount: 0.5 }),
    'a greater amount that reaches the total': async (scene) => change((await paid(scene, { amount: 15 })).payment, { amount: 40 }),
    'the stored amount': async (scene) => change((await paid(scene, {})).payment, { amount: 40 }),
    'the stored amount twice': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.correct_amount', { id: payment.id, amount: 40 });
      return { ...change(payment, { amount: 40 }), events: ['payment.updated'] };
    },
    'a payment that waits': async (scene) => change((await paid(scene, { status: 'pending' })).payment, { amount: 30 }),
    'a payment that was given back in part, to what was given back': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return change(payment, { amount: 5 });
    },
    'a payment without an order': async (scene) => change(await loose(scene), { amount: 30 }),
    'a payment that Stripe took': async (scene) => rejects({ id: (await scene.sold()).payment.id, amount: 12 }),
    'the fee of a payment that Stripe took': async (scene) => rejects({ id: (await scene.sold()).payment.id, amount: 13, fee_amount: 0.5 }),
    'the tip of a payment that Stripe took': async (scene) => rejects({ id: (await scene.sold()).payment.id, amount: 13, tip_amount: 1 }),
    'the stored values of a payment that Stripe took': async (scene) => {
      const { payment } = await scene.sold();
      return change(payment, { amount: 13, tip_amount: 0, fee_amount: payment.fee_amount });
    },
  },
  'payment.refund': {
    'a part': async (scene) => refund((await paid(scene, {})).payment, { amount: 5, description: '<i>stale</i>' }),
    'the whole': async (scene) => refund((await paid(scene, {})).payment, { amount: 40 }),
    'the whole with its tip': async (scene) => refund((await paid(scene, { tip_amount: 2 })).payment, { amount: 42 }),
    'the amount without its tip': async (scene) => refund((await paid(scene, { tip_amount: 2 })).payment, { amount: 40 }),
    'the rest': async (scene) => {
      const { payment } = await paid(scene, {});
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return refund(payment, { amount: 35 });
    },
    'one of two payments': async (scene) => refund((await paid(scene, { amount: 15 }, { amount: 25 })).payment, { amount: 15 }),
    'a payment without an order': async (scene) => refund(await loose(scene), { amount: 5 }),
    'a part of what Stripe took': async (scene) => refund((await scene.sold()).payment, { amount: 5, description: 'stale' }),
    'the whole of what Stripe took': async (scene) => refund((await scene.sold()).payment, { amount: 13 }),
    'a disputed payment': async (scene) => {
      const { order, payment } = await scene.sold();
      await scene.dispute(order.id, payment, 'needs_response');
      return refund(payment, { amount: 5 });
    },
    'a part that is recorded only': async (scene) => refund((await scene.sold()).payment, { amount: 5, gateway: false }),
    'a part that Stripe decides later': async (scene) => {
      const { payment } = await scene.sold();
      scene.t.stripe.refundsBecome('pending');
      return { input: { id: payment.id, amount: 5 }, events: [] };
    },
    'more than was paid': async (scene) => rejects({ id: (await paid(scene, {})).payment.id, amount: 41 }, 'amount', 400),
  },
} satisfies Record<string, Cases>;
