import { eventTypes } from '../../shared/domain/event/types.ts';
import type { Stage } from './stage.ts';

const flour = {
  type: 'ingredient',
  name: 'Flour',
  category: 'dry',
  current_stock: 20,
  reorder_point: 5,
  unit: 'kg',
  supplier_name: 'Old Mill',
};
const loaf = { name: 'Rye loaf', price: 7.5, category: 'bread' };
const sale = {
  date: '2026-03-08',
  location: 'Market square',
  items: [{ name: 'Roll', quantity: 12, unit_price: 1.5 }],
  payment_method: 'cash',
};
const expense = { amount: 62.4, date: '2026-03-09', category: 'packaging', description: 'Cake boxes', status: 'draft' };
const money = { amount: 100, method: 'card', gateway: { provider: 'stripe', transaction_id: 'ch_4711' } };

/** Runs every step in a minute of its own: it names the type to hear and the record it is about. */
const play = async ({ heard, later }: Stage, steps: readonly (readonly [type: string, act: () => Promise<{ readonly id: string }>])[]) => {
  for (const [type, act] of steps) {
    later();
    await heard(type, (await act()).id);
  }
};

/** The writes that emit each type of event, and what a receiver gets. Resolves with the id of the endpoint for all of them. */
export const playEvents = async (stage: Stage): Promise<string> => {
  const { act, call, heard, hooks, later } = stage;
  const endpoint = await call('createWebhook', 'everything', {
    summary: 'For every type',
    body: { url: `${hooks}/hooks/bakery`, events: [...eventTypes] },
    status: 201,
  });
  const made: Record<string, string> = {};
  const keep = async (name: string, record: Promise<{ readonly id: string }>) => {
    const { id } = await record;
    made[name] = id;
    return { id };
  };
  const of = (name: string, more: object = {}) => ({ id: made[name], ...more });
  const customer = { first_name: 'Jonas', last_name: 'Lind', email: 'jonas@example.com' };
  const order = { customer, items: [{ name: 'Rye loaf', quantity: 4, unit_price: 7.5 }], delivery_date: '2026-03-14' };

  await play(stage, [
    [
      'customer.created',
      () => keep('customer', call('createCustomer', 'minimal', { summary: 'A new customer', body: customer, status: 201 })),
    ],
    ['customer.updated', () => act('customer.update', of('customer', { phone: '+1 555 0101' }))],
    [
      'order.created',
      () => keep('order', call('createOrder', 'details', { summary: 'By details of the customer', body: order, status: 201 })),
    ],
    ['order.updated', () => act('order.update', of('order', { notes: 'Ring twice' }))],
    ['order.status_changed', () => act('order.set_status', of('order', { status: 'ready' }))],
    ['order.deleted', () => act('order.delete', of('order'))],
    ['product.created', () => keep('product', act('product.create', loaf))],
    ['product.updated', () => act('product.update', of('product', { price: 8 }))],
    ['product.deleted', () => act('product.delete', of('product'))],
    ['payment.created', () => keep('payment', act('payment.create', { ...money, status: 'pending' }))],
    ['payment.updated', () => act('payment.correct_amount', of('payment', { amount: 110 }))],
    ['payment.completed', () => act('payment.set_status', of('payment', { status: 'completed' }))],
    ['payment.refunded', () => act('payment.refund', of('payment', { amount: 30 }))],
    [
      'payment.failed',
      async () => {
        const { id } = await act('payment.create', { amount: 80, method: 'bank_transfer', status: 'submitted' });
        return act('payment.set_status', { id, status: 'failed' });
      },
    ],
    ['quick_sale.created', () => keep('sale', act('quick_sale.create', sale))],
    ['quick_sale.updated', () => act('quick_sale.update', of('sale', { location: 'Station' }))],
    ['quick_sale.deleted', () => act('quick_sale.delete', of('sale'))],
    ['expense.created', () => keep('expense', act('expense.create', expense))],
    ['expense.updated', () => act('expense.update', of('expense', { amount: 64 }))],
    [
      'inventory.low',
      async () => {
        const { id } = await act('inventory.put', flour);
        return act('inventory.adjust', { id, delta: -16 });
      },
    ],
  ]);
  later();
  await call('testWebhook', 'everything', { summary: 'An endpoint of every type', id: endpoint.id, status: 200 });
  await heard('webhook.test');
  return endpoint.id;
};
