import { beforeEach, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { createTenant, sampleBody, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld, type TestResponse } from '../support/world.ts';

const world = shared(startWorld);
let merchant: Tenant;
let publicKey: string;
beforeEach(async () => {
  merchant = await createTenant(world);
  publicKey = await world.createKey(merchant.account.id, { type: 'publishable' });
});

const [checkout, order] = [routeOf('createCheckout'), routeOf('createOrder')];

const post = (key: string, idempotencyKey: string, route = checkout, body = sampleBody(route)): Promise<TestResponse> =>
  send(world, route, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });

const isReplay = ({ headers }: TestResponse): boolean => headers['Idempotent-Replayed'] === 'true';

describe('a visitor with the publishable key', () => {
  test('a visitor with the publishable key leaves every Idempotency-Key to the merchant', async () => {
    expect((await post(publicKey, 'order-4711')).status).toBe(201);
    const placed = await post(merchant.key, 'order-4711', order);
    expect([placed.status, isReplay(placed)]).toEqual([201, false]);
  });

  test("a visitor with the publishable key does not receive the merchant's stored session, nor the merchant the visitor's", async () => {
    const body = { ...sampleBody(checkout), metadata: { table: '7' } };
    const theirs = await post(merchant.key, 'cart-7', checkout, body);
    const own = await post(publicKey, 'cart-7', checkout, body);
    expect([own.status, isReplay(own), own.body.id === theirs.body.id]).toEqual([201, false, false]);
    expect([(await post(merchant.key, 'cart-7', checkout, body)).text, (await post(publicKey, 'cart-7', checkout, body)).text]).toEqual([
      theirs.text,
      own.text,
    ]);
  });

  test('a visitor with the publishable key cannot find out whether the merchant has used an Idempotency-Key', async () => {
    await post(merchant.key, 'order-4712', order);
    expect((await post(publicKey, 'order-4712')).status).toBe(201);
  });

  test("a visitor neither waits for nor delays the merchant's request with the same Idempotency-Key", async () => {
    let visitor: Promise<TestResponse> | undefined;
    world.wire.intercept(async ({ operation }, next) => {
      // The merchant's request is decided and about to be written.
      if (operation === 'TransactWriteItems' && !visitor) {
        visitor = post(publicKey, 'at-once');
        await visitor;
      }
      return next();
    });
    try {
      expect([(await post(merchant.key, 'at-once', order)).status, (await visitor)?.status]).toEqual([201, 201]);
    } finally {
      world.wire.intercept(undefined);
    }
  });

  test("a visitor with the publishable key shares Idempotency-Keys with the account's other publishable keys", async () => {
    const body = sampleBody(checkout);
    const first = await post(publicKey, 'cart-8', checkout, body);
    const other = await world.createKey(merchant.account.id, { type: 'publishable' });
    const again = await post(other, 'cart-8', checkout, body);
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
  });
});

test('an API key without a type counts as secret for Idempotency-Keys', async () => {
  const legacy = await world.createKey(merchant.account.id, { legacy: true });
  const body = sampleBody(order);
  const first = await post(merchant.key, 'order-1', order, body);
  const again = await post(legacy, 'order-1', order, body);
  expect([isReplay(again), again.text]).toEqual([true, first.text]);
  expect((await post(publicKey, 'order-1')).status).toBe(201);
});
