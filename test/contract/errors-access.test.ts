import { expect, test } from '@jest/globals';
import { defaultLimit, maxLimit } from '../../shared/core/paging.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { maxBodyBytes, maxDepth } from '../../shared/http/request.ts';
import { corsHeaders } from '../../shared/http/responses.ts';
import { windowSeconds } from '../../shared/table/buckets.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { allRoutes } from '../support/world.ts';
import { endpoints } from './specification.ts';

test('the endpoints are those of the contract, each with its scope, key types, status and idempotency', () => {
  const actual = allRoutes.map((route) =>
    [
      route.method,
      route.path,
      route.scope,
      route.keys,
      'status' in route ? route.status : 200,
      ...(route.idempotent ? ['Idempotency-Key'] : []),
    ].join(' '),
  );
  expect(actual.sort()).toEqual(endpoints.map((row) => row.join(' ')).sort());
});

test('an operation id names one route', () => {
  expect(new Set(allRoutes.map(({ operation }) => operation)).size).toBe(allRoutes.length);
});

test('only the expense categories may be cached, for an hour and by their caller', () => {
  const cached = allRoutes.filter(({ cacheControl = 'no-store' }) => cacheControl !== 'no-store');
  expect(cached.map(({ path, cacheControl }) => [path, cacheControl])).toEqual([
    ['/reference/expense-categories', 'private, max-age=3600'],
  ]);
});

test('the rate limits are those of the contract', () => {
  expect({ ...rateRules, test: webhookTestRule, windowSeconds }).toEqual({
    read: { name: 'api-read', limit: 300 },
    write: { name: 'api-write', limit: 100 },
    publicIp: { name: 'api-public-ip', limit: 120 },
    test: { name: expect.any(String), limit: 10 },
    windowSeconds: 60,
  });
});

test('the CORS headers and the headers that browsers may read are those of the contract', () => {
  const { 'Access-Control-Expose-Headers': exposed, ...others } = corsHeaders;
  expect(others).toEqual({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
    'Access-Control-Max-Age': '86400',
  });
  expect(exposed?.split(', ').sort()).toEqual([
    'Idempotent-Replayed',
    'Retry-After',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Rule',
    'X-Request-Id',
  ]);
});

test('the limits of bodies, pages and Idempotency-Keys are those of the contract', () => {
  expect({ maxBodyBytes, maxDepth, defaultLimit, maxLimit, retentionSeconds: retentionSeconds('idempotency') }).toEqual({
    maxBodyBytes: 262_144,
    maxDepth: 20,
    defaultLimit: 50,
    maxLimit: 100,
    retentionSeconds: 86_400,
  });
});
