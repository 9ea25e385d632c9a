import { beforeAll, describe, expect, test } from '@jest/globals';
import { openShop, type Shop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, openCounter, pendingCard } from './page.ts';

const world = shared(startWorld);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(world);
});

const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));

describe('the order of a paid session', () => {
  test.each<[string, Record<string, unknown>, { external_id: string | null; metadata: object }]>([
    ['nothing of its own', {}, { external_id: null, metadata: {} }],
    ['nulls', { metadata: null, external_id: null }, { external_id: null, metadata: {} }],
    [
      'metadata and an external id',
      { metadata: { cart: ' 17 ', empty: '' }, external_id: 'web-17' },
      { external_id: 'web-17', metadata: { cart: '17', empty: '' } },
    ],
    ['as much metadata as is taken', { metadata: fifty }, { external_id: null, metadata: fifty }],
  ])("the order of a paid session has the session's id in metadata, and also %s", async (_, fields, expected) => {
    const counter = await openCounter(world, { shop, fields });
    await counter.pay(approveCard);
    const { order_id } = await counter.session();
    const { body } = await world.request('GET', `/orders/${order_id}`, { key: shop.secretKey });
    expect([body.external_id, body.metadata]).toEqual([expected.external_id, { ...expected.metadata, checkout_session: counter.id }]);
  });

  test("the order of a paid session has the session's id if the bank decides later", async () => {
    const counter = await openCounter(world, { shop, fields: { metadata: { cart: '17' } } });
    await counter.pay(pendingCard);
    await counter.decide('approve');
    const { orders } = await counter.made();
    const { order_id } = await counter.session();
    expect(orders.find(({ id }) => id === order_id)?.metadata).toEqual({ cart: '17', checkout_session: counter.id });
  });
});

test.each<[string, Record<string, unknown>]>([
  ['metadata', { metadata: { ...fifty, k50: '' } }],
  ['metadata', { metadata: [] }],
  ['metadata.a', { metadata: { a: 'x'.repeat(501) } }],
  ['metadata.a', { metadata: { a: 1 } }],
  ['metadata.checkout_session', { metadata: { checkout_session: 'cs_0' } }],
  ['external_id', { external_id: 'x'.repeat(256) }],
  ['external_id', { external_id: 17 }],
])('POST /checkout rejects %s', async (field, fields) => {
  const { status, body } = await shop.open(fields);
  expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_value', field]);
});
