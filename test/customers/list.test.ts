import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Customer } from '../../shared/domain/customer/fields.ts';
import { shared } from '../support/shared.ts';
import { writeCustomer } from '../support/shop.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let account: string;
let key: string;
let ada: Customer;

beforeAll(async () => {
  account = (await world.createAccount()).id;
  await writeCustomer(world, account, { first_name: 'Bo', last_name: null, email: null });
  world.clock.advance(1_000);
  ada = await writeCustomer(world, account, { first_name: 'Ada', last_name: 'Miller', email: 'Ada@Example.com' });
  await writeCustomer(world, (await world.createAccount()).id, { email: 'Ada@Example.com' });
});
beforeEach(async () => {
  key = await world.createKey(account);
});

const list = (query: string) => world.request('GET', `/customers?${query}`, { key });
const ids = async (query: string): Promise<string[]> => {
  const { status, body } = await list(query);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.map(({ id }: { id: string }) => id);
};

test.each([
  ['email=ada@example.com', true],
  ['email=ADA@EXAMPLE.COM', true],
  ['email=ada@example.co', false],
  ['email=', false],
  ['email=ada@example.com&updated_after=2026-01-01', true],
  ['email=ada@example.com&updated_after=2027-01-01', false],
  ['email=ada@example.com&search=mill', true],
  ['email=ada@example.com&search=bo', false],
  ['search=example.com', false],
  ['updated_after=2027-01-01', false],
])('the list finds a customer by %s: %s', async (query, found) => {
  expect(await ids(query)).toEqual(found ? [ada.id] : []);
});

test('the list finds an email with a plus sign that the query holds encoded, not encoded, or as a space', async () => {
  const tenant = (await world.createAccount()).id;
  const { id } = await writeCustomer(world, tenant, { email: 'ann+cakes@example.com' });
  key = await world.createKey(tenant);
  for (const plus of ['%2B', '+', '%20']) expect(await ids(`email=ann${plus}cakes@example.com`)).toEqual([id]);
});

test.each(['till 7', ' a#1 & b ', '<b>bold</b>', '1<2', '🍰'])(
  'the list finds the external id that a customer was created with: %j',
  async (external_id) => {
    const tenant = (await world.createAccount()).id;
    key = await world.createKey(tenant);
    const { body } = await world.request('POST', '/customers', { key, body: { last_name: 'Lind', external_id } });
    await world.request('POST', '/customers', { key, body: { last_name: 'Lind' } });
    expect(await ids(`external_id=${encodeURIComponent(external_id)}`)).toEqual([body.id]);
  },
);

test('the list ignores an empty search', async () => {
  expect(await ids('search=')).toHaveLength(2);
});

test('a list entry equals the retrieved customer', async () => {
  const { data } = (await list('limit=1')).body;
  expect(data).toEqual([(await world.request('GET', `/customers/${ada.id}`, { key })).body]);
});

test('a list by email takes two round trips', async () => {
  await list('');
  world.wire.reset();
  await ids('email=ada@example.com');
  expect(world.wire.sequentialTrips()).toBe(2);
});

test('a list by email has one page and rejects a cursor', async () => {
  const { next_cursor } = (await list('limit=1')).body.pagination;
  expect(await list(`email=ada@example.com&cursor=${next_cursor}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_cursor' } },
  });
});

test.each([
  ['updated_after', 'updated_after=yesterday'],
  ['updated_after', 'updated_after=2026-02-30'],
  ['updated_after', 'updated_after='],
  ['email', `email=${'x'.repeat(256)}`],
  ['search', `search=${'x'.repeat(256)}`],
  ['external_id', `external_id=${'x'.repeat(256)}`],
  ['external_id', 'external_id=till-7&email=ada@example.com'],
])('the list rejects an invalid %s: %s', async (field, query) => {
  const { status, body } = await list(query);
  expect([status, body]).toEqual([400, { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } }]);
});
