import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { systemClock } from '../../shared/core/clock.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { type Db, openDb } from '../../shared/table/client.ts';
import { commit } from '../../shared/table/write.ts';
import { startEngine } from '../support/engine.ts';
import { brokenConnection } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { createWire, type Wire } from '../support/wire.ts';

const stock = 250;
const key = (id: number) => ({ pk: `prd#shop_${id % 7}`, sk: String(id) });

const engine = shared(startEngine);
let db: Db;
let wire: Wire;
let pauses: number[];
beforeAll(async () => {
  const names = await engine.createTables('point-reads');
  const clock = { ...systemClock, sleep: async (ms: number) => void pauses.push(ms) };
  wire = createWire(engine.client);
  db = openDb(wire.client, { ...names, clock, random: systemRandom });
  const put = (id: number) => commit(db, [{ item: { Put: { TableName: db.table, Item: { ...key(id), id } } } }]);
  for (let from = 0; from < stock; from += 25) await Promise.all(Array.from({ length: 25 }, (_, i) => put(from + i)));
});
beforeEach(() => {
  pauses = [];
  wire.reset();
});
afterEach(() => wire.intercept(undefined));

const read = async (ids: readonly number[]): Promise<unknown[]> =>
  (await Promise.all(ids.map((id) => db.get(key(id))))).map((item) => item?.['id']);
const stored = (id: number): number | undefined => (id < stock ? id : undefined);

type Sent = {
  readonly RequestItems: Record<string, { readonly Keys: readonly Record<string, unknown>[]; readonly ConsistentRead?: boolean }>;
};
const requested = () => wire.calls.map(({ input }) => (input as Sent).RequestItems[db.table]);
const keysOfCalls = (): number[] => requested().map((request) => request?.Keys.length ?? 0);

test('simultaneous reads are one consistent call, even if they start in nested promises', async () => {
  const later = async (id: number, depth: number): Promise<unknown> => {
    for (let i = 0; i < depth; i++) await undefined;
    return (await db.get(key(id)))?.['id'];
  };
  expect(await Promise.all([later(0, 0), later(1, 1), later(2, 50), later(stock, 5)])).toEqual([0, 1, 2, undefined]);
  expect(requested()).toEqual([expect.objectContaining({ ConsistentRead: true })]);
  expect(keysOfCalls()).toEqual([4]);
});

test('every reader gets its own item, with one call per 100 different keys', async () => {
  const ids = fc.array(fc.integer({ min: 0, max: stock + 50 }), { minLength: 1, maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(ids, async (requestedIds) => {
      wire.reset();
      expect(await read(requestedIds)).toEqual(requestedIds.map(stored));
      const different = new Set(requestedIds).size;
      expect(keysOfCalls()).toHaveLength(Math.ceil(different / 100));
      expect(keysOfCalls().reduce((sum, keys) => sum + keys, 0)).toBe(different);
    }),
    { numRuns: 30 },
  );
});

test('a read never joins a call that has been sent, so it returns a write that ended before it', async () => {
  const responded = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const own = { pk: 'prd#shop', sk: 'own' };
  wire.intercept(async (call, send) => {
    const response = await send();
    if (call.operation !== 'BatchGetItem' || wire.calls[0] !== call) return response;
    responded.resolve();
    await written.promise;
    return response;
  });
  const early = db.get(own);
  // The table has read the item, but the reader has not received it yet.
  await responded.promise;
  await commit(db, [{ item: { Put: { TableName: db.table, Item: { ...own, id: 'new' } } } }]);
  const late = await db.get(own);
  written.resolve();
  expect([await early, late?.['id']]).toEqual([undefined, 'new']);
});

test('an error rejects only the readers of its call', async () => {
  wire.intercept((call, send) => (keyNames(call.input).includes('0') ? Promise.reject(brokenConnection()) : send()));
  const ids = Array.from({ length: 150 }, (_, id) => id);
  const results = await Promise.allSettled(ids.map((id) => db.get(key(id))));
  expect(results.map(({ status }) => status)).toEqual(ids.map((id) => (id < 100 ? 'rejected' : 'fulfilled')));
  wire.intercept(undefined);
  expect(await read([0])).toEqual([0]);
});

test('a key that the table cannot store has no item, and the other keys of the call are read', async () => {
  const impossible = ['', 'x'.repeat(1_025)].map((sk) => db.get({ pk: 'prd#shop', sk }));
  const [first, ...others] = await Promise.all([
    db.get(key(0)),
    ...impossible,
    db.get({ pk: 'x'.repeat(2_049), sk: '0' }),
    db.get(key(stock)),
  ]);
  expect([first?.['id'], ...others]).toEqual([0, undefined, undefined, undefined, undefined]);
});

const keyNames = (input: Record<string, unknown>): string[] =>
  ((input as Sent).RequestItems[db.table]?.Keys ?? []).map((one) => String(one['sk']));

/** Makes the table return so many keys of each call and leave the others unprocessed. */
const returnOnly = (most: number): void =>
  wire.intercept(async (call, send) => {
    const request = (call.input as Sent).RequestItems[db.table];
    const { Responses = {}, ...output } = (await send()) as { readonly Responses?: Record<string, { readonly sk: string }[]> };
    const unread = request?.Keys.slice(most) ?? [];
    const read = Responses[db.table]?.filter(({ sk }) => !unread.some((one) => one['sk'] === sk));
    const UnprocessedKeys = unread.length > 0 ? { [db.table]: { ConsistentRead: true, Keys: unread } } : {};
    return { ...output, Responses: { [db.table]: read }, UnprocessedKeys };
  });

test('only keys that the table leaves unprocessed are read again, after a pause', async () => {
  returnOnly(3);
  expect(await read([1, 2, 3, 4, 5, 6, 7, stock])).toEqual([1, 2, 3, 4, 5, 6, 7, undefined]);
  expect(keysOfCalls()).toEqual([8, 5, 2]);
  expect(pauses).toHaveLength(2);
});

test('the number of calls is limited if the table leaves every key unprocessed', async () => {
  returnOnly(0);
  await expect(read([1, 2])).rejects.toThrow('unprocessed');
  expect(wire.calls).toHaveLength(10);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(5_000);
});
