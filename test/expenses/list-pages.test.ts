import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Expense } from '../../shared/domain/expense/record.ts';
import { bulkPut } from '../support/bulk.ts';
import { expenseOf } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

const count = 330;
const day = 86_400;
const firstDay = Date.UTC(2026, 0, 1) / 1000;
const firstUpdateMs = Date.UTC(2026, 1, 1);
const at = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;

let world: World;
let account: string;
let key: string;
let expenses: readonly Expense[];
beforeAll(async () => {
  world = await startWorld();
  account = (await world.createAccount()).id;
  // Dates and moments of update each repeat, and in different orders, so that ties and both sorts show.
  expenses = Array.from({ length: count }, (_, i) => {
    const supplier = at([null, { id: 'sup_1', name: 'Mill' }, { id: null, name: 'Market' }, { id: 'sup#2', name: null }], i);
    return expenseOf(world.clock.now(), {
      category: at(['ingredients', 'rent', 'other'], i),
      status: at(['submitted', 'draft', 'recorded', 'approved', 'weird status'], i),
      supplier,
      date: firstDay + Math.floor(((i * 7) % count) / 6) * day + at([0, 0, 3_600, day - 1], i),
      updated_at: isoFromMs(firstUpdateMs + Math.floor(((i * 13) % count) / 4) * 1_000),
      deleted_at: i % 11 === 0 ? '2026-03-01T00:00:00.000Z' : null,
    });
  });
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(world.engine.client));
  const neighbour = (await world.createAccount()).id;
  const writes = (owner: string, all: readonly Expense[]) => all.map((expense) => world.store.expenses.createWrite(owner, expense));
  await bulkPut(client, [...writes(account, expenses), ...writes(neighbour, expenses.slice(0, 50))]);
  client.destroy();
});
beforeEach(async () => {
  key = await world.createKey(account);
});
afterAll(() => world.stop());

const list = (query: string) => world.request('GET', `/expenses?${query}`, { key });

/** Every page of a list, followed by has_more alone. */
const listAll = async (query: string, limit: number) => {
  const pages: any[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await list(`${query}&limit=${limit}${cursor}`);
    expect({ status, prev: body.pagination?.prev_cursor, limit: body.pagination?.limit }).toEqual({ status: 200, prev: null, limit });
    pages.push(body);
    if (!body.pagination.has_more) {
      expect(body.pagination.next_cursor).toBeNull();
      return pages;
    }
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
};

const byText = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0);
const byDate = (a: Expense, b: Expense) => b.date - a.date || byText(a.id, b.id);
const byUpdate = (a: Expense, b: Expense) => byText(a.updated_at, b.updated_at) || byText(a.id, b.id);
const iso = (days: number) => new Date((firstDay + days * day) * 1000).toISOString();

const shapes = [
  ['by date', '', byDate, () => true],
  ['by date, said', 'order_by=date', byDate, () => true],
  ['from a date', `date_from=${iso(20)}`, byDate, (one: Expense) => one.date >= firstDay + 20 * day],
  ['up to a whole day', `date_to=${iso(30).slice(0, 10)}`, byDate, (one: Expense) => one.date < firstDay + 31 * day],
  ['up to a second', `date_to=${firstDay + 30 * day}&order_by=date`, byDate, (one: Expense) => one.date <= firstDay + 30 * day],
  [
    'between dates',
    `date_from=${firstDay + 10 * day}&date_to=${iso(40)}`,
    byDate,
    (one: Expense) => one.date >= firstDay + 10 * day && one.date <= firstDay + 40 * day,
  ],
  ['by update', 'order_by=updated_at', byUpdate, () => true],
  [
    'updated since',
    `updated_after=${isoFromMs(firstUpdateMs + 30_000)}`,
    byUpdate,
    (one: Expense) => one.updated_at >= isoFromMs(firstUpdateMs + 30_000),
  ],
] as const;

const filters = [
  ['no filter', '', () => true],
  ['a category', '&category=rent', (one: Expense) => one.category === 'rent'],
  ['a status', '&status=weird%20status', (one: Expense) => one.status === 'weird status'],
  ['a supplier', '&supplier_id=sup%232', (one: Expense) => one.supplier?.id === 'sup#2'],
] as const;

const rows = shapes.flatMap(([shape, query, order, inRange]) =>
  filters.map(([filter, narrowing, matches]) => ({
    title: `${shape}, ${filter}`,
    query: `${query}${narrowing}`,
    order,
    includes: (one: Expense) => one.deleted_at === null && inRange(one) && matches(one),
  })),
);

describe('every record once, in order, over all pages', () => {
  test.each(rows)('$title', async ({ query, order, includes }) => {
    const wanted = expenses.filter(includes).toSorted(order);
    expect(wanted.length).toBeGreaterThan(10);
    const pages = await listAll(query, 37);
    expect(pages.flatMap((page) => page.data.map((one: { id: string }) => one.id))).toEqual(wanted.map(({ id }) => id));
    expect(pages.length).toBe(Math.ceil(wanted.length / 37));
  });

  test.each([1, 50, 100])('with %d a page', async (limit) => {
    const wanted = expenses.filter((one) => one.deleted_at === null && one.supplier?.id === 'sup_1').toSorted(byDate);
    const pages = await listAll('supplier_id=sup_1', limit);
    expect(pages.flatMap((page) => page.data.map((one: { id: string }) => one.id))).toEqual(wanted.map(({ id }) => id));
  });
});

test('the limit may change from page to page', async () => {
  const first = (await list('limit=10')).body;
  const second = (await list(`limit=3&cursor=${first.pagination.next_cursor}`)).body;
  const wanted = (await list('limit=13')).body;
  expect([...first.data, ...second.data]).toEqual(wanted.data);
});

test('without a limit a page has 50', async () => {
  const { data, pagination } = (await list('')).body;
  expect(data).toHaveLength(50);
  expect(pagination).toEqual({ limit: 50, has_more: true, next_cursor: expect.any(String), prev_cursor: null });
});
