import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;

const check = async (method: string, path: string, status: number, type: string, code: string): Promise<void> => {
  world.wire.reset();
  world.log.length = 0;
  const response = await world.request(method, path, { host: 'au.api.example.com', headers: { authorization: 'nonsense' } });
  expect([response.status, response.body]).toEqual([status, { error: { type, code, message: expect.stringMatching(/\w/) } }]);
  expect(response.headers).toEqual({
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': expect.stringMatching(/^req-/),
  });
  expect(world.wire.calls).toEqual([]);
  expect(world.log).toEqual([{ rid: response.headers['X-Request-Id'], op: 'fallback', status, ms: expect.any(Number), code }]);
};

test.each(methods.flatMap((method) => ['/api/v1', '/api/v1/', '/api/v1/expenses', '/api/v1/a/b?c=d'].map((path) => ({ method, path }))))(
  '$method $path returns 410 without authentication and CORS',
  async ({ method, path }) => {
    await check(method, path, 410, 'deprecated', 'api_version_deprecated');
  },
);

test.each([
  ...['/', '/expenses/a/b', '/webhooks/a/secret', '/reference', '/reference/nothing', '/v1', '/Expenses'].map((path) => ['GET', path]),
  ...[
    ['PUT', '/expenses'],
    ['DELETE', '/expenses/exp_1'],
    ['PATCH', '/expenses/exp_1'],
    ['POST', '/reference/expense-categories'],
    ['PUT', '/webhooks/whe_1'],
    ['HEAD', '/expenses'],
    ['OPTIONS', '/webhooks'],
    ['GET', '/api'],
    ['GET', '/api/v11/expenses'],
    ['GET', '/api/v3/expenses'],
  ],
])('%s %s returns 404 without authentication and CORS', async (method, path) => {
  await check(method ?? '', path ?? '', 404, 'not_found', 'not_found');
});
