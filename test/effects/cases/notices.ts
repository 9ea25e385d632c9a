import { approveCard, pendingCard } from '../../checkout-page/page.ts';
import type { Cases, Effect } from '../case.ts';
import type { Scene } from '../scene.ts';
import type { View } from '../snapshot.ts';

/** Reports a refund that was made in Stripe's dashboard. */
const refundAt = ({ t }: Scene, payment: View, amount: number, fields: object = {}) => {
  t.stripe.refundsBecome('succeeded');
  return t.stripe.refundAt(payment.gateway.transaction_id, amount * 100, fields);
};

const refundNotice = (scene: Scene, order: View, refund: object, type = 'refund.created'): Effect => ({
  run: () => scene.notify(type, refund),
  events: ['payment.refunded', 'order.updated'],
  read: () => [`order ${order.id}`, {}],
});

const disputed = (scene: Scene, order: View, payment: View, status: string, id?: string): Effect => ({
  run: () => scene.dispute(order.id, payment, status, id),
  events: ['order.updated'],
});

/** A cart that is being paid at Stripe; `settle` ends the payment there and reports it. */
const paying = async (scene: Scene, fields: Record<string, unknown> = {}) => {
  const counter = await scene.cart(fields);
  await counter.pay('');
  const page = await counter.hosted();
  return {
    counter,
    pay: () => scene.t.stripe.pay(page),
    settle: async (type = 'completed') => {
      const status = await counter.notify(type, page);
      if (status !== 200) throw new Error(`${type}: ${status}`);
      return { id: (await counter.session()).order_id };
    },
  };
};

const zyx = { first_name: 'Zyx', last_name: 'Crumb', email: 'zyx@example.com', phone: '+1 555 0123', company: 'Crust' };
const wishes = {
  customer: zyx,
  notes: 'Ring <i>twice</i>',
  custom_fields: { of_order: 'Happy birthday' },
  external_id: 'cart 7',
  metadata: { till: '7' },
};
const sale = ['order.created', 'payment.created', 'payment.completed', 'customer.created'];

export const noticeCases: Cases = {
  'checkout.session.completed of a cart with every field': async (scene) => {
    const { pay, settle } = await paying(scene, wishes);
    pay();
    const { customer, ...rest } = wishes;
    const shows = {
      ...rest,
      customer_name: 'Zyx Crumb',
      customer_email: customer.email,
      customer_phone: customer.phone,
      payment_status: 'paid',
    };
    return {
      run: () => settle(),
      events: [...sale, 'expense.created'],
      read: ({ id }) => [
        `order ${id}`,
        { ...shows, metadata: rest.metadata, total: 13, delivery_date: '2030-03-14', delivery_time: '08:00' },
      ],
    };
  },
  'checkout.session.completed of a cart by a known customer': async (scene) => {
    const known = await scene.customer({ phone: '+1 555 0100' });
    const { pay, settle } = await paying(scene, { customer: { first_name: 'Ada', last_name: 'Crumb', email: known.email } });
    pay();
    return {
      run: () => settle(),
      events: [...sale.slice(0, 3), 'expense.created'],
      read: ({ id }) => [`order ${id}`, { customer_id: known.id, customer_phone: '+1 555 0100' }],
    };
  },
  'checkout.session.completed of the second cart of a day': async (scene) => {
    await scene.sold({ customer: zyx });
    const { pay, settle } = await paying(scene, { customer: zyx });
    pay();
    return { run: () => settle(), events: [...sale.slice(0, 3), 'expense.updated'] };
  },
  'checkout.session.completed whose fee is in another currency than the day': async (scene) => {
    await scene.act('account.update', { currency: 'JPY' });
    const today = new Date(scene.t.world.clock.now()).toISOString().slice(0, 10);
    await scene.act('gateway_fee.record', { order_id: 'ord_0', order_label: '#0', gateway: 'stripe', amount: 29, date: today });
    await scene.act('account.update', { currency: 'USD' });
    const { pay, settle } = await paying(scene, { customer: zyx });
    pay();
    return { run: () => settle(), events: sale };
  },
  'checkout.session.completed that is repeated': async (scene) => {
    const { pay, settle } = await paying(scene);
    pay();
    await settle();
    return { run: () => settle(), events: [] };
  },
  'checkout.session.async_payment_succeeded': async (scene) => {
    const { pay, settle } = await paying(scene, { customer: zyx });
    pay();
    return { run: () => settle('async_payment_succeeded'), events: [...sale, 'expense.created'] };
  },
  'checkout.session.async_payment_failed': async (scene) => {
    const { settle } = await paying(scene);
    return { run: () => settle('async_payment_failed'), events: [] };
  },
  'checkout.session.expired': async (scene) => {
    const { settle } = await paying(scene);
    return { run: () => settle('expired'), events: [] };
  },
  'refund.created of a part': async (scene) => {
    const { order, payment } = await scene.sold();
    return refundNotice(scene, order, refundAt(scene, payment, 5));
  },
  'refund.created of the whole': async (scene) => {
    const { order, payment } = await scene.sold();
    return refundNotice(scene, order, refundAt(scene, payment, 13));
  },
  'charge.refunded of a part': async (scene) => {
    const { order, payment } = await scene.sold();
    return refundNotice(scene, order, { id: refundAt(scene, payment, 5).charge }, 'charge.refunded');
  },
  'refund.created that is repeated': async (scene) => {
    const { payment } = await scene.sold();
    const refund = refundAt(scene, payment, 5);
    await scene.notify('refund.created', refund);
    return { run: () => scene.notify('refund.updated', refund), events: [] };
  },
  'refund.updated of a refund that payment.refund began': async (scene) => {
    const { order, payment } = await scene.sold();
    scene.t.stripe.refundsBecome('pending');
    const { id } = await scene.act('payment.refund', { id: payment.id, amount: 5, description: 'late' });
    scene.t.stripe.refundsBecome('succeeded');
    const refund = scene.t.stripe.refunds.at(-1);
    refund.status = 'succeeded';
    return { ...refundNotice(scene, order, refund, 'refund.updated'), read: () => [`payment ${id}`, { amount: 5, description: 'late' }] };
  },
  'refund.failed of a refund that payment.refund began': async (scene) => {
    const { payment } = await scene.sold();
    scene.t.stripe.refundsBecome('pending');
    await scene.act('payment.refund', { id: payment.id, amount: 5 });
    scene.t.stripe.refundsBecome('succeeded');
    const refund = scene.t.stripe.refunds.at(-1);
    refund.status = 'failed';
    return { run: () => scene.notify('refund.failed', refund), events: [] };
  },
  'refund.failed after the refund succeeded': async (scene) => {
    const { payment } = await scene.sold();
    await scene.act('payment.refund', { id: payment.id, amount: 13 });
    const refund = scene.t.stripe.refunds.at(-1);
    refund.status = 'failed';
    return { run: () => scene.notify('refund.failed', refund), events: ['payment.updated', 'payment.failed', 'order.updated'] };
  },
  'refund.failed of one of two refunds': async (scene) => {
    const { payment } = await scene.sold();
    await scene.act('payment.refund', { id: payment.id, amount: 5 });
    await scene.act('payment.refund', { id: payment.id, amount: 8 });
    const refund = scene.t.stripe.refunds.at(-1);
    refund.status = 'failed';
    return { run: () => scene.notify('refund.failed', refund), events: ['payment.updated', 'payment.failed', 'order.updated'] };
  },
  'refund.created of what was recorded with gateway: false': async (scene) => {
    const { payment } = await scene.sold();
    await scene.act('payment.refund', { id: payment.id, amount: 13, gateway: false });
    const refund = refundAt(scene, payment, 13);
    return { run: () => scene.notify('refund.created', refund), events: ['order.updated'] };
  },
  'charge.dispute.created': async (scene) => {
    const { order, payment } = await scene.sold();
    return disputed(scene, order, payment, 'needs_response');
  },
  'charge.dispute.updated that is repeated': async (scene) => {
    const { order, payment } = await scene.sold();
    await scene.dispute(order.id, payment, 'needs_response');
    return { ...disputed(scene, order, payment, 'needs_response'), events: [] };
  },
  'charge.dispute.updated of an inquiry': async (scene) => {
    const { order, payment } = await scene.sold();
    return { ...disputed(scene, order, payment, 'warning_needs_response'), events: [] };
  },
  'charge.dispute.closed of a lost dispute': async (scene) => {
    const { order, payment } = await scene.sold();
    await scene.dispute(order.id, payment, 'needs_response');
    return disputed(scene, order, payment, 'lost');
  },
  'charge.dispute.closed of a won dispute': async (scene) => {
    const { order, payment } = await scene.sold();
    await scene.dispute(order.id, payment, 'needs_response');
    return disputed(scene, order, payment, 'won');
  },
  'charge.dispute.closed of a won dispute after the total rose': async (scene) => {
    const { order, payment } = await scene.sold();
    await scene.dispute(order.id, payment, 'needs_response');
    await scene.act('order.update', { id: order.id, tax: 5 });
    return disputed(scene, order, payment, 'won');
  },
  'charge.dispute.closed of a won dispute after a refund': async (scene) => {
    const { order, payment } = await scene.sold();
    await scene.dispute(order.id, payment, 'needs_response');
    await scene.act('payment.refund', { id: payment.id, amount: 5 });
    return disputed(scene, order, payment, 'won');
  },
  'charge.dispute.closed of one of two disputes': async (scene) => {
    const { order, payment } = await scene.sold();
    for (const id of ['dp_1', 'dp_2']) await scene.dispute(order.id, payment, 'needs_response', id);
    // "A dispute writes the order only and emits order.updated", also if the order shows nothing new.
    return { ...disputed(scene, order, payment, 'won'), saved: [`order ${order.id}`] };
  },
  'approve of the sandbox': async (scene) => {
    await scene.act('settings.put', { checkout: { gateway: 'sandbox' } });
    const counter = await scene.cart({ customer: zyx, delivery_time: undefined });
    await counter.pay(pendingCard);
    return {
      run: async () => {
        await counter.decide('approve');
        return { id: (await counter.session()).order_id };
      },
      events: [...sale, 'expense.created'],
      read: ({ id }) => [`order ${id}`, { payment_status: 'paid', payment_method: 'card' }],
    };
  },
  'decline of the sandbox': async (scene) => {
    await scene.act('settings.put', { checkout: { gateway: 'sandbox' } });
    const counter = await scene.cart({ delivery_time: undefined });
    await counter.pay(pendingCard);
    return { run: () => counter.decide('decline'), events: [] };
  },
  'a card that the sandbox approves at once': async (scene) => {
    await scene.act('settings.put', { checkout: { gateway: 'sandbox' } });
    const counter = await scene.cart({ customer: zyx, delivery_time: undefined });
    return { run: () => counter.pay(approveCard), events: [...sale, 'expense.created'] };
  },
};
