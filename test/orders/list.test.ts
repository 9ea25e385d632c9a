import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Order } from '../../shared/domain/order/record.ts';
import { writeOrder } from '../support/shop.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let account: string;
let key: string;
let orders: readonly Order[];

const day = (i: number): string => `2026-0${1 + (i % 9)}-1${i % 10}`;
const statuses = ['pending', 'confirmed', 'ready', 'cancelled'];
const paymentStatuses = ['pending', 'paid', 'legacy_import'];
const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(startMs + ms).toISOString();

/** 180 orders of which every filter matches some, a fifth of them without a delivery date, several at the same moment. */
const membersOf = (i: number): Partial<Order> => ({
  order_number: i + 1,
  status: statuses[i % 4] as string,
  payment_status: paymentStatuses[i % 3] as string,
  customer_id: i % 5 === 0 ? null : `cus_${i % 2}`,
  delivery_date: i % 5 === 1 ? null : day(i),
  created_at: at(Math.floor(i / 2) * 3_600_000),
  updated_at: at((i * 7_919) % 1_000_000),
});

beforeAll(async () => {
  world = await startWorld();
  account = (await world.createAccount()).id;
  orders = await Promise.all(Array.from({ length: 180 }, (_, i) => writeOrder(world, account, membersOf(i))));
  await writeOrder(world, account, { deleted_at: at(0) });
  await writeOrder(world, (await world.createAccount()).id);
});
beforeEach(async () => {
  key = await world.createKey(account);
});
afterAll(() => world.stop());

const list = (query: string) => world.request('GET', `/orders?${query}`, { key });

/** Every page to the end, as a client loops; a page may be short. */
const all = async (query: string, limit: number): Promise<string[]> => {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await list(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.has_more ? body.pagination.next_cursor : '';
  } while (cursor);
  return ids;
};

const sorts = {
  createdAt: ({ created_at }: Order) => created_at,
  updatedAt: ({ updated_at }: Order) => updated_at,
  deliveryDate: ({ delivery_date }: Order) => delivery_date ?? '',
} as const;

const expected = (sort: keyof typeof sorts, keep: (order: Order) => boolean): string[] =>
  orders
    .filter(keep)
    .map((order) => ({ id: order.id, place: `${sorts[sort](order)}#${order.id}` }))
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ id }) => id);

const filters: readonly (readonly [string, (order: Order) => boolean])[] = [
  ['', () => true],
  ['status=ready', ({ status }) => status === 'ready'],
  ['status=draft', () => false],
  ['status=pending,%20cancelled,pending', ({ status }) => ['pending', 'cancelled'].includes(status)],
  ['status=pending,confirmed,ready,cancelled,draft', () => true],
  ['payment_status=paid', ({ payment_status }) => payment_status === 'paid'],
  ['payment_status=legacy_import', ({ payment_status }) => payment_status === 'legacy_import'],
  ['payment_status=nobody_has_it', () => false],
  ['customer_id=cus_1', ({ customer_id }) => customer_id === 'cus_1'],
  ['customer_id=cus_', () => false],
  ['customer_id=cus_0&status=pending,ready', (o) => o.customer_id === 'cus_0' && ['pending', 'ready'].includes(o.status)],
  ['customer_id=cus_0&payment_status=paid', (o) => o.customer_id === 'cus_0' && o.payment_status === 'paid'],
  ['status=ready,confirmed&payment_status=paid', (o) => ['ready', 'confirmed'].includes(o.status) && o.payment_status === 'paid'],
  [
    'customer_id=cus_1&status=confirmed&payment_status=pending',
    (o) => o.customer_id === 'cus_1' && o.status === 'confirmed' && o.payment_status === 'pending',
  ],
];

describe.each(Object.keys(sorts) as (keyof typeof sorts)[])('sort=%s', (sort) => {
  test.each(filters)('every order once, latest first, none dropped: %s', async (query, keep) => {
    const wanted = expected(sort, keep);
    expect(await all(`sort=${sort}&${query}`, 100)).toEqual(wanted);
    expect(await all(`sort=${sort}&${query}`, 37)).toEqual(wanted);
  });
});

test('orders without a delivery date come last in that sort, and none drops out', async () => {
  const last = (await all('sort=deliveryDate', 50)).slice(-36);
  expect(last.map((id) => orders.find((order) => order.id === id)?.delivery_date)).toEqual(Array(36).fill(null));
});

test('the default sort is by creation', async () => {
  expect(await all('', 100)).toEqual(expected('createdAt', () => true));
});

test('lists the order as it is retrieved, without its payments', async () => {
  const { data } = (await list('limit=1')).body;
  const { payments, ...order } = (await world.request('GET', `/orders/${data[0].id}`, { key })).body;
  expect(payments).toEqual([]);
  expect(data).toEqual([order]);
});

describe('created_after and created_before', () => {
  const between = (from: string, to: string) => expected('createdAt', ({ created_at }) => created_at >= from && created_at <= to);

  test.each([
    ['created_after=2026-01-02T05:00:00Z', at(29 * 3_600_000), '9'],
    ['created_after=2026-01-02T05:00:00.001Z', at(29 * 3_600_000 + 1), '9'],
    ['created_before=2026-01-02T05:00:00Z', '', at(29 * 3_600_000)],
    ['created_before=2026-01-02T04:59:59.999Z', '', at(29 * 3_600_000 - 1)],
    ['created_after=2026-01-02T06:00:00%2B01:00&created_before=2026-01-02T06:00:00%2B01:00', at(29 * 3_600_000), at(29 * 3_600_000)],
    ['created_before=2026-01-02', '', '2026-01-02T23:59:59.999Z'],
    ['created_before=20260102', '', '2026-01-02T23:59:59.999Z'],
    ['created_after=20260102&created_before=2026-01-02T23:59:59.999%2000:00', '2026-01-02', '2026-01-02T23:59:59.999Z'],
    ['created_after=1767330000&created_before=1767330000', at(29 * 3_600_000), at(29 * 3_600_000)],
    ['created_after=2026-01-02&created_before=2026-01-02', '2026-01-02', '2026-01-02T23:59:59.999Z'],
    ['created_after=2026-01-03&created_before=2026-01-02', '2026-01-03', '2026-01-02'],
    ['sort=createdAt&created_after=2026-01-03', '2026-01-03', '9'],
  ])('are inclusive to the millisecond, and a date takes in its whole day: %s', async (query, from, to) => {
    expect(await all(query, 20)).toEqual(between(from, to));
  });

  test('go with the filters', async () => {
    const query = 'created_after=2026-01-02&status=pending,ready&customer_id=cus_0';
    const keep = (o: Order) => o.created_at >= '2026-01-02' && ['pending', 'ready'].includes(o.status) && o.customer_id === 'cus_0';
    expect(await all(query, 5)).toEqual(expected('createdAt', keep));
  });

  test.each([
    ['created_after', 'sort=updatedAt&created_after=2026-01-01'],
    ['created_before', 'sort=deliveryDate&created_before=2026-01-01'],
    ['created_after', 'sort=deliveryDate&created_after=2026-01-01&created_before=2026-02-01'],
  ])('with another sort are refused, naming %s: %s', async (field, query) => {
    const { status, body } = await list(query);
    expect([status, body]).toEqual([
      400,
      { error: { type: 'validation_error', code: 'unsupported_filter_sort_combination', message: expect.any(String), field } },
    ]);
  });
});

test.each([
  ['sort', 'sort=created_at'],
  ['sort', 'sort=total'],
  ['sort', 'sort='],
  ['status', 'status=unknown'],
  ['status', 'status=pending,unknown'],
  ['status', 'status=Pending'],
  ['status', 'status='],
  ['created_after', 'created_after=yesterday'],
  ['created_after', 'created_after=2026-02-30'],
  ['created_after', 'created_after=1767225600000'],
  ['created_after', 'created_after=yesterday&sort=updatedAt'],
  ['created_before', 'created_before='],
  ['created_before', 'created_before=2026-01-01T25:00:00Z'],
  ['customer_id', `customer_id=${'x'.repeat(256)}`],
])('%s is refused in %s', async (field, query) => {
  const { status, body } = await list(query);
  expect([status, body]).toEqual([400, { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } }]);
});

describe('a cursor', () => {
  const cursorOf = async (query: string) => (await list(`${query}&limit=5`)).body.pagination.next_cursor as string;
  const invalid = { error: { type: 'validation_error', code: 'invalid_cursor', message: expect.any(String), field: 'cursor' } };

  test.each(['sort=updatedAt', 'status=pending', 'status=ready,pending', 'customer_id=cus_1', 'created_after=2026-01-01'])(
    'of another list is refused: %s',
    async (query) => {
      const { status, body } = await list(`${query}&cursor=${await cursorOf('status=pending,ready')}`);
      expect([status, body]).toEqual([400, invalid]);
    },
  );

  test('of another account is refused', async () => {
    const stranger = (await world.createAccount()).id;
    const response = await world.request('GET', `/orders?cursor=${await cursorOf('')}`, { key: await world.createKey(stranger) });
    expect([response.status, response.body]).toEqual([400, invalid]);
  });

  test('whose order was deleted is refused', async () => {
    const owner = (await world.createAccount()).id;
    const as = await world.createKey(owner);
    for (const i of [1, 2, 3]) await writeOrder(world, owner, { created_at: at(i) });
    const { pagination, data } = (await world.request('GET', '/orders?limit=2', { key: as })).body;
    const stored = await world.store.orders.get(owner, data[1].id);
    if (!stored) throw new Error('No order.');
    await world.store.commit([world.store.orders.replaceWrite(owner, { ...stored.record, deleted_at: at(9) }, stored.revision)]);
    const response = await world.request('GET', `/orders?limit=2&cursor=${pagination.next_cursor}`, { key: as });
    expect([response.status, response.body]).toEqual([400, invalid]);
    expect((await world.request('GET', `/orders/${data[1].id}`, { key: as })).status).toBe(404);
    expect((await world.request('GET', '/orders', { key: as })).body.data).toHaveLength(2);
  });
});
