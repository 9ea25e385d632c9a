import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ActionName, actionTable } from '../../functions/actions/index.ts';
import type { GatewayFee } from '../../shared/domain/expense/rules.ts';
import { dayOfFirstFee } from '../../shared/domain/expense/rules.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { withIntents } from '../../shared/domain/payment/refund-intents.ts';
import { applyRefund } from '../../shared/operations/money-back.ts';
import { bulkPut } from '../support/bulk.ts';
import { shared } from '../support/shared.ts';
import { allRoutes } from '../support/world.ts';
import { startBakeries } from './bakery.ts';

/** No response is larger (decisions §3). */
const maxBytes = 5_000_000;
/** Bytes of a body as Lambda sends it: escaped again. */
const sent = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** A text of this many characters that no rule trims. */
const filled = (character: string, length: number): string => `x${character.repeat(length - 2)}x`;
/** A control character takes one byte in the table and seven in a response. */
const control = '\u0001';
const items = [{ name: 'Cake', quantity: 1, unit_price: 40 }];

const service = shared(startBakeries);
let account: string;
let key: string;
beforeAll(async () => {
  ({ id: account } = await service.world.createAccount());
  key = await service.world.createKey(account);
});

const get = (path: string) => service.world.request('GET', path, { key });
const openOrder = async (): Promise<string> => (await service.world.request('POST', '/orders', { key, body: { items } })).body.id;

/** Adds payments of an order until one is rejected. Returns the error and the number of payments. */
const payUntilRejected = async (order_id: string, description: string) => {
  const input = { order_id, amount: 1, method: 'cash', status: 'completed', description };
  for (let accepted = 0; accepted < 300; accepted++) {
    const response = await service.call('payment.create', account, input);
    if (!response.ok) return { accepted, error: { status: response.status, ...response.body.error } };
  }
  throw new Error('No payment was rejected.');
};

const readOrder = async (id: string) => {
  const read = await get(`/orders/${id}`);
  expect(read.status).toBe(200);
  expect(sent(read.text)).toBeLessThan(maxBytes);
  return read.body;
};

describe('an order with its payments', () => {
  const payment = { amount: 1, method: 'cash', status: 'completed' };
  /** Fills the record of an order. */
  const largest = { items: Array.from({ length: 18 }, () => ({ ...items[0], notes: filled(control, 20_000) })) };

  test('a payment, a refund or a text that would make the response of an order too large is rejected', async () => {
    const order = await openOrder();
    const { accepted, error } = await payUntilRejected(order, filled('"', 20_000));
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', field: 'description' });
    const before = await readOrder(order);
    expect(before.payments).toHaveLength(accepted);
    const [{ id }] = before.payments;
    const refund = { id, amount: 1, description: filled('"', 20_000) };
    expect(await service.errorOf('payment.refund', account, refund)).toMatchObject({ status: 400, field: 'description' });
    expect(await service.errorOf('order.update', account, { id: order, ...largest })).toMatchObject({ status: 400, code: 'invalid_value' });
    expect(await readOrder(order)).toEqual(before);
    await service.act('order.update', account, { id: order, notes: filled('"', 20_000) });
    await service.act('payment.create', account, { ...payment, order_id: order });
    await service.act('payment.refund', account, { id, amount: 1 });
    await readOrder(order);
  });

  test('a refund that the gateway has made is recorded, with a description that is cut to what the response can show', async () => {
    const order = await openOrder();
    const { world } = service;
    await service.act('order.update', account, { id: order, ...largest });
    const gateway = { provider: 'stripe', transaction_id: `pi_${order}` };
    const { id } = await service.act('payment.create', account, { ...payment, order_id: order, amount: 40, gateway });
    const created_at = new Date(world.clock.now()).toISOString();
    const description = '🍰'.repeat(1_000) + filled(control, 15_000);
    const refunds = Array.from({ length: 8 }, (_, i) => `pay_${i}_${order}`);
    const stored = await world.store.payments.get(account, String(id));
    if (!stored) throw new Error('The payment is not stored.');
    const begun = { amount: 1, description, source: 'dashboard', created_at, transaction_id: null, lease_until_ms: 0 };
    const intents = refunds.map((refund) => ({ ...begun, id: refund }));
    await world.store.commit([world.store.payments.refundsWrite(account, stored, withIntents(stored.record, intents))]);
    const { accepted } = await payUntilRejected(order, filled(control, 20_000));
    expect(accepted).toBeGreaterThan(5);
    const recorded: string[] = [];
    for (const intent of refunds) {
      const ids = { id: `re_${intent}`, transactionIds: [gateway.transaction_id], intentId: intent, paymentId: String(id) };
      recorded.push(
        (await applyRefund(world.services, account, { ...ids, amount: 1, created_at, status: 'succeeded' }))?.description ?? '',
      );
    }
    const { payments } = await readOrder(order);
    const shown = payments.filter(({ type }: Payment) => type === 'refund');
    expect(shown.map((refund: Payment) => refund.id).sort()).toEqual([...refunds].sort());
    expect(recorded.at(0)).toBe(description);
    expect(recorded.at(-1)?.length).toBeLessThan(1_000);
    for (const text of recorded) expect([text.isWellFormed(), description.startsWith(text)]).toEqual([true, true]);
  });
});

describe("a day's gateway fees", () => {
  const text = (i: number) => `${i}${'"'.repeat(250)}`;
  const loadDay = async (day: string, count: number) => {
    const { store, engine } = service.world;
    const fee = (i: number): GatewayFee => ({
      line: { order_id: `ord_${i}`, order_label: '#', gateway: text(i), amount: 1, transaction_id: `txn_${day}_${i}` },
      ...{ day, currency: 'USD', at: '2026-01-01T00:00:00.000Z' },
    });
    const first = dayOfFirstFee(fee(1));
    const line = (i: number) => store.gatewayFees.bookWrites(account, { ...first, transaction_count: i }, fee(i)).slice(1, 2);
    await bulkPut(engine, Array.from({ length: count }, (_, i) => line(i)).flat());
    await store.commit([store.expenses.createWrite(account, { ...first, amount: count, transaction_count: count })]);
  };

  test('GET /expenses/{id} shows 2,500 fees of different gateways as far as they fit', async () => {
    const [day, count] = ['2027-01-20', 2_500];
    await loadDay(day, count);
    const { status, body, text } = await get(`/expenses/gateway_fees_${day}`);
    expect([status, body.amount, body.metadata.transaction_count]).toEqual([200, count, count]);
    expect(body.metadata.gateways).toHaveLength(body.line_items.length);
    expect(body.line_items.length).toBeGreaterThan(1_500);
    expect(sent(text)).toBeLessThan(maxBytes);
  });

  test('gateway_fee.record leaves out the lines if they are too large to be stored with its token', async () => {
    const fee = (i: number) => ({ order_id: `ord_${i}`, order_label: filled('漢', 255), gateway: `${i}${'漢'.repeat(250)}`, amount: 1 });
    for (let i = 0; i < 99; i++) {
      const result = await service.act('gateway_fee.record', account, { ...fee(i), date: '2027-02-01' });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(300_000);
      expect('line_items' in result).toBe('metadata' in result);
    }
    expect((await get('/expenses/gateway_fees_2027-02-01')).body.line_items).toHaveLength(99);
  });
});

describe('settings', () => {
  const name = filled('"', 60);
  const slots = (count: number, more: object = {}) => Array.from({ length: count }, (_, i) => ({ id: `s${i}`, label: name, ...more }));

  test.each<[string, object]>([
    ['every day', { pickup: slots(300), delivery: slots(10) }],
    ['on all weekdays', { pickup: slots(200, { available_days: [0, 1, 2, 3, 4, 5, 6] }), delivery: slots(200) }],
    ['of old forms', { pickup: Array.from({ length: 1_000 }, () => ({})) }],
  ])('settings.put rejects slots %s of which 90 days would not fit into a response', async (_title, time_slots) => {
    const error = await service.errorOf('settings.put', account, { time_slots });
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', field: 'time_slots' });
  });

  test('the reference data and the availability of 90 days can be read with the largest settings', async () => {
    await service.act('settings.put', account, {
      time_slots: { pickup: slots(100, { available_days: [1] }), delivery: slots(130) },
      payment_methods: Array.from({ length: 200 }, (_, i) => ({ id: `p${i}`, name, enabled: true })),
      event_categories: Array.from({ length: 200 }, () => ({ name })),
      blocked_dates: Array.from({ length: 100 }, () => ({ date: '2027-01-01', reason: name })),
      recurring_rules: Array.from({ length: 200 }, (_, i) => ({ id: `r${i}`, type: 'weekly', days_of_week: [] })),
      custom_fields: Array.from({ length: 200 }, (_, i) => ({ id: `f${i}`, name, options: [name] })),
    });
    const { text, status } = await get('/availability?from=2027-01-02&to=2027-04-01');
    expect(status).toBe(200);
    expect(sent(text)).toBeGreaterThan(0.8 * maxBytes);
    expect(sent(text)).toBeLessThan(maxBytes);
  });
});

describe('records with the longest texts', () => {
  const markup = filled(control, 20_000);
  const free = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}`, filled('"', 500)]));
  const listed = ['customer', 'order', 'product', 'expense'] as const;
  const made: Record<string, string> = {};

  /** Creates two records of each kind, each as large as its body or its storage allows. */
  beforeAll(async () => {
    const { act, world } = service;
    const post = async (path: string, body: object) => {
      const { status, body: record, text } = await world.request('POST', path, { key, body });
      expect([path, status]).toEqual([path, 201]);
      expect(sent(text)).toBeLessThan(maxBytes);
      return record.id as string;
    };
    for (let i = 0; i < 2; i++) {
      made['customer'] = await post('/customers', { last_name: 'x', notes: markup, metadata: free, tags: Array(50).fill(filled('"', 64)) });
      made['order'] = await post('/orders', { items, notes: markup, metadata: free });
      const lines = Array.from({ length: 17 }, () => ({ ...items[0], notes: markup }));
      await act('order.update', account, { id: made['order'], items: lines });
      made['product'] = String(
        (await act('product.create', account, { name: 'Tart', price: 1, description: markup, tags: [filled('"', 64)] }))['id'],
      );
      made['expense'] = await post('/expenses', { amount: 1, date: '2026-01-01', category: 'rent', description: markup, notes: markup });
    }
    made['webhook'] = await post('/webhooks', { url: service.receiver.hook().url, events: ['order.updated'], description: markup });
    await act('order.update', account, { id: made['order'], notes: filled('"', 20_000) });
    await service.pipeline.drain();
  });

  test.each(allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path))('GET %s is below the limit', async (path) => {
    const [, noun = ''] = /^\/(\w+)s\/\{id\}/.exec(path) ?? [];
    const query = path === '/availability' ? '?from=2027-01-02&to=2027-04-01' : '?limit=100';
    for (let next = query; next; ) {
      const { status, text, body } = await get(path.replace('{id}', made[noun] ?? '') + next);
      expect([path, status]).toEqual([path, 200]);
      expect(sent(text)).toBeLessThan(maxBytes);
      next = body.pagination?.has_more ? `${query}&cursor=${body.pagination.next_cursor}` : '';
    }
  });

  const inputs: Partial<Record<ActionName, () => object>> = {
    'customer.export': () => ({ id: made['customer'] }),
    'delivery.list': () => ({ endpoint_id: made['webhook'] }),
  };
  const needsMore: readonly string[] = ['delivery.find', 'delivery.get', 'checkout.check'];
  const reading = Object.entries(actionTable).flatMap(([name, action]) =>
    'read' in action && action.account !== 'none' && !needsMore.includes(name) ? [name] : [],
  );

  test.each(reading)('every page of %s is below the limit', async (name) => {
    const input = inputs[name as ActionName]?.() ?? {};
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: unknown; pages === 0 || cursor; pages++) {
      const page = await service.act(name, account, cursor ? { ...input, cursor } : input);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(maxBytes);
      ids.push(...listed.flatMap((kind) => page[`${kind}s`] ?? []).map(({ id }: { id: string }) => id));
      cursor = page['next_cursor'] ?? page['pagination']?.next_cursor;
    }
    expect(new Set(ids).size).toBe(ids.length);
    if (name !== 'account.export') return;
    expect(pages).toBeGreaterThan(2);
    for (const kind of listed) expect(ids).toContain(made[kind]);
  });
});
