import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import { writeCustomer } from '../support/shop.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let account: string;
let key: string;
let customers: readonly Customer[];

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(startMs + ms).toISOString();
const names = ['Ada', 'Bo', 'Cléa', null];
const membersOf = (i: number): Partial<Customer> => ({
  id: randomId('cus', startMs + Math.floor(i / 2) * 1_000),
  first_name: names[i % 4] ?? null,
  last_name: i % 3 === 0 ? 'Miller' : null,
  email: i % 5 === 0 ? null : `Person${i}@Example.com`,
  created_at: at(Math.floor(i / 2) * 1_000),
  updated_at: at((i * 7_919) % 100_000),
});

beforeAll(async () => {
  world = await startWorld();
  account = (await world.createAccount()).id;
  customers = await Promise.all(Array.from({ length: 120 }, (_, i) => writeCustomer(world, account, membersOf(i))));
  await writeCustomer(world, (await world.createAccount()).id, { email: 'Person1@Example.com' });
});
beforeEach(async () => {
  key = await world.createKey(account);
});
afterAll(() => world.stop());

const list = (query: string) => world.request('GET', `/customers?${query}`, { key });

const all = async (query: string, limit: number): Promise<string[]> => {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await list(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect([status, body.error]).toEqual([200, undefined]);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.has_more ? body.pagination.next_cursor : '';
  } while (cursor);
  return ids;
};

const expected = (by: 'created_at' | 'updated_at', keep: (customer: Customer) => boolean): string[] =>
  customers
    .filter(keep)
    .map((customer) => ({ id: customer.id, place: `${customer[by]}#${customer.id}` }))
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ id }) => id);

const nameOf = ({ first_name, last_name }: Customer) => `${first_name ?? ''} ${last_name ?? ''}`.trim().toLowerCase();

test.each<readonly [string, 'created_at' | 'updated_at', (customer: Customer) => boolean]>([
  ['', 'created_at', () => true],
  ['updated_after=2026-01-01', 'updated_at', () => true],
  [`updated_after=${at(50_000)}`, 'updated_at', ({ updated_at }) => updated_at >= at(50_000)],
  ['updated_after=2027-01-01', 'updated_at', () => false],
  ['email=person7@example.com', 'created_at', ({ email }) => email === 'Person7@Example.com'],
  ['email=PERSON7@EXAMPLE.COM', 'created_at', ({ email }) => email === 'Person7@Example.com'],
  ['email=person7@example.co', 'created_at', () => false],
  ['email=', 'created_at', () => false],
  ['email=person7@example.com&updated_after=2026-01-01', 'updated_at', ({ email }) => email === 'Person7@Example.com'],
  ['search=ADA', 'created_at', (customer) => nameOf(customer).includes('ada')],
  ['search=a%20mill', 'created_at', (customer) => nameOf(customer).includes('a mill')],
  ['search=CL%C3%89A', 'created_at', (customer) => nameOf(customer).includes('cléa')],
  ['search=', 'created_at', () => true],
  ['search=example.com', 'created_at', () => false],
  [
    `search=miller&updated_after=${at(30_000)}`,
    'updated_at',
    (customer) => nameOf(customer).includes('miller') && customer.updated_at >= at(30_000),
  ],
  ['search=bo&email=person1@example.com', 'created_at', ({ email }) => email === 'Person1@Example.com'],
])('lists every customer once, latest first, none dropped: %s', async (query, by, keep) => {
  const wanted = expected(by, keep);
  expect(await all(query, 100)).toEqual(wanted);
  expect(await all(query, 13)).toEqual(wanted);
});

test('updated_after is inclusive to the millisecond', async () => {
  const one = customers[17] as Customer;
  expect(await all(`updated_after=${one.updated_at}`, 100)).toContain(one.id);
  expect(await all(`updated_after=${new Date(Date.parse(one.updated_at) + 1).toISOString()}`, 100)).not.toContain(one.id);
});

test('lists a customer as they are retrieved', async () => {
  const { data } = (await list('limit=1')).body;
  expect(data).toEqual([(await world.request('GET', `/customers/${data[0].id}`, { key })).body]);
});

test.each([
  ['updated_after', 'updated_after=yesterday'],
  ['updated_after', 'updated_after=2026-02-30'],
  ['updated_after', 'updated_after='],
  ['email', `email=${'x'.repeat(256)}`],
  ['search', `search=${'x'.repeat(256)}`],
])('%s is refused in %s', async (field, query) => {
  const { status, body } = await list(query);
  expect([status, body]).toEqual([400, { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } }]);
});

describe('a cursor', () => {
  test.each(['updated_after=2026-01-01', 'search=ada', 'email=person7@example.com'])('of another list is refused: %s', async (query) => {
    const cursor = (await list('limit=5')).body.pagination.next_cursor;
    const { status, body } = await list(`${query}&cursor=${cursor}`);
    expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_cursor', 'cursor']);
  });
});
