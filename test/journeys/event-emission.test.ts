import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { faultsOfPayload } from '../contract/specification.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import type { Hook } from '../support/receiver.ts';

let journey: Journey;
let merchant: Merchant;
let hook: Hook;
let endpoint: string;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'] });
});
beforeEach(async () => {
  merchant = await journey.merchant();
  hook = journey.receiver.hook();
  endpoint = (await merchant.call('POST', '/webhooks', { url: hook.url, events: eventTypes })).body.id;
});
afterAll(() => journey.stop());

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly api_version: string;
  readonly created: number;
  readonly tenant_id: string;
  readonly data: { readonly object: Readonly<Record<string, any>> };
}

const heard = (): readonly Heard[] => hook.requests.map(({ body }) => JSON.parse(body.toString()) as Heard);
const told = new Set<string>();

let fences = 0;
/**
 * What a write told. An expense is written after it: the stream is read in the order of the writes, so once that one arrives, the
 * endpoint's log has every event of the write, and all of them are waited for.
 */
const toldBy = async (write: () => Promise<unknown>, expected: readonly string[]): Promise<readonly Heard[]> => {
  await write();
  fences += 1;
  const description = `fence ${fences}`;
  await merchant.call('POST', '/expenses', { amount: 1, date: '2026-03-01', category: 'rent', description });
  const isFence = ({ data }: Heard) => data.object['description'] === description;
  await eventually(heard, (events) => events.some(isFence));
  const { body } = await merchant.call('GET', `/webhooks/${endpoint}/events?limit=100`);
  const ids = (body.data as { id: string }[]).map(({ id }) => id).filter((id) => !told.has(id));
  const all = await eventually(heard, (events) => ids.every((id) => events.some((event) => event.id === id)));
  for (const id of ids) told.add(id);
  const events = ids.flatMap((id) => all.find((event) => event.id === id) ?? []).filter((event) => !isFence(event));
  expect(events.map(({ type }) => type).sort()).toEqual([...expected].sort());
  for (const { type, data } of events) expect([type, faultsOfPayload(type, data.object)]).toEqual([type, []]);
  return events;
};

const objectOf = (events: readonly Heard[], type: string) => events.find((event) => event.type === type)?.data.object;
const item = { name: 'Cake', quantity: 2, unit_price: 20 };
const postOrder = async (members: object = {}) => {
  const { status, body } = await merchant.call('POST', '/orders', { items: [item], ...members });
  expect([status, body]).toEqual([201, body]);
  return body as Record<string, any>;
};

describe('orders', () => {
  test('POST /orders is order.created; every save is order.updated, a move order.status_changed besides; the end is order.deleted alone', async () => {
    let order: Record<string, any> = {};
    const created = await toldBy(async () => {
      order = await postOrder();
    }, ['order.created']);
    expect(objectOf(created, 'order.created')).toMatchObject({
      id: order['id'],
      status: 'pending',
      total: 40,
      items_count: 1,
      source: 'api',
    });
    const { id } = order;
    const updated = await toldBy(() => merchant.act('order.update', { id, notes: 'ring twice', tax: 1 }), ['order.updated']);
    expect(objectOf(updated, 'order.updated')).toMatchObject({ id, total: 41 });
    const moved = await toldBy(() => merchant.act('order.set_status', { id, status: 'ready' }), ['order.updated', 'order.status_changed']);
    expect(objectOf(moved, 'order.status_changed')).toMatchObject({ id, status: 'ready', previous_status: 'pending' });
    expect(objectOf(moved, 'order.updated')).not.toHaveProperty('previous_status');
    const deleted = await toldBy(() => merchant.act('order.delete', { id }), ['order.deleted']);
    expect(objectOf(deleted, 'order.deleted')).toMatchObject({ id, status: 'ready' });
  });

  test('a refused move tells nothing', async () => {
    const { id } = await postOrder({ status: 'completed' });
    await toldBy(async () => {
      await expect(merchant.act('order.set_status', { id, status: 'pending' })).rejects.toThrow('conflict');
    }, ['order.created']);
  });
});

test('customers: POST /customers is customer.created, a save customer.updated; what orders count is silent', async () => {
  let id = '';
  const created = await toldBy(async () => {
    id = (await merchant.call('POST', '/customers', { email: 'ada@example.com', tags: ['vip'] })).body.id;
  }, ['customer.created']);
  expect(objectOf(created, 'customer.created')).toMatchObject({
    id,
    tags: ['vip'],
    total_orders: 0,
    total_spent: 0,
    last_order_date: null,
  });
  let order = '';
  await toldBy(async () => {
    order = (await postOrder({ customer: { id } }))['id'];
  }, ['order.created']);
  await toldBy(() => merchant.act('order.delete', { id: order }), ['order.deleted']);
  const updated = await toldBy(() => merchant.act('customer.update', { id, phone: '1' }), ['customer.updated']);
  expect(objectOf(updated, 'customer.updated')).toMatchObject({ id, phone: '1', total_orders: 0, total_spent: 0 });
});

test('products: created, updated on every save, deleted alone', async () => {
  let id = '';
  const created = await toldBy(async () => {
    id = (await merchant.act('product.create', { name: 'Tart', price: 4 })).id;
  }, ['product.created']);
  const object = objectOf(created, 'product.created');
  expect(object).toMatchObject({ id, name: 'Tart', status: 'active', storefront_visible: true });
  const saved = await toldBy(() => merchant.act('product.update', { id }), ['product.updated']);
  expect(Date.parse(objectOf(saved, 'product.updated')?.['updated_at'])).toBeGreaterThanOrEqual(Date.parse(object?.['updated_at']));
  const hidden = await toldBy(() => merchant.act('product.update', { id, storefront_visible: false }), ['product.updated']);
  expect(objectOf(hidden, 'product.updated')).toMatchObject({ status: 'active', storefront_visible: false });
  const deleted = await toldBy(() => merchant.act('product.delete', { id }), ['product.deleted']);
  expect(objectOf(deleted, 'product.deleted')).toMatchObject({ id, status: 'deleted', storefront_visible: false });
});

describe('payments', () => {
  const pay = async (status: string): Promise<string> => (await merchant.act('payment.create', { amount: 10, method: 'cash', status })).id;
  /** Type, status and status before of each, the update first. */
  const statuses = (events: readonly Heard[]) =>
    events
      .map(({ type, data: { object } }) => [type, object['status'], object['previous_status']])
      .sort(([a], [b]) => (a === 'payment.updated' ? -1 : b === 'payment.updated' ? 1 : 0));

  test.each<[string, string[]]>([
    ['completed', ['payment.created', 'payment.completed']],
    ['approved', ['payment.created', 'payment.completed']],
    ['failed', ['payment.created', 'payment.failed']],
    ['pending', ['payment.created']],
  ])('created %s tell %j, without a status before (rules 1 and 6)', async (status, types) => {
    const events = await toldBy(() => pay(status), types);
    for (const { data } of events) expect(data.object).toMatchObject({ status, previous_status: null });
  });

  test('tell a transition once, the same status again as an update alone (rule 2)', async () => {
    let id = '';
    await toldBy(async () => {
      id = await pay('submitted');
    }, ['payment.created']);
    const write = (status: string, types: string[]) => toldBy(() => merchant.act('payment.set_status', { id, status }), types);
    expect(statuses(await write('failed', ['payment.updated', 'payment.failed']))).toEqual([
      ['payment.updated', 'failed', 'submitted'],
      ['payment.failed', 'failed', 'submitted'],
    ]);
    expect(statuses(await write('failed', ['payment.updated']))).toEqual([['payment.updated', 'failed', 'failed']]);
    expect(statuses(await write('completed', ['payment.updated', 'payment.completed']))).toEqual([
      ['payment.updated', 'completed', 'failed'],
      ['payment.completed', 'completed', 'failed'],
    ]);
    expect(statuses(await write('approved', ['payment.updated']))).toEqual([['payment.updated', 'approved', 'completed']]);
  });

  test('tell a refund alone, a void with the status before, and a correction with the same status twice (rules 3 to 5)', async () => {
    let id = '';
    await toldBy(async () => {
      id = await pay('completed');
    }, ['payment.created', 'payment.completed']);
    const refunded = await toldBy(() => merchant.act('payment.refund', { id, amount: 4 }), ['payment.refunded']);
    expect(objectOf(refunded, 'payment.refunded')).toMatchObject({
      type: 'refund',
      amount: 4,
      original_payment_id: id,
      previous_status: null,
    });
    const corrected = await toldBy(() => merchant.act('payment.correct_amount', { id, amount: 12 }), ['payment.updated']);
    expect(objectOf(corrected, 'payment.updated')).toMatchObject({ id, amount: 12, refunded_amount: 4 });
    expect(statuses(corrected)).toEqual([['payment.updated', 'completed', 'completed']]);
    const voided = await toldBy(() => merchant.act('payment.void', { id }), ['payment.updated']);
    expect(statuses(voided)).toEqual([['payment.updated', 'voided', 'completed']]);
  });

  test('that came with POST /orders are told where the body says so, and their later writes always (rule 7)', async () => {
    const payments = [{ amount: 40, method: 'card', status: 'completed' }];
    let order: Record<string, any> = {};
    await toldBy(async () => {
      order = await postOrder({ payments });
    }, ['order.created']);
    await toldBy(() => postOrder({ payments, emit_webhooks: true }), ['order.created', 'payment.created', 'payment.completed']);
    const { body } = await merchant.call('GET', `/orders/${order['id']}`);
    const [{ id }] = body.payments;
    await toldBy(() => merchant.act('payment.void', { id }), ['payment.updated']);
  });
});

test('quick sales: created, updated, deleted', async () => {
  let id = '';
  const sale = { date: '2026-03-08', gross_sales: 10, gross_cost: 4, items: [{ name: 'Roll', quantity: 2, unit_price: 5 }] };
  const created = await toldBy(async () => {
    id = (await merchant.act('quick_sale.create', sale)).id;
  }, ['quick_sale.created']);
  expect(objectOf(created, 'quick_sale.created')).toMatchObject({ id, date: '2026-03-08', net_amount: 6, items_count: 1 });
  await toldBy(() => merchant.act('quick_sale.update', { id, location: 'Square' }), ['quick_sale.updated']);
  await toldBy(() => merchant.act('quick_sale.delete', { id }), ['quick_sale.deleted']);
});

test('expenses: created by the API, the dashboard and the day’s first fee, updated by saves and later fees, deleted in silence', async () => {
  let id = '';
  const body = { amount: 5, date: '2026-03-01', category: 'rent', supplier: { id: 's1', name: 'Hall' } };
  const created = await toldBy(async () => {
    id = (await merchant.call('POST', '/expenses', body)).body.id;
  }, ['expense.created']);
  expect(objectOf(created, 'expense.created')).toMatchObject({
    id,
    date: '2026-03-01T00:00:00.000Z',
    supplier_id: 's1',
    supplier_name: 'Hall',
  });
  await toldBy(() => merchant.act('expense.create', body), ['expense.created']);
  await toldBy(() => merchant.act('expense.update', { id, amount: 6 }), ['expense.updated']);
  await toldBy(() => merchant.act('expense.delete', { id }), []);
  const fee = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, date: '2026-03-02' };
  await toldBy(() => merchant.act('gateway_fee.record', fee), ['expense.created']);
  await toldBy(() => merchant.act('gateway_fee.record', fee), ['expense.updated']);
});

test('inventory.low is told once per crossing, also by many adjustments at once', async () => {
  const flour = { type: 'ingredient', name: 'Flour', current_stock: 20, reorder_point: 5, unit: 'kg' };
  let id = '';
  await toldBy(async () => {
    id = (await merchant.act('inventory.put', flour)).id;
  }, []);
  const adjust = (delta: number) => merchant.act('inventory.adjust', { id, delta });
  const low = await toldBy(() => Promise.all(Array.from({ length: 20 }, () => adjust(-1))), ['inventory.low']);
  expect(objectOf(low, 'inventory.low')).toMatchObject({ id, name: 'Flour', current_stock: 5, reorder_point: 5, unit: 'kg' });
  await toldBy(() => adjust(5), []);
  await toldBy(() => adjust(1), []);
  await toldBy(() => adjust(-1), ['inventory.low']);
  await toldBy(() => merchant.act('inventory.put', { ...flour, id, current_stock: 6 }), []);
  await toldBy(() => merchant.act('inventory.put', { ...flour, id, current_stock: 6, reorder_point: 7 }), ['inventory.low']);
});

test('every event has its envelope and its headers', async () => {
  const [event] = await toldBy(() => postOrder(), ['order.created']);
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'order.created',
    created: expect.any(Number),
    api_version: 'v1',
    data: { object: expect.any(Object) },
    tenant_id: merchant.account,
  });
  expect(Number.isInteger(event?.created)).toBe(true);
  expect(event?.created).toBeGreaterThanOrEqual(Math.floor(Date.parse(event?.data.object['created_at']) / 1000));
  const request = hook.requests.find(({ headers }) => headers['x-webhook-id'] === event?.id);
  expect(request?.headers).toMatchObject({ 'idempotency-key': event?.id, 'content-type': 'application/json' });
});
