import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EventType, eventTypes } from '../../shared/domain/event/types.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { faultsOfPayload } from '../support/payloads.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'] });
});
afterAll(() => journey.stop());

interface Made {
  readonly id: string;
}

const tart = { name: 'Tart', price: 4 };
const sale = { date: '2026-03-08', gross_sales: 10, items: [{ name: 'Roll', quantity: 2, unit_price: 5 }] };
const expense = { amount: 5, date: '2026-03-01', category: 'rent', supplier: { id: 's1', name: 'Hall' }, payment: { method: 'card' } };
const flour = {
  type: 'ingredient',
  name: 'Flour',
  category: 'dry',
  current_stock: 20,
  reorder_point: 5,
  unit: 'kg',
  supplier_name: 'Mill',
};

const post = async (merchant: Merchant, path: string, body: unknown): Promise<Made> => (await merchant.call('POST', path, body)).body;
const order = (merchant: Merchant) =>
  post(merchant, '/orders', {
    customer: { first_name: 'Ada', last_name: 'Crumb', email: 'ada@example.com' },
    items: [{ name: 'Cake', quantity: 2, unit_price: 20 }],
    delivery_type: 'delivery',
    delivery_date: '2026-04-01',
    delivery_time: '10:30',
    delivery_fee: 5,
  });
const payment = (merchant: Merchant, status: string): Promise<Made> =>
  merchant.act('payment.create', {
    amount: 10,
    method: 'card',
    status,
    method_details: { brand: 'visa', last4: '4242' },
    gateway: { provider: 'stripe', transaction_id: 'ch_1' },
  });

/** For each type a write that causes it, over HTTP or as a dashboard action; the record that the event is about. */
const causes: Readonly<Record<EventType, (merchant: Merchant) => Promise<Made>>> = {
  'order.created': order,
  'order.updated': async (merchant) => merchant.act('order.update', { id: (await order(merchant)).id, notes: 'ring twice' }),
  'order.status_changed': async (merchant) => merchant.act('order.set_status', { id: (await order(merchant)).id, status: 'ready' }),
  'order.deleted': async (merchant) => merchant.act('order.delete', { id: (await order(merchant)).id }),
  'customer.created': (merchant) => post(merchant, '/customers', { email: 'ada@example.com', tags: ['vip'], marketing_sms: true }),
  'customer.updated': async (merchant) =>
    merchant.act('customer.update', { id: (await post(merchant, '/customers', { last_name: 'Crumb' })).id, phone: '1' }),
  'product.created': (merchant) => merchant.act('product.create', tart),
  'product.updated': async (merchant) => merchant.act('product.update', { id: (await merchant.act('product.create', tart)).id }),
  'product.deleted': async (merchant) => merchant.act('product.delete', { id: (await merchant.act('product.create', tart)).id }),
  'payment.created': (merchant) => payment(merchant, 'pending'),
  'payment.updated': async (merchant) => merchant.act('payment.void', { id: (await payment(merchant, 'completed')).id }),
  'payment.completed': async (merchant) =>
    merchant.act('payment.set_status', { id: (await payment(merchant, 'pending')).id, status: 'completed' }),
  'payment.failed': async (merchant) =>
    merchant.act('payment.set_status', { id: (await payment(merchant, 'submitted')).id, status: 'failed' }),
  'payment.refunded': async (merchant) => merchant.act('payment.refund', { id: (await payment(merchant, 'completed')).id, amount: 4 }),
  'quick_sale.created': (merchant) => merchant.act('quick_sale.create', sale),
  'quick_sale.updated': async (merchant) =>
    merchant.act('quick_sale.update', { id: (await merchant.act('quick_sale.create', sale)).id, location: 'Square' }),
  'quick_sale.deleted': async (merchant) => merchant.act('quick_sale.delete', { id: (await merchant.act('quick_sale.create', sale)).id }),
  'expense.created': (merchant) => post(merchant, '/expenses', expense),
  'expense.updated': async (merchant) => merchant.act('expense.update', { id: (await post(merchant, '/expenses', expense)).id, amount: 6 }),
  'inventory.low': async (merchant) =>
    merchant.act('inventory.adjust', { id: (await merchant.act('inventory.put', flour)).id, delta: -15 }),
};

test.each(eventTypes)('%s reaches its subscriber with exactly its payload members', async (type) => {
  const merchant = await journey.merchant();
  const hook = journey.receiver.hook();
  await merchant.call('POST', '/webhooks', { url: hook.url, events: [type] });
  const { id } = await causes[type](merchant);
  await eventually(
    () => hook.requests.length,
    (count) => count > 0,
  );
  const [request] = hook.requests;
  const event = JSON.parse(request?.body.toString() ?? '');
  expect(event).toEqual({
    id: request?.headers['x-webhook-id'],
    type,
    created: expect.any(Number),
    api_version: 'v1',
    data: { object: expect.objectContaining({ id }) },
    tenant_id: merchant.account,
  });
  expect(faultsOfPayload(type, event.data.object)).toEqual([]);
});
