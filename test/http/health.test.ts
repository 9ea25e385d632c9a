import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fallback } from '../../functions/fallback/app.ts';
import { toGatewayEvent } from '../../local/gateway/event.ts';
import { invocationContext } from '../../local/lambda.ts';
import { createClock } from '../support/clock.ts';

const ask = async (method: string, target: string) => {
  const clock = createClock();
  const log: object[] = [];
  const handle = fallback({ clock, log: (line) => void log.push(line), region: 'au' });
  const request = {
    ...{ method, target, protocol: 'HTTP/1.1', rawHeaders: ['host', 'au.api.example.com'], sourceIp: '192.0.2.1' },
    ...{ body: Buffer.alloc(0), receivedMs: clock.now(), requestId: 'req-1' },
  };
  const event = toGatewayEvent(request, { routeKey: '$default' });
  const response = await handle(event, invocationContext('fallback', 29_000));
  return { response, log };
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Request-Id': 'req-1' };

test('GET /health returns the region and the version of package.json, without a key', async () => {
  const { response, log } = await ask('GET', '/health?probe=1');
  expect({ ...response, body: JSON.parse(response.body ?? '') }).toEqual({
    statusCode: 200,
    headers,
    body: { status: 'ok', region: 'au', version },
  });
  expect(log).toEqual([{ rid: 'req-1', op: 'fallback', status: 200, ms: 0 }]);
});

test('HEAD /health returns the headers of GET without a body', async () => {
  expect((await ask('HEAD', '/health')).response).toEqual({ statusCode: 200, headers, body: '' });
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s /health returns 405 with the methods that it has', async (method) => {
  const { response } = await ask(method, '/health');
  expect({ ...response, body: JSON.parse(response.body ?? '') }).toEqual({
    statusCode: 405,
    headers: { ...headers, Allow: 'GET, HEAD' },
    body: { error: { type: 'invalid_request_error', code: 'method_not_allowed', message: '/health accepts GET and HEAD only.' } },
  });
});

test('GET /health returns 200 if the caller asks for this region, and 421 if the address should lead to another', async () => {
  expect((await ask('GET', '/health?region=au')).response.statusCode).toBe(200);
  const { response } = await ask('GET', '/health?region=us');
  expect({ ...response, body: JSON.parse(response.body ?? '') }).toEqual({
    statusCode: 421,
    headers,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'misdirected_request',
        message: 'This is the region au. Use the address of your region.',
      },
    },
  });
});

test.each(['/health/', '/health/x', '/Health', '/api/v2/health', '/healthz'])('GET %s returns 404', async (path) => {
  expect((await ask('GET', path)).response.statusCode).toBe(404);
});
