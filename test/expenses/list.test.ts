import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { expenseOf } from '../support/records.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let account: string;
let key: string;
beforeAll(async () => {
  account = (await world.createAccount()).id;
});
beforeEach(async () => {
  key = await world.createKey(account);
});

const list = (query: string, as = key) => world.request('GET', `/expenses?${query}`, { key: as });
const ids = async (query: string, as = key): Promise<string[]> => {
  const { status, body } = await list(query, as);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};
const save = async (owner: string, fields: Partial<Expense>) => {
  const expense = expenseOf(world.clock.now(), fields);
  await world.store.commit([world.store.expenses.createWrite(owner, expense)]);
  return expense;
};

describe('a list entry', () => {
  test('a list entry has null for a supplier without a name and for no supplier', async () => {
    const owner = (await world.createAccount()).id;
    await save(owner, { supplier: { id: 'sup_1', name: null } });
    await save(owner, { supplier: null });
    const { body } = await list('', await world.createKey(owner));
    expect(body.data.map((one: { supplier_name: unknown }) => one.supplier_name)).toEqual([null, null]);
  });
});

describe('the bounds of a date range', () => {
  const noon = Date.UTC(2026, 2, 5, 12) / 1000;
  let owner: string;
  let name: Record<string, string>;
  beforeAll(async () => {
    owner = (await world.createAccount()).id;
    const saved = {
      first: await save(owner, { date: 1, updated_at: '2026-03-05T10:00:00.000Z' }),
      midnight: await save(owner, { date: noon - 43_200, updated_at: '2026-03-05T10:00:00.001Z' }),
      noon: await save(owner, { date: noon, updated_at: '2026-03-05T10:00:00.002Z' }),
      lastSecond: await save(owner, { date: noon + 43_199, updated_at: '2026-03-05T10:00:01.000Z' }),
      nextDay: await save(owner, { date: noon + 43_200, updated_at: '2026-03-06T10:00:00.000Z' }),
    };
    name = Object.fromEntries(Object.entries(saved).map(([label, { id }]) => [id, label]));
  });

  test.each([
    ['date_from=2026-03-05', 'nextDay lastSecond noon midnight'],
    ['date_to=2026-03-05', 'lastSecond noon midnight first'],
    ['date_from=2026-03-05&date_to=2026-03-05', 'lastSecond noon midnight'],
    ['date_from=20260305', 'nextDay lastSecond noon midnight'],
    ['date_to=20260305', 'lastSecond noon midnight first'],
    ['date_from=20260305&date_to=2026-03-05', 'lastSecond noon midnight'],
    ['date_from=20261305', 'nextDay lastSecond noon midnight'],
    ['date_to=20260230', 'first'],
    ['date_to=2026-03-05T00:00:00Z', 'midnight first'],
    ['date_to=2026-03-05T12:00:00Z', 'noon midnight first'],
    ['date_from=2026-03-05T12:00:00Z&date_to=2026-03-05T12:00:00Z', 'noon'],
    ['date_from=2026-03-05T12:00:00.001Z', 'nextDay lastSecond'],
    ['date_to=2026-03-05T12:00:00.999Z', 'noon midnight first'],
    ['date_to=2026-03-05T11:59:59.999Z', 'midnight first'],
    [`date_from=${noon}`, 'nextDay lastSecond noon'],
    [`date_from=${noon + 1}`, 'nextDay lastSecond'],
    [`date_to=${noon}`, 'noon midnight first'],
    [`date_to=${noon - 1}`, 'midnight first'],
    ['date_from=2026-03-05T13:00:00%2B01:00&date_to=2026-03-05T13:00:00+01:00', 'noon'],
    ['date_from=1960-01-01&date_to=1970-01-01', 'first'],
    ['date_from=1960-01-01&date_to=1963-06-01', ''],
    ['date_from=0001-01-01&date_to=1969-12-31', ''],
    ['date_from=0&date_to=1', 'first'],
    ['date_to=0', ''],
    ['date_from=9999-12-31', ''],
    ['date_to=9999-12-31', 'nextDay lastSecond noon midnight first'],
    ['date_from=2026-03-06&date_to=2026-03-05', ''],
    ['date_from=2026-03-06&date_to=1960-01-01', ''],
    ['updated_after=2026-03-05T10:00:00.001Z', 'nextDay lastSecond noon midnight'],
    ['updated_after=2026-03-05T10:00:00.003Z', 'nextDay lastSecond'],
    ['updated_after=2026-03-05T10:00:01Z&order_by=updated_at', 'nextDay lastSecond'],
    ['updated_after=2026-03-05T10:00:01Z&order_by=date', 'nextDay lastSecond'],
    ['updated_after=2026-03-05T12:00:01%2B02:00', 'nextDay lastSecond'],
    ['updated_after=2026-03-06', 'nextDay'],
    ['updated_after=20260306', 'nextDay'],
    ['updated_after=2026-03-05T12:00:01+02:00', 'nextDay lastSecond'],
    ['updated_after=1960-01-01', 'nextDay lastSecond noon midnight first'],
    ['updated_after=0000-01-01T00:00:00%2B02:00', 'nextDay lastSecond noon midnight first'],
    ['updated_after=9999-12-31', ''],
  ])('%s include: %s', async (query, expected) => {
    const found = await ids(query, await world.createKey(owner));
    expect(found.map((id) => name[id]).join(' ')).toBe(expected);
  });
});

describe('rejected filters', () => {
  test.each(
    [
      ['updated_after=2026-01-01&date_from=2026-01-01', 'conflicting_filters', 'date_from'],
      ['updated_after=2026-01-01&date_to=2026-01-01', 'conflicting_filters', 'date_to'],
      ['order_by=updated_at&date_from=2026-01-01', 'conflicting_filters', 'date_from'],
      ['order_by=updated_at&date_to=2026-01-01', 'conflicting_filters', 'date_to'],
      ['order_by=updated_at&date_from=2026-01-01&date_to=2026-01-02', 'conflicting_filters', 'date_from'],
      ['order_by=updated_at&updated_after=2026-01-01&date_to=1', 'conflicting_filters', 'date_to'],
      ['category=rent&status=draft', 'invalid_value', 'status'],
      ['status=draft&supplier_id=s', 'invalid_value', 'supplier_id'],
      ['category=rent&supplier_id=s', 'invalid_value', 'supplier_id'],
      ['category=rent&status=draft&supplier_id=s', 'invalid_value', 'status'],
      ['category=&status=', 'invalid_value', 'status'],
      ...['amount', '', 'DATE', 'updated_at%20', 'date,updated_at', '-date'].map((value) => [
        `order_by=${value}`,
        'invalid_value',
        'order_by',
      ]),
      ...['soon', '', '2026-02-30', '2026-13-01', '-1', '1.5', '1772668800000', '2026-03-05T25:00Z'].flatMap((value) =>
        ['date_from', 'date_to'].map((name) => [`${name}=${value}`, 'invalid_value', name]),
      ),
      ...['soon', '', '2026-02-30', '1772668800', '2026-03-05T10:00:00Zjunk'].map((value) => [
        `updated_after=${value}`,
        'invalid_value',
        'updated_after',
      ]),
      ...['category', 'status', 'supplier_id'].flatMap((name) => [
        [`${name}=a%00b`, 'invalid_value', name],
        [`${name}=${'x'.repeat(256)}`, 'invalid_value', name],
      ]),
    ].map(([query, code, field]) => ({ query, code, field, title: String(query).slice(0, 80) })),
  )('GET /expenses rejects $title with $code and $field', async ({ query, code, field }) => {
    const { status, body } = await list(String(query));
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: { type: 'validation_error', code, message: expect.any(String), field } },
    });
  });
});
