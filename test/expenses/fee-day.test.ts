import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayOfFirstFee } from '../../shared/domain/expense/rules.ts';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { openShop, type Shop } from '../checkout/shop.ts';
import { approveCard, openCounter, successUrl } from '../checkout-page/page.ts';
import { bulkPut } from '../support/bulk.ts';
import { writeFees } from '../support/fees.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let service: Service;
beforeAll(async () => {
  world = await startWorld();
  service = await startBakeries(world);
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);
const idToday = () => `gateway_fees_${today()}`;
const actionFee = (order: string) => ({ order_id: order, order_label: '#1', gateway: 'stripe', amount: 0.59, date: today() });

/**
 * Stores a day with this many fees of 0.59: every line as the store writes it, and the expense with
 * their sum.
 */
const loadDay = async (account: string, count: number): Promise<void> => {
  const at = new Date(world.clock.now()).toISOString();
  const fee = (i: number) => ({
    line: {
      order_id: `ord_01m7z1b2csqxwa47x0qct0${String(i).padStart(5, '0')}`,
      order_label: `#${i}`,
      gateway: 'stripe',
      amount: 0.59,
      transaction_id: `pi_${i}`,
    },
    day: today(),
    currency: 'USD',
    at,
  });
  const first = dayOfFirstFee(fee(1));
  const lineOf = (i: number) => {
    const [, line] = world.store.gatewayFees.bookWrites(account, { ...first, transaction_count: i - 1 }, fee(i));
    if (!line) throw new Error('A fee has no line.');
    return line;
  };
  await bulkPut(
    world.engine,
    Array.from({ length: count }, (_, i) => lineOf(i + 1)),
  );
  const record = { ...first, amount: (count * 59) / 100, transaction_count: count };
  await world.store.commit([world.store.expenses.createWrite(account, record)]);
};

interface Cost {
  readonly writes: number;
  readonly indexes: number;
  readonly reads: number;
}

const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
  world.wire.measure();
  await work();
  const units = (isRead: boolean) =>
    world.wire.calls
      .filter(({ operation }) => ['BatchGetItem', 'Query'].includes(operation) === isRead)
      .reduce((sum, call) => sum + call.capacityUnits - call.indexUnits, 0);
  return { writes: units(false), indexes: world.wire.calls.reduce((sum, call) => sum + call.indexUnits, 0), reads: units(true) };
};

const shopper = async (shop: Shop) => {
  const counter = await openCounter(world, { shop });
  return () => counter.pay(approveCard);
};

describe('a day of 5,000 fees', () => {
  let shop: Shop;
  const costs: Record<string, Cost> = {};
  beforeAll(async () => {
    shop = await openShop(world);
    // The first order creates the customer; its date does not matter here.
    await (await shopper(shop))();
    world.clock.advance(86_400_000);
    for (const nth of ['first', 'second', 'third']) {
      const pay = await shopper(shop);
      costs[nth] = await costOf(pay);
    }
    world.clock.advance(86_400_000);
    await loadDay(shop.account.id, 4_998);
    for (const nth of ['4,999th', '5,000th']) {
      const pay = await shopper(shop);
      costs[nth] = await costOf(async () => expect((await pay()).headers['Location']).toBe(successUrl));
    }
  });

  test('the five-thousandth fee of a day costs the same as the first, except that index entries are moved instead of created', () => {
    expect(costs['5,000th']).toEqual(costs['second']);
    expect(costs['4,999th']).toEqual(costs['third']);
    expect(costs['5,000th']).toMatchObject({ writes: costs['first']?.writes });
    expect((costs['5,000th']?.indexes ?? 0) - (costs['first']?.indexes ?? 0)).toBeLessThanOrEqual(3);
    expect((costs['5,000th']?.reads ?? 0) - (costs['first']?.reads ?? 0)).toBeLessThanOrEqual(0.5);
  });

  test('a day of 10,000 fees is returned with every line and their sum', async () => {
    const { body, status } = await world.request('GET', `/expenses/${idToday()}`, { key: shop.secretKey });
    const own = body.line_items.slice(-2).map(({ amount }: { amount: number }) => amount);
    expect([status, body.line_items.length, own]).toEqual([200, 5_000, [0.68, 0.68]]);
    expect(body).toMatchObject({
      amount: (4_998 * 59 + 136) / 100,
      metadata: { transaction_count: 5_000, gateways: ['stripe', 'sandbox'] },
    });
    expect(body.line_items.map(({ order_label }: { order_label: string }) => order_label).slice(0, 3)).toEqual(['#1', '#2', '#3']);
    const { data } = (await world.request('GET', '/expenses?category=bank_fees', { key: shop.secretKey })).body;
    expect(data[0]).toMatchObject({ id: idToday(), amount: body.amount });
  });

  test("a day of 10,000 fees accepts an operator's fee at the cost of a day with few fees, and returns no lines", async () => {
    const { id } = await service.act('account.create', undefined, { name: 'Short', plan: 'business' });
    const record = (account: string, order: string) => service.act('gateway_fee.record', account, actionFee(order));
    await record(String(id), 'ord_a');
    const short = await costOf(() => record(String(id), 'ord_b'));
    let result: Record<string, unknown> = {};
    const long = await costOf(async () => {
      result = await record(shop.account.id, 'ord_b');
    });
    expect([long.writes, long.indexes]).toEqual([short.writes, short.indexes]);
    expect(long.reads).toBeLessThanOrEqual(short.reads);
    expect(result).toMatchObject({ id: idToday(), source: 'gateway_fee' });
    expect(result).not.toHaveProperty('line_items');
  });

  test('a day of 10,000 fees is exported line by line, in pages', async () => {
    const lines = new Set<string>();
    for (let cursor: unknown = null; ; ) {
      const page = await service.act('account.export', shop.account.id, { cursor });
      for (const { expense_id, transaction_id } of page['gateway_fees']) lines.add(`${expense_id} ${transaction_id}`);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(5_000_000);
      cursor = page['next_cursor'];
      if (!page['has_more']) break;
    }
    expect([...lines].filter((line) => line.startsWith(idToday())).length).toBeGreaterThanOrEqual(5_000);
  });
});

test("a day that exceeds a response's size is cut, with the sum and count of all fees", async () => {
  const shop = await openShop(world);
  // Three bytes per character.
  const long = '漢'.repeat(255);
  const count = 4_500;
  world.clock.advance(86_400_000);
  const writes = Array.from({ length: count }, (_, i) => {
    const line = { order_id: `ord_${i}`, order_label: long, gateway: long, amount: 1, transaction_id: `t${i}` };
    const day = { ...dayOfFirstFee({ line, day: today(), currency: 'USD', at: '2030-01-01T00:00:00.000Z' }), transaction_count: i };
    const [, put] = world.store.gatewayFees.bookWrites(shop.account.id, day, { line, day: today(), currency: 'USD', at: day.created_at });
    if (!put) throw new Error('A fee has no line.');
    return put;
  });
  await bulkPut(world.engine, writes);
  await writeFees(world, shop.account.id, [{ order_id: 'ord_last', order_label: '#', gateway: 'g', amount: 1 }], { day: today() });
  const stored = await world.store.expenses.get(shop.account.id, idToday());
  if (!stored) throw new Error('The day has no record.');
  const record = { ...stored.record, amount: count + 1, transaction_count: count + 1 };
  await world.store.commit([world.store.expenses.replaceWrite(shop.account.id, record, stored)]);
  const { status, body, text } = await world.request('GET', `/expenses/${idToday()}`, { key: shop.secretKey });
  expect([status, body.amount, body.metadata.transaction_count]).toEqual([200, count + 1, count + 1]);
  expect(body.line_items.length).toBeGreaterThan(2_900);
  expect(Buffer.byteLength(text)).toBeLessThan(6_000_000);
});
