import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { StaleDecision } from '../../shared/core/errors.ts';
import { randomId } from '../../shared/core/ids.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { api } from '../../shared/http/chain.ts';
import { startWorld, type World } from '../support/world.ts';

const route = { operation: 'make', method: 'POST', path: '/things', scope: 'orders:write', keys: 'secret', status: 201 } as const;

let world: World;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  key = await world.createKey((await world.createAccount()).id);
});
afterAll(() => world.stop());

let reads: number;
let decided: unknown[];
beforeEach(() => {
  reads = 0;
  decided = [];
});

/** An operation whose first decisions rest on what has changed since. */
const call = async (staleRounds: number) => {
  const handler = api(
    [route],
    {
      make: {
        read: async () => ++reads,
        decide(_call, data) {
          decided.push(data);
          if (decided.length <= staleRounds) throw new StaleDecision('It has changed.', { field: 'email' });
          return { body: { read: data } };
        },
      },
    },
    { ...world, region: 'us', newId: randomId, log: () => {} },
  );
  const event = {
    routeKey: routeKey(route),
    rawQueryString: '',
    headers: { host: 'us.api.example.com', authorization: `Bearer ${key}` },
    requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
  const { statusCode, body = '' } = await handler(event, { getRemainingTimeInMillis: () => 29_000 } as Context);
  return { status: statusCode, body: JSON.parse(body) };
};

test('a decision that rested on what has changed is made again from fresh reads', async () => {
  expect(await call(2)).toEqual({ status: 201, body: { read: 3 } });
  expect(decided).toEqual([1, 2, 3]);
});

test('after three rounds the conflict is the answer', async () => {
  expect(await call(3)).toEqual({
    status: 409,
    body: { error: { type: 'conflict', code: 'conflict', message: 'It has changed.', field: 'email' } },
  });
  expect(decided).toHaveLength(3);
});

test('a decision that holds reads and decides once', async () => {
  expect(await call(0)).toEqual({ status: 201, body: { read: 1 } });
});
