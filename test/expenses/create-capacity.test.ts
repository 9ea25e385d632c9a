import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  key = await world.createKey((await world.createAccount()).id);
});
afterAll(() => world.stop());

/** Write units of one POST with an Idempotency-Key, by what they are for; the page docs/access-patterns.md gives the reason for each. */
const measure = async (members: object) => {
  const body = { amount: 12.5, date: '2026-03-05', category: 'ingredients', ...members };
  world.wire.reset();
  const { status } = await world.request('POST', '/expenses', { key, body, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  expect(status).toBe(201);
  const written = world.wire.calls.filter(({ operation }) => operation !== 'GetItem');
  const indexes = written.reduce((units, call) => units + call.indexUnits, 0);
  const of = (name: string) => written.find(({ operation }) => operation === name)?.capacityUnits ?? 0;
  return {
    calls: written.map(({ operation }) => operation).sort(),
    bucket: of('UpdateItem'),
    lock: of('PutItem'),
    records: of('TransactWriteItems') - indexes,
    indexes,
    total: written.reduce((units, call) => units + call.capacityUnits, 0),
  };
};

const calls = ['PutItem', 'TransactWriteItems', 'UpdateItem'];

test('a POST with an Idempotency-Key writes 16 units, of at most 24', async () => {
  const measured = await measure({ supplier: { id: 'sup_1', name: 'Mill' } });
  expect(measured).toEqual({ calls, bucket: 1, lock: 1, records: 6, indexes: 8, total: 16 });
});

test('without a supplier it writes 14: two indexes have no entry', async () => {
  expect(await measure({})).toEqual({ calls, bucket: 1, lock: 1, records: 6, indexes: 6, total: 14 });
});

test('with every member at a usual length it stays within 24', async () => {
  const measured = await measure({
    currency: 'USD',
    subcategory: 'Flour',
    description: 'Rye and wheat flour, two bags of 25 kg each',
    notes: 'Delivered on Thursday',
    tags: ['weekly', 'bulk'],
    supplier: { id: 'sup_1', name: 'Mill' },
    payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'INV-2026-0017' },
    tax: { amount: 1.05, rate: 8.875 },
  });
  expect(measured.total).toBeLessThanOrEqual(24);
  expect(measured.indexes).toBe(8);
});
