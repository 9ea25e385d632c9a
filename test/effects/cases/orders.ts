import { type Cases, type Effect, rejects } from '../case.ts';
import type { Scene } from '../scene.ts';

const everyField = {
  items: [
    { product_id: null, variant_id: null, name: 'Tart', quantity: 2, unit_price: 12.5, notes: '<b>thin</b>' },
    { name: 'Bun', quantity: 1, unit_price: 3 },
  ],
  status: 'confirmed',
  payment_status: 'overdue',
  external_id: 'till 7',
  tax: 2,
  delivery_fee: 3.5,
  discount: 1,
  delivery_type: 'delivery',
  delivery_date: '2030-03-28',
  delivery_time: '11:00',
  order_type: 'wedding',
  payment_method: 'on account',
  event_category: 'Wedding',
  delivery_address: { line1: '1 Mill Lane', city: 'Crumbton' },
  notes: 'Ring <i>twice</i>',
  custom_fields: { of_order: 'Happy birthday' },
  metadata: { till: '7' },
};

const change = (order: { readonly id: string }, changes: object, events = ['order.updated']): Effect => ({
  input: { id: order.id, ...changes },
  events,
  read: () => [`order ${order.id}`, changes as Record<string, unknown>],
});

/** An order of a customer who has another one. */
const sold = async (scene: Scene, fields: object = {}) => {
  const customer = await scene.customer();
  await scene.order({ customer: { id: customer.id } });
  const order = await scene.order({ customer: { id: customer.id }, ...fields });
  return { customer, order };
};

/** An order with a hand-made payment of the given amount. */
const paid = async (scene: Scene, amount: number, fields: object = {}) => {
  const { customer, order } = await sold(scene, fields);
  const payment = await scene.pay(order, { amount });
  return { customer, order, payment };
};

const move = (to: string, fields: object = {}): Cases[string] =>
  async function moves(scene) {
    const { order } = await sold(scene, fields);
    return { ...change(order, { status: to }, ['order.updated', 'order.status_changed']) };
  };

export const orderCases = {
  'order.update': {
    'an update of every field': async (scene) => {
      const { order } = await sold(scene);
      return change(order, everyField, ['order.updated', 'order.status_changed']);
    },
    'an update with the stored values': async (scene) => {
      const { order } = await sold(scene, { notes: 'Ring', metadata: { a: 'b' } });
      return change(
        order,
        { notes: 'Ring', metadata: { a: 'b' }, status: order.status, items: order.items.map(({ id }: { id: string }) => ({ id })) },
        [],
      );
    },
    'an update of the notes of a paid order': async (scene) => {
      const { order } = await paid(scene, 40);
      return change(order, { notes: 'Ring' });
    },
    'an update that raises the total above what was paid': async (scene) => {
      const { order } = await paid(scene, 40);
      return change(order, { tax: 5 });
    },
    'an update that lowers the total to what was paid': async (scene) => {
      const { order } = await paid(scene, 25);
      return change(order, { discount: 15 });
    },
    'an update that raises the total of an unpaid order': async (scene) => {
      const { order } = await sold(scene, { payment_status: 'overdue' });
      return change(order, { tax: 5 });
    },
    'an update that sends a payment status beside a new total': async (scene) => {
      const { order } = await paid(scene, 40);
      return change(order, { tax: 5, payment_status: 'overdue' });
    },
    'an update of the total of an order with a refund': async (scene) => {
      const { order, payment } = await paid(scene, 40);
      await scene.act('payment.refund', { id: payment.id, amount: 5 });
      return change(order, { tax: 5 });
    },
    'an update of the total of a disputed order': async (scene) => {
      const { order, payment } = await scene.sold();
      await scene.dispute(order.id, payment, 'needs_response');
      return change(order, { tax: 5 });
    },
    'an update of the total of a cancelled order': async (scene) => {
      const { order } = await sold(scene);
      await scene.act('order.set_status', { id: order.id, status: 'cancelled' });
      return change(order, { tax: 5 });
    },
  },
  'order.set_status': {
    'a step of an order': move('confirmed'),
    'a cancellation': move('cancelled'),
    'a cancellation of a paid order': async (scene) => {
      const { order } = await paid(scene, 40);
      return change(order, { status: 'cancelled' }, ['order.updated', 'order.status_changed']);
    },
    'a step that is repeated': async (scene) => {
      const { order } = await sold(scene, { status: 'draft' });
      return change(order, { status: 'draft' }, []);
    },
    'a draft that becomes pending': move('pending', { status: 'draft' }),
  },
  'order.delete': {
    'a deletion of an unpaid order': async (scene) => {
      const { order } = await sold(scene);
      return { input: { id: order.id }, events: ['order.deleted'], gone: [`order ${order.id}`] };
    },
    'a deletion of an order with a voided payment': async (scene) => {
      const { order, payment } = await paid(scene, 40);
      await scene.act('payment.void', { id: payment.id });
      return { input: { id: order.id }, events: ['order.deleted'], gone: [`order ${order.id}`] };
    },
    'a deletion of a cancelled order': async (scene) => {
      const { order } = await sold(scene);
      await scene.act('order.set_status', { id: order.id, status: 'cancelled' });
      return { input: { id: order.id }, events: ['order.deleted'], gone: [`order ${order.id}`] };
    },
    'a deletion of a paid order': async (scene) => {
      const { order } = await paid(scene, 40);
      return rejects({ id: order.id });
    },
    'a deletion of an order that Stripe was paid': async (scene) => rejects({ id: (await scene.sold()).order.id }),
    'a deletion of an order whose payment was given back whole': async (scene) => {
      const { order, payment } = await paid(scene, 40);
      await scene.act('payment.refund', { id: payment.id, amount: 40 });
      return { input: { id: order.id }, events: ['order.deleted'], gone: [`order ${order.id}`] };
    },
  },
} satisfies Record<string, Cases>;

export const orderRequests: Cases = {
  'POST /orders with every field': async (scene) => {
    const customer = await scene.customer();
    const { status, ...others } = everyField;
    return {
      run: () =>
        scene.send('POST', '/orders', {
          ...others,
          status,
          customer: { id: customer.id },
          currency: 'USD',
          payments: [
            {
              amount: 10,
              method: 'card',
              status: 'completed',
              tip_amount: 1,
              fee_amount: 0.5,
              description: 'first',
              method_details: { brand: 'visa', last4: '4242', wallet_type: 'apple_pay' },
              gateway: { provider: 'square', transaction_id: 'sq_1' },
            },
            { amount: 5, method: 'cash', status: 'failed' },
          ],
          emit_webhooks: true,
        }),
      input: { payment_status: 'overdue' },
      events: ['order.created', 'payment.created', 'payment.completed', 'payment.created', 'payment.failed'],
      read: ({ id }) => [
        `order ${id}`,
        {
          ...everyField,
          customer_id: customer.id,
          currency: 'USD',
          payments: [
            {
              amount: 10,
              method: 'card',
              status: 'completed',
              tip_amount: 1,
              fee_amount: 0.5,
              description: 'first',
              method_details: { brand: 'visa', last4: '4242', wallet_type: 'apple_pay' },
              gateway: { provider: 'square', transaction_id: 'sq_1' },
            },
            { amount: 5, method: 'cash', status: 'failed' },
          ],
        },
      ],
    };
  },
  'POST /orders without emit_webhooks, by a new customer': (scene) => ({
    run: () =>
      scene.send('POST', '/orders', {
        customer: {
          first_name: 'Cy',
          last_name: 'Lind',
          email: `cy@${scene.account.slice(-6).replaceAll('_', 'x')}.example.com`,
          phone: '+1 555 0100',
          company: 'Crust',
        },
        items: [{ name: 'Cake', quantity: 3, unit_price: 4 }],
        payments: [{ amount: 12, method: 'cash', status: 'completed' }],
      }),
    events: ['order.created', 'customer.created'],
    read: ({ id }) => [`order ${id}`, { customer_name: 'Cy Lind', customer_phone: '+1 555 0100' }],
  }),
  'POST /orders of a walk-in who pays in part': (scene) => ({
    run: () =>
      scene.send('POST', '/orders', {
        items: [{ product_id: 'prd_bread', quantity: 2 }],
        payment_status: 'partial_payment',
        payments: [{ amount: 1 }],
      }),
    input: { payment_status: 'partial_payment' },
    events: ['order.created'],
    read: ({ id }) => [`order ${id}`, { payment_status: 'partial_payment', total: 13 }],
  }),
};
