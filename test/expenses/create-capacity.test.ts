import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';
import { measureCreate } from '../support/write-units.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  key = await world.createKey((await world.createAccount()).id);
  // The first request of a day also writes the day of the key's use (docs/decisions/0029).
  await world.request('GET', '/expenses', { key });
});
afterAll(() => world.stop());

test('a POST with an Idempotency-Key writes 10 units', async () => {
  const measured = await measureCreate(world, key, { supplier: { id: 'sup_1', name: 'Mill' } });
  expect(measured).toEqual({ bucket: 1, records: 4, indexes: 5, total: 10 });
});

test('a POST without a supplier writes no entry in one index', async () => {
  expect(await measureCreate(world, key, {})).toEqual({ bucket: 1, records: 4, indexes: 4, total: 9 });
});

test('a POST with every field at a typical length writes no more', async () => {
  const measured = await measureCreate(world, key, {
    currency: 'USD',
    subcategory: 'Flour',
    description: 'Rye and wheat flour, two bags of 25 kg each',
    notes: 'Delivered on Thursday',
    tags: ['weekly', 'bulk'],
    supplier: { id: 'sup_1', name: 'Mill' },
    payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'INV-2026-0017' },
    tax: { amount: 1.05, rate: 8.875 },
  });
  expect(measured).toEqual({ bucket: 1, records: 4, indexes: 5, total: 10 });
});
