import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHandler, type HttpFunction } from '../../../local/gateway/handle.ts';
import { createOwnEndpoints } from '../../../local/gateway/own-endpoints.ts';
import { createRouter } from '../../../local/gateway/routing.ts';
import { type Gateway, startGateway } from '../../../local/gateway/server.ts';
import { watchSpace } from '../../../local/log.ts';
import { systemClock } from '../../../shared/core/clock.ts';
import type { Region } from '../../../shared/core/config.ts';
import { freePorts } from '../../support/service.ts';

let gateway: Gateway;
let ready: boolean;
let handler: HttpFunction;
let written: Region[];
let actions: unknown[];
const regions = ['us', 'eu'] as const;

beforeEach(async () => {
  ready = true;
  written = [];
  actions = [];
  handler = async (event) => ({ statusCode: 200, headers: { 'X-Region': '?' }, body: event.body ?? '' });
  const handle = createHandler({ clock: systemClock, log: () => {}, space: watchSpace(undefined) });
  gateway = await startGateway({
    port: 0,
    regions,
    log: () => {},
    handle: (region, request, response) =>
      handle(
        {
          router: createRouter<HttpFunction>([]),
          fallback: async (event, context) => {
            const result = await handler(event, context);
            return { ...result, headers: { ...result.headers, 'X-Region': region } };
          },
          written: () => written.push(region),
        },
        request,
        response,
      ),
    pages: [
      createOwnEndpoints({
        regions,
        isReady: async () => ready,
        invokeAction: async (region, call) => {
          actions.push([region, call]);
          return { ok: true, result: 'done' };
        },
        localRegions: async () => [{ region: 'us', url: 'http://127.0.0.1:4001/api/v2', demo: null }],
      }),
    ],
  });
});
afterEach(() => gateway.stop(100));

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly port?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}
const ask = async ({ method = 'GET', path = '/', host = 'localhost', port = gateway.port, headers = {}, body }: Ask) => {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: { host, ...headers }, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
};
/** Returns the response to bytes that are not a valid request. */
const raw = async (bytes: string): Promise<string> => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.end(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
};
const regionPort = (region: Region): number => gateway.regionPorts[region] ?? 0;

/** Joins the lines of an HTTP request or response with CRLF. */
const lines = (...texts: string[]): string => texts.map((text) => `${text}\r\n`).join('');

describe('the host of a request', () => {
  test('a target in absolute form decides, for the region, the function and the path', async () => {
    handler = async ({ rawPath, rawQueryString, headers, requestContext }) => ({
      statusCode: 200,
      body: JSON.stringify([rawPath, rawQueryString, headers['host'], requestContext.domainName]),
    });
    const target = (text: string) => raw(lines(`GET ${text} HTTP/1.1`, 'Host: us.localhost', 'Connection: close', ''));
    const seen = async (text: string) => {
      const response = await target(text);
      return [/x-region: (\w+)/i.exec(response)?.[1], JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))];
    };
    expect(await seen('http://eu.localhost:4000/api/v2/x?y=1')).toEqual(['eu', ['/api/v2/x', 'y=1', 'eu.localhost:4000', 'eu.localhost']]);
    expect(await seen('http://eu.localhost')).toEqual(['eu', ['/', '', 'eu.localhost', 'eu.localhost']]);
    expect(await seen('http://eu.localhost?y=1')).toEqual(['eu', ['/', 'y=1', 'eu.localhost', 'eu.localhost']]);
    expect(await seen('/x')).toEqual(['us', ['/x', '', 'us.localhost', 'us.localhost']]);
  });

  test("a stranger's host in the target keeps pages and actions closed, whatever the Host header says", async () => {
    const body = '{"action":"account.get","region":"us"}';
    const ask = (target: string) =>
      raw(
        lines(
          `POST ${target} HTTP/1.1`,
          'Host: localhost',
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Connection: close',
          '',
        ) + body,
      );
    expect(await ask('http://stranger.example/_local/actions')).not.toContain('HTTP/1.1 200');
    expect(actions).toEqual([]);
  });
});

describe('a body with a Content-Encoding', () => {
  test.each(['gzip', 'deflate', 'br', 'GZIP, identity'])('%s gives 415, and no function reads it', async (encoding) => {
    let isCalled = false;
    handler = async () => {
      isCalled = true;
      return { statusCode: 200 };
    };
    const { status, text } = await ask({ method: 'POST', headers: { 'content-encoding': encoding }, body: '{}' });
    expect([status, JSON.parse(text).error.code, isCalled]).toEqual([415, 'invalid_value', false]);
  });

  test('a Content-Encoding counts only if there is a body', async () => {
    expect((await ask({ headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
  });

  test('a body with Content-Encoding: identity is read', async () => {
    expect((await ask({ method: 'POST', headers: { 'content-encoding': 'identity' }, body: '{}' })).text).toBe('{}');
  });
});

describe('responses of functions', () => {
  test('the gateway passes on status, headers, cookies and body', async () => {
    handler = async () => ({ statusCode: 201, headers: { 'X-A': '1' }, cookies: ['a=1', 'b=2'], body: 'ä' });
    expect(await ask({})).toMatchObject({ status: 201, text: 'ä', headers: { 'x-a': '1', 'set-cookie': ['a=1', 'b=2'] } });
  });
  test('a base64 body is passed on as its bytes', async () => {
    handler = async () => ({ statusCode: 200, body: 'aGk=', isBase64Encoded: true });
    expect((await ask({})).text).toBe('hi');
  });
  test('204 has no body headers', async () => {
    handler = async () => ({ statusCode: 204 });
    const { status, headers } = await ask({ method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers).not.toHaveProperty('content-type');
  });
  test('a function that throws is 500 in the words of the gateway', async () => {
    handler = async () => {
      throw new Error('secret');
    };
    const { status, text, headers } = await ask({});
    expect([status, text]).toEqual([500, '{"message":"Internal Server Error"}']);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
  test('the context tells how much time is left', async () => {
    let remainingMs = 0;
    handler = async (_event, context) => {
      remainingMs = context.getRemainingTimeInMillis();
      return { statusCode: 200 };
    };
    await ask({});
    expect(remainingMs).toBeGreaterThan(28_000);
    expect(remainingMs).toBeLessThanOrEqual(29_000);
  });
  test('the gateway reports a possible write for every method but GET', async () => {
    await ask({ method: 'GET' });
    await ask({ method: 'POST', host: 'eu.localhost', body: 'x' });
    expect(written).toEqual(['eu']);
  });
});

describe('rejections of the gateway', () => {
  test('a body over 10 MB is 413, after it was read', async () => {
    const { status, text, headers } = await ask({ method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1, 'x') });
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'invalid_value' } });
    expect(headers).toHaveProperty('x-request-id');
  });
  test('a body of 10 MB is passed on', async () => {
    handler = async (event) => ({ statusCode: 200, body: String(event.body?.length) });
    expect((await ask({ method: 'POST', body: Buffer.alloc(10 * 1024 * 1024, 'x') })).text).toBe(String(10 * 1024 * 1024));
  });
  test.each([
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: eu.localhost\r\n\r\n', '400 Bad Request'],
    ['credentials in the target', 'GET http://a@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n', '400 Bad Request'],
  ])('the gateway rejects %s with JSON', async (_name, bytes, status) => {
    const text = await raw(bytes);
    expect(text).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toHaveProperty('error');
    expect((await ask({})).status).toBe(200);
  });
  test('an expectation that is not understood is 417', async () => {
    const { status, text } = await ask({ method: 'POST', headers: { expect: 'a miracle' } });
    expect(status).toBe(417);
    expect(JSON.parse(text)).toHaveProperty('error');
  });
  test('a client that leaves in the middle of its body does no harm', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
    await once(socket, 'connect');
    socket.destroy();
    expect((await ask({})).status).toBe(200);
  });
});

describe('/_local/', () => {
  test('/_local/health is 200 when ready and 503 before, on every port', async () => {
    for (const port of [gateway.port, regionPort('us'), regionPort('eu')])
      expect(await ask({ path: '/_local/health', port })).toMatchObject({ status: 200 });
    ready = false;
    expect((await ask({ path: '/_local/health' })).status).toBe(503);
  });
  test('an action reaches its region', async () => {
    const body = JSON.stringify({ region: 'eu', action: 'account.get', account: 'acct_1', input: { a: 1 } });
    const { status, text } = await ask({ method: 'POST', path: '/_local/actions', body });
    expect([status, JSON.parse(text)]).toEqual([200, { ok: true, result: 'done' }]);
    expect(actions).toEqual([['eu', { action: 'account.get', account: 'acct_1', input: { a: 1 } }]]);
  });
  test.each([
    ['no JSON', 'x'],
    ['null', 'null'],
    ['a region that does not run', '{"region":"au","action":"account.get"}'],
    ['no action', '{"region":"us"}'],
    ['an account that is no text', '{"region":"us","action":"account.get","account":1}'],
  ])('/_local/actions rejects %s with 400', async (_name, body) => {
    const { status, text } = await ask({ method: 'POST', path: '/_local/actions', body });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toHaveProperty('error.message');
    expect(actions).toEqual([]);
  });
  test.each([
    { origin: 'http://localhost:4000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ])('a web page cannot run actions: %j is what only browsers say', async (headers: Record<string, string>) => {
    const body = '{"region":"us","action":"account.get"}';
    const { status } = await ask({ method: 'POST', path: '/_local/actions', body, headers });
    expect(status).toBe(403);
    expect(actions).toEqual([]);
  });
  test('a foreign name that leads to this machine runs no actions', async () => {
    const body = '{"region":"us","action":"account.get"}';
    for (const host of ['evil.example', 'localhost.evil.example:4000', '127.0.0.1.evil.example', '10.0.0.1']) {
      const { status } = await ask({ method: 'POST', path: '/_local/actions', body, headers: { host } });
      expect(status).toBe(403);
    }
    expect(actions).toEqual([]);
  });

  test('/_local/places responds to a program on this machine, and to no page or stranger', async () => {
    const { status, text, headers } = await ask({ path: '/_local/places' });
    expect([status, JSON.parse(text)]).toEqual([200, { places: [{ region: 'us', url: 'http://127.0.0.1:4001/api/v2', demo: null }] }]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    for (const strange of [{ origin: 'http://localhost:4000' }, { 'sec-fetch-site': 'same-origin' }, { host: 'evil.example' }]) {
      const response = await ask({ path: '/_local/places', headers: strange });
      expect([response.status, response.text.includes('4001')]).toEqual([403, false]);
    }
  });

  test.each([
    ['GET', '/_local/actions'],
    ['POST', '/_local/health'],
    ['GET', '/_local/'],
    ['GET', '/_local/else'],
  ])('%s %s returns 404', async (method, path) => {
    expect(await ask({ method, path })).toMatchObject({ status: 404 });
  });
});

describe('ports', () => {
  test('a port that becomes free in time is taken', async () => {
    const port = await freePorts();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const start = startGateway({ port, regions: ['us'], log: () => {}, handle: async () => {} });
    server.close();
    const second = await start;
    expect([second.port, second.regionPorts]).toEqual([port, { us: port + 1 }]);
    await second.stop(0);
  });
});
