import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { randomId } from '../../shared/core/ids.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { api } from '../../shared/http/chain.ts';
import { createTenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const route = { operation: 'wait', method: 'GET', path: '/things', scope: 'reference:read', keys: 'any' } as const;

const world = shared(startWorld);

test('an operation that takes too long returns a 500 in the envelope just before its function ends, logged once', async () => {
  const { key } = await createTenant(world);
  const log: Readonly<Record<string, unknown>>[] = [];
  const never = new Promise<never>(() => undefined);
  const handler = api(
    [route],
    { wait: { decide: () => never } },
    { ...world, region: 'us', newId: randomId, log: (line) => log.push(line) },
  );
  const event = {
    routeKey: routeKey(route),
    rawQueryString: '',
    headers: { host: 'us.api.example.com', authorization: key },
    requestContext: { requestId: 'req-1', http: { method: 'GET', sourceIp: '192.0.2.1' } },
  } as unknown as APIGatewayProxyEventV2;

  const response = await handler(event, { getRemainingTimeInMillis: () => 10 } as Context);
  expect([response.statusCode, JSON.parse(response.body ?? '').error]).toEqual([
    500,
    { type: 'api_error', code: 'internal_error', message: 'The service failed. Repeat the request.' },
  ]);
  expect(response.headers).toMatchObject({ 'X-Request-Id': 'req-1', 'Access-Control-Allow-Origin': '*' });
  expect(log).toEqual([expect.objectContaining({ rid: 'req-1', status: 500, error: expect.objectContaining({ name: 'TimeoutError' }) })]);
});
