import { type Cases, rejects } from '../case.ts';
import type { Scene } from '../scene.ts';

const everyField = {
  first_name: 'Cleo',
  last_name: 'Lind',
  phone: '+1 555 0177',
  company: 'Crust',
  tags: ['new'],
  is_blacklisted: true,
  marketing_email: true,
  marketing_sms: false,
  external_id: 'till 7',
  notes: '<b>late</b>',
  address: { line1: '1 Mill Lane', city: 'Crumbton' },
  metadata: { till: '7' },
};
const custom_fields = { of_customer: 'Lemon' };

const ada = { first_name: 'Ada', last_name: 'Lovelace', phone: '+1 555 0199', notes: 'Ada likes rye' };

/** A customer with personal texts everywhere: orders, payments, a fee, a cart. */
const known = async (scene: Scene) => {
  const customer = await scene.customer(ada);
  const order = await scene.order({
    customer: { id: customer.id },
    items: [{ name: 'Cake for Ada Lovelace', quantity: 1, unit_price: 40 }],
    notes: 'Ring for Ada',
    external_id: 'ada 1',
  });
  const payment = await scene.pay(order, { amount: 15, description: 'of Ada Lovelace' });
  return { customer, order, payment };
};

export const peopleCases = {
  'customer.update': {
    'every field': async (scene) => {
      const { id } = await scene.customer();
      const email = `cleo.${id.slice(-8)}@example.com`;
      return {
        input: { id, ...everyField, email },
        events: ['customer.updated'],
        read: () => [`customer ${id}`, { ...everyField, email }],
      };
    },
    'the custom fields': async (scene) => {
      const { id } = await scene.customer();
      return { input: { id, custom_fields }, events: ['customer.updated'], read: () => [`customer ${id}`, { custom_fields }] };
    },
    'the stored values': async (scene) => {
      const { id, email } = await scene.customer(everyField);
      return { input: { id, ...everyField, email }, events: [] };
    },
    'a customer with orders': async (scene) => {
      const { customer } = await known(scene);
      return {
        input: { id: customer.id, last_name: 'King' },
        events: ['customer.updated'],
        read: () => [`customer ${customer.id}`, { last_name: 'King' }],
      };
    },
    'the email of another customer': async (scene) => {
      const [{ id }, other] = [await scene.customer(), await scene.customer()];
      return rejects({ id, email: other.email });
    },
  },
  'customer.export': { 'a customer with an order': async (scene) => ({ input: { id: (await known(scene)).customer.id } }) },
  'customer.erase': {
    'a customer without records': async (scene) => {
      const { id } = await scene.customer(everyField);
      return {
        input: { id },
        events: ['customer.updated'],
        read: () => [`customer ${id}`, { first_name: null, email: null, notes: null }],
      };
    },
    'a customer with an order and its payment': async (scene) => {
      const { customer, order } = await known(scene);
      return {
        input: { id: customer.id },
        events: ['customer.updated', 'order.updated'],
        read: () => [`order ${order.id}`, { customer_name: null, customer_email: null, notes: null, external_id: null }],
      };
    },
    'a customer with an order that is cancelled, and a deleted one': async (scene) => {
      const { customer, order } = await known(scene);
      await scene.act('order.set_status', { id: order.id, status: 'cancelled' });
      const other = await scene.order({ customer: { id: customer.id } });
      await scene.act('order.delete', { id: other.id });
      return { input: { id: customer.id }, events: ['customer.updated', 'order.updated'] };
    },
    'a customer with a payment without an order': async (scene) => {
      const { id } = await scene.customer(ada);
      const payment = await scene.act('payment.create', { customer_id: id, amount: 4, method: 'cash', description: 'of Ada' });
      return { input: { id }, events: ['customer.updated'], read: () => [`payment ${payment.id}`, { description: null, amount: 4 }] };
    },
    'a customer whom a fee names': async (scene) => {
      const { customer, order } = await known(scene);
      await scene.act('gateway_fee.record', {
        order_id: order.id,
        order_label: 'Ada Lovelace',
        gateway: 'stripe',
        amount: 0.3,
        date: '2026-03-05',
      });
      return {
        input: { id: customer.id },
        events: ['customer.updated', 'order.updated', 'expense.updated'],
        read: () => ['expense gateway_fees_2026-03-05', { line_items: [{ order_label: order.friendly_order_number }] }],
      };
    },
    'a customer with a cart that is open': async (scene) => {
      const { id, email } = await scene.customer(ada);
      await scene.cart({ customer: { ...ada, notes: undefined, email } });
      return { input: { id }, events: ['customer.updated'] };
    },
    'a customer who paid at Stripe': async (scene) => {
      const { email, id } = await scene.customer(ada);
      const { order } = await scene.sold({ customer: { first_name: 'Ada', last_name: 'Lovelace', email } });
      return {
        input: { id },
        events: ['customer.updated', 'order.updated'],
        read: () => [`order ${order.id}`, { customer_name: null, customer_email: null, payment_status: 'paid' }],
      };
    },
    'a customer who was erased': async (scene) => {
      const { customer } = await known(scene);
      await scene.act('customer.erase', { id: customer.id });
      return { input: { id: customer.id }, events: [] };
    },
    'a customer whose phone another customer has': async (scene) => {
      const { customer } = await known(scene);
      const ben = await scene.customer({ first_name: 'Ben', last_name: 'Lovelace', phone: ada.phone });
      const order = await scene.order({ customer: { id: ben.id } });
      return {
        input: { id: customer.id },
        events: ['customer.updated', 'order.updated'],
        read: () => [`order ${order.id}`, { customer_phone: ada.phone }],
      };
    },
  },
} satisfies Record<string, Cases>;

export const peopleRequests: Cases = {
  'POST /customers with every field': (scene) => ({
    run: () => scene.send('POST', '/customers', { ...everyField, email: `new.${scene.account.slice(-8)}@example.com` }),
    events: ['customer.created'],
    read: ({ id }) => [`customer ${id}`, { ...everyField, email: `new.${scene.account.slice(-8)}@example.com` }],
  }),
  'POST /customers with custom fields': (scene) => ({
    run: () => scene.send('POST', '/customers', { last_name: 'Lind', custom_fields }),
    events: ['customer.created'],
    read: ({ id }) => [`customer ${id}`, { custom_fields }],
  }),
  'POST /customers with an email that is taken': async (scene) => {
    const { email } = await scene.customer();
    return { run: () => scene.request('POST', '/customers', { email }), events: [] };
  },
};
