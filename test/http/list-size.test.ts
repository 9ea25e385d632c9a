import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Write } from '../../shared/table/write.ts';
import { productOf } from '../support/products.ts';
import { expenseOf } from '../support/records.ts';
import { customerOf, orderItemOf, orderOf } from '../support/shop.ts';
import { startWorld, type World } from '../support/world.ts';

/** A page ends at `limit` records or where its answer would pass 1 MB (decisions §3), in every list. */
const maxBytes = 1_000_000;

let world: World;
let account: string;
let key: Record<'secret' | 'publishable', string>;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = { secret: await world.createKey(account), publishable: await world.createKey(account, { type: 'publishable' }) };
});
afterAll(() => world.stop());

const commit = async (count: number, write: (ms: number) => Write) => {
  for (let i = 0; i < count; i += 10)
    await world.store.commit(Array.from({ length: Math.min(10, count - i) }, (_, j) => write(world.clock.now() + i + j)));
};

/** 10 endpoints are all an account may have; the longest descriptions of six bytes a character pass 1 MB. */
const register = async (description: string) => {
  for (let i = 0; i < 10; i++) {
    world.clock.advance(1_000);
    const body = { url: `https://hooks.example.com/${i}`, events: ['order.created'], description };
    expect((await world.request('POST', '/webhooks', { key: key.secret, body })).status).toBe(201);
  }
};

interface List {
  readonly title: string;
  readonly path: string;
  readonly as?: 'publishable';
  readonly count: number;
  fill(text: string): Promise<void>;
}

const many = 70;
const products = {
  path: '/products',
  count: many,
  fill: (description: string) => commit(many, (ms) => world.store.products.createWrite(account, productOf(ms, { description }))),
};
const lists: readonly List[] = [
  {
    title: 'expenses',
    path: '/expenses',
    count: many,
    fill: (description) => commit(many, (ms) => world.store.expenses.createWrite(account, expenseOf(ms, { description }))),
  },
  {
    title: 'customers',
    path: '/customers',
    count: many,
    fill: (notes) => commit(many, (ms) => world.store.customers.createWrites(account, customerOf(ms, { email: null, notes }))[0] as Write),
  },
  {
    title: 'orders',
    path: '/orders',
    count: many,
    fill: (notes) => commit(many, (ms) => world.store.orders.createWrite(account, orderOf(ms, { items: [orderItemOf({ notes })] }))),
  },
  { title: 'products', ...products },
  { title: 'products to shoppers', ...products, as: 'publishable' },
];

const heaviest = '\u0001'.repeat(6_000);
const texts = [
  ['one byte a character', 'x'.repeat(20_000)],
  ['four bytes a character', '🍰'.repeat(5_000)],
  ['six bytes a character once it is JSON', heaviest],
] as const;

/** Walks the list; bytes of every page, and every id in order. */
const walk = async ({ path, as }: Pick<List, 'path' | 'as'>) => {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor = ''; ; ) {
    const { status, text, body } = await world.request('GET', `${path}?limit=100${cursor}`, {
      key: key[as ?? 'secret'],
      sourceIp: account,
    });
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    sizes.push(Buffer.byteLength(text));
    if (!body.pagination.has_more) return { ids, sizes };
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
};

/** One place weighs the records of every list: one list meets every kind of text, and every list the kind that weighs most. */
const [everyKind] = lists;
const cases = lists.flatMap((list) =>
  texts.filter(([, text]) => list === everyKind || text === heaviest).map(([kind, text]) => ({ ...list, kind, text })),
);
test.each(cases)('$title with long texts of $kind: a page ends before its answer would pass 1 MB, and the rest follows', async (list) => {
  await list.fill(list.text);
  const { ids, sizes } = await walk(list);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
  expect(sizes[0]).toBeGreaterThan(0.9 * maxBytes);
  expect([ids.length, new Set(ids).size]).toEqual([list.count, list.count]);
});

test('webhook endpoints: ten of the longest descriptions are two pages', async () => {
  await register('\u0001'.repeat(20_000));
  const { ids, sizes } = await walk({ path: '/webhooks' });
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
  expect(new Set(ids).size).toBe(10);
});
