import { expect, test } from '@jest/globals';
import { defaultLimit, maxLimit } from '../../shared/core/paging.ts';
import { maxBodyBytes, maxDepth } from '../../shared/http/body.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { corsHeaders } from '../../shared/http/responses.ts';
import { windowSeconds } from '../../shared/table/buckets.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { allRoutes } from '../support/world.ts';

/** Every endpoint: scope, key types, status of success, and whether it honours Idempotency-Key. */
const endpoints = `
  GET    /orders                           orders:read      secret  200
  POST   /orders                           orders:write     secret  201  Idempotency-Key
  GET    /orders/{id}                      orders:read      secret  200
  GET    /customers                        customers:read   secret  200
  POST   /customers                        customers:write  secret  201  Idempotency-Key
  GET    /customers/{id}                   customers:read   secret  200
  GET    /expenses                         expenses:read    secret  200
  POST   /expenses                         expenses:write   secret  201  Idempotency-Key
  GET    /expenses/{id}                    expenses:read    secret  200
  GET    /products                         products:read    any     200
  GET    /products/{id}                    products:read    any     200
  POST   /products/search-token            products:search  any     201
  GET    /reference/payment-methods        reference:read   any     200
  GET    /reference/expense-categories     reference:read   any     200
  GET    /reference/event-categories       reference:read   any     200
  GET    /reference/time-slots             reference:read   any     200
  GET    /reference/blocked-dates          reference:read   any     200
  GET    /reference/custom-fields          reference:read   any     200
  GET    /availability                     reference:read   any     200
  POST   /checkout                         checkout:write   any     201  Idempotency-Key
  POST   /webhooks                         webhooks:manage  secret  201  Idempotency-Key
  GET    /webhooks                         webhooks:manage  secret  200
  GET    /webhooks/{id}                    webhooks:manage  secret  200
  PATCH  /webhooks/{id}                    webhooks:manage  secret  200
  DELETE /webhooks/{id}                    webhooks:manage  secret  200
  POST   /webhooks/{id}/rotate-secret      webhooks:manage  secret  200
  POST   /webhooks/{id}/test               webhooks:manage  secret  200
  GET    /webhooks/{id}/events             webhooks:manage  secret  200
`;

const rows = (table: string): string[] =>
  table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).join(' '))
    .sort();

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
  expect(actual.sort()).toEqual(rows(endpoints));
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

test('rate rules', () => {
  expect({ ...rateRules, test: webhookTestRule, windowSeconds }).toEqual({
    read: { name: 'api-read', limit: 300 },
    write: { name: 'api-write', limit: 100 },
    publicIp: { name: 'api-public-ip', limit: 120 },
    test: { name: expect.any(String), limit: 10 },
    windowSeconds: 60,
  });
});

test('CORS headers, and what of an answer a browser may read', () => {
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

test('bounds of bodies, pages and idempotency', () => {
  expect({ maxBodyBytes, maxDepth, defaultLimit, maxLimit, retentionSeconds: retentionSeconds('idempotency') }).toEqual({
    maxBodyBytes: 262_144,
    maxDepth: 20,
    defaultLimit: 50,
    maxLimit: 100,
    retentionSeconds: 86_400,
  });
});
