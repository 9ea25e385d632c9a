import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError, StaleDecision } from '../../shared/core/errors.ts';
import { randomId } from '../../shared/core/ids.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { api } from '../../shared/http/chain.ts';
import { shared } from '../support/shared.ts';
import { startWorld, unhurried } from '../support/world.ts';

// Guarantee 13 (docs/guarantees.md)

const route = { operation: 'make', method: 'POST', path: '/things', scope: 'orders:write', keys: 'secret', status: 201 } as const;

const world = shared(startWorld);
let key: string;
beforeAll(async () => {
  key = await world.createKey((await world.createAccount()).id);
});

let reads: number;
let decided: unknown[];
beforeEach(() => {
  reads = 0;
  decided = [];
});

const eventBy = (bearer: string) =>
  ({
    routeKey: routeKey(route),
    rawQueryString: '',
    headers: { host: 'us.api.example.com', authorization: `Bearer ${bearer}` },
    requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2;

/**
 * Runs an operation. Its first decisions fail because records have changed since they were read.
 */
const call = async (staleRounds: number) => {
  const handler = api(
    [route],
    {
      make: {
        read: async () => ++reads,
        decide(_call: unknown, data: unknown) {
          decided.push(data);
          if (decided.length <= staleRounds) throw new StaleDecision('It has changed.', { field: 'email' });
          return { result: { read: data } };
        },
      },
    },
    { ...world, region: 'us', newId: randomId, log: () => {} },
  );
  const { statusCode, body = '' } = await handler(eventBy(key), unhurried);
  return { status: statusCode, body: JSON.parse(body) };
};

test('a decision on records that have changed is repeated with new reads', async () => {
  expect(await call(2)).toEqual({ status: 201, body: { read: 3 } });
  expect(decided).toEqual([1, 2, 3]);
});

test('a request returns the conflict after three rounds', async () => {
  expect(await call(3)).toEqual({
    status: 409,
    body: { error: { type: 'conflict', code: 'conflict', message: 'It has changed.', field: 'email' } },
  });
  expect(decided).toHaveLength(3);
});

test('a decision without conflict reads and decides once', async () => {
  expect(await call(0)).toEqual({ status: 201, body: { read: 1 } });
});

test('a decision that is repeated gets the account as it is then', async () => {
  const { id } = await world.createAccount({ order_limit: null });
  const limits: unknown[] = [];
  const operation = {
    async decide(_call: unknown, _data: unknown, { order_limit }: { readonly order_limit: number | null }) {
      limits.push(order_limit);
      if (limits.length === 3) return { result: {} };
      const updated_at = new Date(world.clock.now()).toISOString();
      await world.store.commit([world.store.accounts.updateWrite(id, { order_limit: limits.length, updated_at }, order_limit)]);
      throw new StaleDecision('It has changed.');
    },
  };
  const handler = api([route], { make: operation }, { ...world, region: 'us', newId: randomId, log: () => {} });
  expect((await handler(eventBy(await world.createKey(id)), unhurried)).statusCode).toBe(201);
  expect(limits).toEqual([null, 1, 2]);
});

describe('a request that is rejected after another with its Idempotency-Key was stored', () => {
  const keyed = { ...route, operation: 'claim', path: '/claims', idempotent: true, body: v.object({ text: v.string() }) } as const;
  /** Lets a second request through before the operation rejects the first. */
  let meanwhile: (() => Promise<unknown>) | undefined;

  const claim = async (text: string) => {
    const handler = api(
      [keyed],
      {
        claim: {
          async decide() {
            const other = meanwhile;
            meanwhile = undefined;
            if (!other) return { result: { claimed: text } };
            await other();
            throw new ApiError('conflict', 'Somebody has it.');
          },
        },
      },
      { ...world, region: 'us', newId: randomId, log: () => {} },
    );
    const event = {
      routeKey: routeKey(keyed),
      rawQueryString: '',
      headers: { host: 'us.api.example.com', authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
      requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
      body: JSON.stringify({ text }),
      isBase64Encoded: false,
    } as unknown as APIGatewayProxyEventV2;
    const { statusCode, headers, body = '' } = await handler(event, unhurried);
    return { status: statusCode, isReplay: headers?.['Idempotent-Replayed'] === 'true', body: JSON.parse(body) };
  };
  let idempotencyKey: string;
  beforeEach(() => {
    idempotencyKey = crypto.randomUUID();
  });

  test('a rejected request returns the response that another with its Idempotency-Key stored meanwhile', async () => {
    meanwhile = () => claim('a');
    expect(await claim('a')).toEqual({ status: 201, isReplay: true, body: { claimed: 'a' } });
  });

  test('a rejected request fails with idempotency_key_reused if another with its key was different', async () => {
    meanwhile = () => claim('b');
    expect(await claim('a')).toMatchObject({ status: 422, body: { error: { code: 'idempotency_key_reused' } } });
  });

  test('two rejected requests with one Idempotency-Key leave it free', async () => {
    meanwhile = async () => undefined;
    expect(await claim('a')).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await claim('a')).toEqual({ status: 201, isReplay: false, body: { claimed: 'a' } });
  });
});
