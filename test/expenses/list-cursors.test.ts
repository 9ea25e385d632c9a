import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../shared/core/cursor.ts';
import { expenseOf } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let account: string;
let key: string;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = await world.createKey(account);
  const days = ['01', '02', '03', '04', '05'];
  await world.store.commit(
    days.map((day) => {
      const moment = Date.parse(`2026-03-${day}`);
      return world.store.expenses.createWrite(
        account,
        expenseOf(moment, { date: moment / 1000, category: 'rent', supplier: { id: 'sup_1', name: null } }),
      );
    }),
  );
});
afterAll(() => world.stop());

const list = (query: string, as = key) => world.request('GET', `/expenses?${query}`, { key: as });
const cursorOf = async (query: string): Promise<string> => (await list(`${query}&limit=2`)).body.pagination.next_cursor;
const refused = {
  status: 400,
  body: { error: { type: 'validation_error', code: 'invalid_cursor', message: 'Invalid cursor', field: 'cursor' } },
};

test('a cursor of the default order serves where that order is named', async () => {
  const { status, body } = await list(`order_by=date&cursor=${await cursorOf('')}`);
  expect([status, body.data.length]).toEqual([200, 3]);
});

describe('invalid_cursor', () => {
  test.each(['', 'x', '%00', 'null', 'MQ', 'é', '%FF', 'a b', '..%2F', 'x'.repeat(4_000)])(
    'for a cursor that does not decode: %j',
    async (cursor) => {
      expect(await list(`cursor=${cursor}`)).toMatchObject(refused);
    },
  );

  test.each([
    ['', 'category=rent'],
    ['category=rent', ''],
    ['category=rent', 'category=other'],
    ['category=rent', 'status=submitted'],
    ['', 'order_by=updated_at'],
    ['order_by=updated_at', ''],
    ['order_by=updated_at', 'updated_after=2026-03-01'],
    ['date_from=2026-03-01', 'date_from=2026-03-02'],
    ['date_from=2026-03-01', 'date_to=2026-03-05'],
    ['date_to=2026-03-05', 'date_to=2026-03-05T00:00:00Z'],
  ])('for the cursor of “%s” sent with “%s”', async (made, sent) => {
    const cursor = await cursorOf(made);
    expect((await list(`${made}&cursor=${cursor}`)).status).toBe(200);
    expect(await list(`${sent}&cursor=${cursor}`)).toMatchObject(refused);
  });

  test('for the cursor of another account', async () => {
    const cursor = await cursorOf('');
    expect(await list(`cursor=${cursor}`, await world.createKey((await world.createAccount()).id))).toMatchObject(refused);
  });

  test('for the cursor of another route, either way', async () => {
    const register = (n: number) =>
      world.request('POST', '/webhooks', { key, body: { url: `https://hooks.example.com/${n}`, events: ['expense.created'] } });
    for (const n of [1, 2, 3]) expect((await register(n)).status).toBe(201);
    const foreign = (await world.request('GET', '/webhooks?limit=1', { key })).body.pagination.next_cursor;
    expect(await list(`cursor=${foreign}`)).toMatchObject(refused);
    expect(await world.request('GET', `/webhooks?cursor=${await cursorOf('')}`, { key })).toMatchObject(refused);
  });

  test('for a cursor whose record was deleted since', async () => {
    const cursor = await cursorOf('');
    const id = decodeCursor(cursor)?.id ?? '';
    const stored = await world.store.expenses.get(account, id);
    if (!stored) throw new Error('The cursor names no record.');
    const deleted = { ...stored.record, deleted_at: '2026-03-10T09:00:00.000Z' };
    await world.store.commit([world.store.expenses.replaceWrite(account, deleted, stored.revision)]);
    expect(await list(`cursor=${cursor}`)).toMatchObject(refused);
  });

  test('for one that never had a record', async () => {
    const cursor = decodeCursor(await cursorOf(''));
    if (!cursor) throw new Error('The cursor does not decode.');
    expect(await list(`cursor=${encodeCursor({ ...cursor, id: 'exp_nobody' })}`)).toMatchObject(refused);
  });
});

test('a cursor whose record has moved since is still good', async () => {
  const cursor = await cursorOf('order_by=updated_at');
  const stored = await world.store.expenses.get(account, decodeCursor(cursor)?.id ?? '');
  if (!stored) throw new Error('The cursor names no record.');
  const moved = { ...stored.record, category: 'taxes', updated_at: '2026-03-09T00:00:00.000Z' };
  await world.store.commit([world.store.expenses.replaceWrite(account, moved, stored.revision)]);
  const { status, body } = await list(`order_by=updated_at&cursor=${cursor}`);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(3);
});

test('the order of parameters and unknown ones do not matter to a cursor', async () => {
  const cursor = await cursorOf('date_from=2026-03-01&category=rent');
  expect((await list(`colour=red&cursor=${cursor}&category=rent&limit=100&date_from=2026-03-01`)).body.data).toHaveLength(3);
});

describe('a forged cursor that fits account, route and filters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('', '#', '~', ' ', '0', '9999', '000000000000', '999999999999', '2026-03-02T00:00:00.000Z', 'x'.repeat(3_000)),
  );

  test.each(['', 'date_from=2026-03-02&date_to=2026-03-04', 'updated_after=2026-03-02', 'supplier_id=sup_1'])(
    'never leaves its own records and never fails: “%s”',
    async (query) => {
      const cursor = decodeCursor(await cursorOf(query));
      if (!cursor) throw new Error('The cursor does not decode.');
      const own = new Set((await list(query)).body.data.map(({ id }: { id: string }) => id));
      const position = fc.oneof(text, fc.constant(cursor.position));
      const id = fc.oneof(text, fc.constant(cursor.id));
      await fc.assert(
        fc.asyncProperty(position, id, async (position, id) => {
          const { status, body } = await list(`${query}&cursor=${encodeCursor({ ...cursor, position, id })}`);
          if (status === 200) expect(body.data.every((one: { id: string }) => own.has(one.id))).toBe(true);
          else expect({ status, body }).toMatchObject(refused);
        }),
        { numRuns: 60 },
      );
    },
  );
});
