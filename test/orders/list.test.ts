import { beforeAll, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import type { ListOwner } from '../support/list-sample.ts';
import { listSample } from '../support/lists.ts';
import { shared } from '../support/shared.ts';
import { askPage, idsOf, openList, walkPages } from '../support/walks.ts';
import { startWorld } from '../support/world.ts';

const route = routeOf('listOrders');
const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(startMs + ms).toISOString();

const world = shared(startWorld);
let owner: ListOwner;
/** Two orders per hour from the start on, without deleted ones. */
let orders: readonly Order[];
beforeAll(async () => {
  owner = await openList(world, route);
  orders = (await listSample(route).fill(owner, 180)).filter(({ deleted_at }) => deleted_at === null);
});

const list = (query: string) => askPage(owner, route, query);

test('a list entry equals the retrieved order without its payments', async () => {
  const { data } = (await list('limit=1')).body;
  const { payments, ...order } = (await world.request('GET', `/orders/${data[0].id}`, { key: owner.key })).body;
  expect(payments).toEqual([]);
  expect(data).toEqual([order]);
});

describe('created_after and created_before', () => {
  const between = (from: string, to: string) =>
    orders.filter(({ created_at }) => created_at >= from && created_at <= to).map(({ id }) => id);

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
  ])('created_after and created_before include their own millisecond, and a date its whole day: %s', async (query, from, to) => {
    expect(idsOf(await walkPages(owner, route, `${query}&limit=20`)).sort()).toEqual(between(from, to).sort());
  });

  test.each([
    ['created_after', 'sort=updatedAt&created_after=2026-01-01'],
    ['created_before', 'sort=deliveryDate&created_before=2026-01-01'],
    ['created_after', 'sort=deliveryDate&created_after=2026-01-01&created_before=2026-02-01'],
  ])('created_after and created_before are rejected with another sort, with the field %s: %s', async (field, query) => {
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
  ['external_id', `external_id=${'x'.repeat(256)}`],
])('GET /orders rejects an invalid %s: %s', async (field, query) => {
  const { status, body } = await list(query);
  expect([status, body]).toEqual([400, { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } }]);
});
