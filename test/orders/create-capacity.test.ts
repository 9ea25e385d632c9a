import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

let world: World;
let shop: OrderingShop;
beforeAll(async () => {
  world = await startWorld();
  shop = await openShop(world);
});
afterAll(() => world.stop());

/** Rows of docs/access-patterns.md, What one POST /orders writes: the part and its units of the three orders. */
const page = readFileSync(new URL('../../docs/access-patterns.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('### What one POST /orders writes');
const rows = section.split('\n#')[0]?.match(/^\| (bucket|number|lock|records|indexes|total) .*$/gm) ?? [];
const stated = (column: number) =>
  Object.fromEntries(rows.map((row) => row.split('|').map((cell) => cell.trim())).map((cells) => [cells[1], Number(cells[column])]));

const details = { first_name: 'Ada', last_name: 'Baker', email: 'ada@example.com', phone: '+1 555 0100' };
const measure = async (members: object) => {
  world.wire.reset();
  const items = [
    { product_id: 'prd_bread', quantity: 2 },
    { product_id: 'prd_bread', name: 'Sourdough, sliced', quantity: 1, notes: 'Thin' },
    { name: 'Croissant', quantity: 12, unit_price: 2.75 },
    { name: 'Birthday cake, chocolate', quantity: 1, unit_price: 42.5 },
    { name: 'Cinnamon roll', quantity: 6, unit_price: 3.2 },
  ];
  const body = { items, delivery_date: '2026-04-01', delivery_time: '09:30', ...members };
  expect((await shop.post(body, { headers: { 'Idempotency-Key': crypto.randomUUID() } })).status).toBe(201);
  const written = world.wire.calls.filter(({ operation }) => /^(Put|Update|Delete|Transact)/.test(operation));
  const units = (keep: (call: (typeof written)[number]) => boolean) =>
    written.filter(keep).reduce((sum, call) => sum + call.capacityUnits, 0);
  const indexes = written.reduce((sum, call) => sum + call.indexUnits, 0);
  const onTable = (operation: string, name: string) => units((call) => call.operation === operation && call.input['TableName'] === name);
  return {
    bucket: onTable('UpdateItem', world.tables.bucketsTableName),
    number: onTable('UpdateItem', world.tables.tableName),
    lock: onTable('PutItem', world.tables.tableName),
    records: units(({ operation }) => operation === 'TransactWriteItems') - indexes,
    indexes,
    total: units(() => true),
  };
};

test('a walk-in, an order of a known customer and one that makes its customer and a payment write what the page says', async () => {
  expect(await measure({})).toEqual(stated(2));
  await shop.post({ customer: details });
  expect(await measure({ customer: details })).toEqual(stated(3));
  const newcomer = { ...details, email: 'bo@example.com' };
  expect(await measure({ customer: newcomer, payments: [{ amount: 10, method: 'card' }] })).toEqual(stated(4));
});

test('under an order limit an order writes the count of the month as well', async () => {
  const unlimited = await measure({});
  const { commit, orderLimits } = world.store;
  const changes = { order_limit: 1_000, updated_at: new Date(world.clock.now()).toISOString() };
  await commit(await orderLimits.changeWrites(shop.account, changes));
  expect(await measure({})).toEqual({ ...unlimited, records: unlimited.records + 2, total: unlimited.total + 2 });
});
