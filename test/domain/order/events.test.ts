import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderStatuses } from '../../../shared/domain/enumerations.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { faultsOfPayload } from '../../contract/specification.ts';
import { customerOf, orderItemOf, orderOf } from '../../support/shop.ts';
import { eventsOfKind } from '../emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const order = orderOf(nowMs);
const deleted = { ...order, deleted_at: '2026-03-11T00:00:00.000Z' };
const confirmed = { ...order, status: 'confirmed', previous_status: 'pending' };
const eventsOf = eventsOfKind<Order>('order');
const typesOf = (...change: Parameters<typeof eventsOf>) => eventsOf(...change).map(({ type }) => type);

test.each<[string, Order | undefined, Order | undefined, string[]]>([
  ['creating', undefined, order, ['order.created']],
  ['creating a cancelled', undefined, { ...order, status: 'cancelled' }, ['order.created']],
  ['saving', order, { ...order, notes: 'x' }, ['order.updated']],
  ['saving without a difference', order, order, ['order.updated']],
  ['moving', order, confirmed, ['order.updated', 'order.status_changed']],
  ['saving after a move', confirmed, { ...confirmed, notes: 'x' }, ['order.updated']],
  ['deleting', order, deleted, ['order.deleted']],
  ['touching a deleted', deleted, { ...deleted, customer_name: null }, []],
  ['removing for good', order, undefined, []],
])('%s order emits the specified events only', (_name, before, after, types) => {
  expect(typesOf(before, after)).toEqual(types);
});

test('a write that is not a save emits nothing', () => {
  expect(typesOf(order, confirmed, false)).toEqual([]);
});

test('only order.status_changed has previous_status', () => {
  expect(eventsOf(order, confirmed).map(({ object }) => object['previous_status'])).toEqual([undefined, 'pending']);
  for (const [before, after] of [
    [undefined, confirmed],
    [confirmed, { ...confirmed, notes: 'x' }],
    [confirmed, { ...confirmed, deleted_at: '2026-03-11T00:00:00.000Z' }],
  ] as const)
    for (const { object } of eventsOf(before, after)) expect(Object.keys(object)).not.toContain('previous_status');
});

describe('the payload', () => {
  test('the payload shows the order after the change', () => {
    const customer = customerOf(nowMs, { phone: '1', email: 'ada@example.com' });
    const items = [orderItemOf(), orderItemOf({ quantity: 5 })];
    const full = orderOf(
      nowMs,
      { items, delivery_date: '2026-04-01', delivery_time: '10:00', external_id: 'x', order_type: 'cake' },
      customer,
    );
    expect(eventsOf(order, full)).toEqual([
      {
        type: 'order.updated',
        object: {
          id: full.id,
          order_number: 1001,
          friendly_order_number: '#1001',
          external_id: 'x',
          status: 'pending',
          payment_status: 'pending',
          subtotal: 40,
          tax: 0,
          delivery_fee: 0,
          discount: 0,
          total: 40,
          currency: 'USD',
          customer_id: customer.id,
          customer_name: 'Ada Crumb',
          customer_email: 'ada@example.com',
          customer_phone: '1',
          delivery_type: 'pickup',
          delivery_date: '2026-04-01',
          delivery_time: '10:00',
          items_count: 2,
          order_type: 'cake',
          source: 'api',
          created_at: '2026-03-10T09:00:00.000Z',
          updated_at: '2026-03-10T09:00:00.000Z',
        },
      },
    ]);
  });

  const anyOrder = fc
    .record({
      status: fc.constantFrom(...orderStatuses),
      external_id: fc.option(fc.string(), { nil: null }),
      total: fc.nat().map((cents) => cents / 100),
      deleted_at: fc.constantFrom(null, '2026-03-11T00:00:00.000Z'),
      previous_status: fc.constantFrom(null, ...orderStatuses),
      metadata: fc.dictionary(fc.string(), fc.string()),
    })
    .map((fields) => orderOf(nowMs, { ...fields, id: 'ord_1' }));

  test('the payload of any change has exactly its fields', () => {
    fc.assert(
      fc.property(fc.option(anyOrder, { nil: undefined }), anyOrder, (before, after) => {
        for (const { type, object } of eventsOf(before, after)) expect([type, faultsOfPayload(type, object)]).toEqual([type, []]);
      }),
    );
  });

  test("the payload of any order's history report each status change once, and its deletion once and last", () => {
    fc.assert(
      fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 10 }), (states) => {
        const end = states.findIndex(({ deleted_at }, i) => i > 0 && deleted_at !== null);
        const life = [{ ...states[0], deleted_at: null } as Order, ...states.slice(1, end === -1 ? undefined : end + 1)];
        const types = life.flatMap((state, i) => typesOf(life[i - 1], state));
        const lived = end === -1 ? life : life.slice(0, -1);
        const moves = lived.filter((state, i) => i > 0 && state.status !== lived[i - 1]?.status).length;
        expect(types.filter((type) => type === 'order.status_changed')).toHaveLength(moves);
        expect(types.filter((type) => type === 'order.updated')).toHaveLength(lived.length - 1);
        expect(types.indexOf('order.deleted')).toBe(end === -1 ? -1 : types.length - 1);
      }),
    );
  });
});
