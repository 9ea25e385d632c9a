import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cause, type Samples, type Writer } from '../../ops/event-causes.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { faultsOfPayload } from '../support/payloads.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'] });
});
afterAll(() => journey.stop());

const samples: Samples = {
  order: {
    customer: { first_name: 'Ada', last_name: 'Crumb', email: 'ada@example.com' },
    items: [{ name: 'Cake', quantity: 2, unit_price: 20 }],
    delivery_type: 'delivery',
    delivery_date: '2026-04-01',
    delivery_time: '10:30',
    delivery_fee: 5,
  },
  customer: { email: 'ada@example.com', tags: ['vip'], marketing_sms: true },
  product: { name: 'Tart', price: 4 },
  payment: () => ({
    amount: 40,
    method: 'card',
    method_details: { brand: 'visa', last4: '4242' },
    gateway: { provider: 'stripe', transaction_id: 'ch_1' },
  }),
  quickSale: { date: '2026-03-08', gross_sales: 10, items: [{ name: 'Roll', quantity: 2, unit_price: 5 }] },
  expense: { amount: 5, date: '2026-03-01', category: 'rent', supplier: { id: 's1', name: 'Hall' }, payment: { method: 'card' } },
  inventoryItem: {
    type: 'ingredient',
    name: 'Flour',
    category: 'dry',
    current_stock: 20,
    reorder_point: 5,
    unit: 'kg',
    supplier_name: 'Mill',
  },
};

const writerOf = (merchant: Merchant): Writer => ({
  act: merchant.act,
  create: async (what, body) => (await merchant.call('POST', `/${what}s`, body)).body,
});

test.each(eventTypes)('%s reaches its subscriber with exactly its payload members', async (type) => {
  const merchant = await journey.merchant();
  const hook = journey.receiver.hook();
  await merchant.call('POST', '/webhooks', { url: hook.url, events: [type] });
  const id = await cause(type, writerOf(merchant), samples, {});
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
