import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpResponse } from '../support/http.ts';
import { type Merchant, startJourney } from '../support/journey.ts';
import { exchangeRaw, type RawResponse } from '../support/raw.ts';
import { shared } from '../support/shared.ts';
import { allRoutes } from '../support/world.ts';

const journey = shared(() => startJourney({ regions: ['us'], log: (line) => log.push(line) }));
let merchant: Merchant;
let port: number;
const log: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  merchant = await journey.merchant();
  port = Number(new URL(journey.runtime.urls.us).port);
});

const envelope = {
  error: expect.objectContaining({
    type: expect.stringMatching(/^[a-z_]+$/),
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
  }),
};
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const authorization = (): string => `Authorization: Bearer ${merchant.key}`;
const expense = JSON.stringify({ amount: 5, date: '2026-03-01', category: 'rent' });
const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  journey.request(`${journey.runtime.urls.us}${path}`, method, {
    key: merchant.key,
    ...(body === undefined ? {} : { body }),
    headers,
  });
const only = (responses: readonly RawResponse[]): RawResponse & { body: unknown } => {
  const [response] = responses;
  if (!response) throw new Error('No answer.');
  return { ...response, body: response.text === '' ? undefined : JSON.parse(response.text) };
};

describe('malformed HTTP', () => {
  test.each([
    ['no version', 'GET /api/v2/expenses\r\n\r\n'],
    ['no method', ' /api/v2/expenses HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['words', 'hello there\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['zeros', Buffer.alloc(64)],
    ['a NUL in the path', 'GET /api/v2/ex\0penses HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a NUL in a header', 'GET /api/v2/expenses HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n'],
    ['bread in the path', Buffer.from('GET /api/v2/expenses/🍞 HTTP/1.1\r\nHost: a\r\n\r\n')],
    ['a space in the path', 'GET /api/v2/exp enses HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET /api/v2/expenses HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['no Host', 'GET /api/v2/expenses HTTP/1.1\r\n\r\n'],
    ['two lengths', 'POST /api/v2/expenses HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length that is no number', 'POST /api/v2/expenses HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n{}'],
    [
      'a length beside chunks',
      'POST /api/v2/expenses HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown method', 'BAKE /api/v2/expenses HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['HTTP/9.9', 'GET /api/v2/expenses HTTP/9.9\r\nHost: a\r\n\r\n'],
  ])('%s is rejected with 400 in the envelope, and the connection closes', async (_what, bytes) => {
    const { status, headers, body } = only(await exchangeRaw(port, bytes));
    expect([status, headers['content-type'], headers['connection'], body]).toEqual([400, 'application/json', 'close', envelope]);
    expect(headers['x-request-id']).toMatch(/./);
  });

  test("headers above the gateway's limit are rejected with 431 in the envelope", async () => {
    const { status, body } = only(
      await exchangeRaw(port, head('GET /api/v2/expenses HTTP/1.1', 'Host: a', `X-Big: ${'a'.repeat(20_000)}`)),
    );
    expect([status, body]).toEqual([431, envelope]);
  });

  test('a path above the limit is rejected with 4xx, not 5xx', async () => {
    const { status } = only(await exchangeRaw(port, head(`GET /api/v2/${'a'.repeat(20_000)} HTTP/1.1`, 'Host: a')));
    expect([414, 431]).toContain(status);
  });

  test('the service still serves valid requests afterwards', async () => {
    expect((await send('GET', '/api/v2/expenses')).status).toBe(200);
  });
});

describe('unusual but valid HTTP', () => {
  test('pipelined requests get their responses in order', async () => {
    const get = (path: string) => head(`GET ${path} HTTP/1.1`, 'Host: localhost', authorization());
    const paths = ['/api/v2/expenses', '/api/v1/orders', '/api/v2/nothing', '/api/v2/webhooks', '/api/v2/expenses/exp_none'];
    const responses = await exchangeRaw(port, paths.map(get).join(''), paths.length);
    expect(responses.map(({ status }) => status)).toEqual([200, 410, 404, 200, 404]);
  });

  test('the local service reads all chunks of a chunked body', async () => {
    const chunks = [...expense.matchAll(/.{1,7}/g)].map(([text]) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
    const request = head('POST /api/v2/expenses HTTP/1.1', 'Host: localhost', authorization(), 'Transfer-Encoding: chunked');
    expect(only(await exchangeRaw(port, `${request}${chunks}0\r\n\r\n`)).status).toBe(201);
  });

  test('Expect: 100-continue gets 100 Continue', async () => {
    const request = head(
      'POST /api/v2/expenses HTTP/1.1',
      'Host: localhost',
      authorization(),
      `Content-Length: ${expense.length}`,
      'Expect: 100-continue',
    );
    expect((await exchangeRaw(port, request + expense, 2)).map(({ status }) => status)).toEqual([100, 201]);
  });

  test('HTTP/1.0 is served', async () => {
    expect(only(await exchangeRaw(port, head('GET /api/v2/expenses HTTP/1.0', 'Host: localhost', authorization()))).status).toBe(200);
  });

  test('an absolute request target is served by its path', async () => {
    const request = head('GET http://us.localhost/api/v2/expenses HTTP/1.1', 'Host: localhost', authorization());
    expect(only(await exchangeRaw(port, request)).status).toBe(200);
  });
});

describe('methods', () => {
  const paths = [...new Set(allRoutes.map(({ path }) => path.replace('{id}', 'whe_none')))];
  const known = new Set(allRoutes.map(({ method, path }) => `${method} ${path.replace('{id}', 'whe_none')}`));

  test.each(['PUT', 'HEAD', 'TRACE', 'PROPFIND', 'PATCH', 'DELETE', 'POST', 'GET'])('%s is 404 where no route has it', async (method) => {
    const wrong: unknown[] = [];
    for (const path of paths) {
      if (known.has(`${method} ${path}`)) continue;
      const { status, body, headers } = await send(method, `/api/v2${path}`);
      const isEnvelope = method === 'HEAD' || body?.error?.code === 'not_found';
      if (status !== 404 || !isEnvelope || !headers['x-request-id']) wrong.push([path, status, body]);
    }
    expect(wrong).toEqual([]);
  });

  test('CONNECT opens no tunnel', async () => {
    const [response] = await exchangeRaw(port, head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'));
    expect(response?.status).toBe(400);
  });

  test('an upgrade is ignored', async () => {
    const request = head('GET /api/v2/expenses HTTP/1.1', 'Host: localhost', authorization(), 'Connection: Upgrade', 'Upgrade: websocket');
    expect(only(await exchangeRaw(port, request)).status).toBe(200);
  });
});

describe('bodies', () => {
  test('the service ignores bodies of GET and DELETE', async () => {
    expect((await send('GET', '/api/v2/expenses', 'nonsense')).status).toBe(200);
    expect((await send('DELETE', '/api/v2/webhooks/whe_none', 'nonsense')).status).toBe(404);
  });
});

test('no function failed in any of these tests', () => {
  expect(log.filter((line) => line['message'] === 'function failed' || Number(line['status']) >= 500)).toEqual([]);
});
