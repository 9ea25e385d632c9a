import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { deliveryHeaders, signatureHeader } from '../../shared/webhooks/signing.ts';
import { until } from '../support/eventually.ts';
import { deliveryTo, failed, httpServer, newSender, ok, rawServer, respondingServer, shortMs, stoppedTime, succeeded } from './sending.ts';
import { onRequest, startRawServer } from './servers.ts';

describe('a request to a receiver', () => {
  test('a delivery is a POST of the path and query with the signed headers, and does not identify the endpoint', async () => {
    let got: { method?: string | undefined; url?: string | undefined; headers: Record<string, unknown> } | undefined;
    const port = await httpServer(({ method, url, headers }, response) => {
      got = { method, url, headers };
      response.end();
    });
    const body = '{"id":"evt_1"}';
    const headers = deliveryHeaders({ eventId: 'evt_1', secret: 'whsec_a', previousSecret: 'whsec_b', nowMs: 1_700_000_000_000, body });
    await newSender().send(deliveryTo(port, { url: `http://127.0.0.1:${port}/a%20b/ü?c=d&c=e#fragment`, headers, body }));
    expect(got).toEqual({
      method: 'POST',
      url: '/a%20b/%C3%BC?c=d&c=e',
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'content-length': '14',
      },
    });
  });

  test('a request to a receiver matches its signature byte for byte, even if the text is not well-formed Unicode', async () => {
    let verified: boolean | undefined;
    const port = await httpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const header = String(request.headers['x-webhook-signature']);
      verified = header === signatureHeader('whsec_a', 1_700_000_000, Buffer.concat(chunks));
      response.end();
    });
    const body = '{"name":"\ud800 🥐 \u2028"}';
    const headers = deliveryHeaders({ eventId: 'evt_1', secret: 'whsec_a', nowMs: 1_700_000_000_000, body });
    await newSender().send(deliveryTo(port, { headers, body }));
    expect(verified).toBe(true);
  });

  test.each([
    ['text beyond ASCII', '{"name":"Zoë’s Bäckerei 🥐","nul":"\\u0000","lone":"\\ud800"}'],
    ['bytes that are no text', Uint8Array.from({ length: 256 }, (_, i) => i)],
    ['an empty body', ''],
    ['a body of a megabyte', 'é'.repeat(500_000)],
  ])('a request to a receiver contains the exact bytes of %s, with their length', async (_name, body) => {
    let got: { bytes: Buffer; length: string | undefined } | undefined;
    const port = await httpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      got = { bytes: Buffer.concat(chunks), length: request.headers['content-length'] };
      response.end();
    });
    expect(await newSender().send(deliveryTo(port, { body }))).toEqual(succeeded(200));
    expect(got?.bytes.equals(Buffer.from(body as string))).toBe(true);
    expect(got?.length).toBe(String(got?.bytes.length));
  });
});

describe('the outcome of an attempt', () => {
  test.each([300, 301, 302, 303, 304, 307, 308, 399])(
    'the outcome of an attempt with status %i is redirect_not_followed',
    async (status) => {
      const target = await respondingServer(ok);
      const { port } = await respondingServer(
        `HTTP/1.1 ${status} X\r\nLocation: http://127.0.0.1:${target.port}/\r\n${status === 304 ? '' : 'Content-Length: 0\r\n'}\r\n`,
      );
      expect(await newSender().send(deliveryTo(port))).toEqual({
        success: false,
        statusCode: status,
        responseTimeMs: expect.any(Number),
        error: 'redirect_not_followed',
        receiverResponse: { contentType: null, body: Buffer.alloc(0) },
      });
      expect(target.connections()).toBe(0);
    },
  );

  test('the outcome of an attempt has the response time from the start to the status line, not to the end of the body', async () => {
    const { time, set, looks } = stoppedTime();
    const requested = Promise.withResolvers<Socket>();
    const { port } = await rawServer((socket) => onRequest(socket, () => requested.resolve(socket)));
    set(1_000);
    const sent = newSender(time).send(deliveryTo(port));
    const socket = await requested.promise;
    set(1_100.4);
    const before = looks();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
    await until(() => looks() > before);
    set(5_000);
    socket.write('ok');
    expect((await sent).responseTimeMs).toBe(100);
  });
});

describe('the outcome no_response', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['a connection that is closed at once', (socket) => socket.end()],
    ['a connection that is reset at once', (socket) => socket.resetAndDestroy()],
    ['a close instead of an answer', (socket) => onRequest(socket, () => socket.end())],
    ['a reset instead of an answer', (socket) => onRequest(socket, () => socket.resetAndDestroy())],
    ['a TLS server that speaks to a plain client', (socket) => socket.write(Buffer.from('15030300020228', 'hex'))],
  ])('the outcome is no_response for %s', async (_name, script) => {
    const { port, connections } = await rawServer(script);
    expect(await newSender().send(deliveryTo(port))).toEqual(failed);
    expect(connections()).toBe(1);
  });

  test('the outcome is no_response for a refused connection', async () => {
    const { port, close } = await startRawServer(() => {});
    await close();
    expect(await newSender().send(deliveryTo(port))).toEqual(failed);
  });

  test.each([
    ['silence', ''],
    ['a status line that never ends', 'HTTP/1.1 200 OK'],
  ])('the outcome is no_response for %s until the timeout, after which the connection closes', async (_name, bytes) => {
    const closed = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    const { port } = await rawServer((socket) => {
      socket.once('close', () => closed.resolve());
      onRequest(socket, () => {
        socket.write(bytes);
        requested.resolve();
      });
    });
    const { time, fire, waiting } = stoppedTime();
    const sent = newSender(time).send(deliveryTo(port, { timeoutMs: shortMs }));
    await requested.promise;
    expect(waiting()).toEqual([shortMs]);
    fire(shortMs);
    expect(await sent).toEqual(failed);
    await closed.promise;
  });

  test('the outcome is no_response for a receiver that never reads the body', async () => {
    const { port } = await rawServer((socket) => socket.pause());
    expect(await newSender().send(deliveryTo(port, { body: 'x'.repeat(20_000_000), timeoutMs: shortMs }))).toEqual(failed);
  });

  test('the outcome is no_response for a response after the timeout', async () => {
    const respondedLate = Promise.withResolvers<void>();
    const port = await httpServer((_request, response) => {
      setTimeout(() => response.end(() => respondedLate.resolve()), shortMs * 2);
      response.once('close', () => respondedLate.resolve());
    });
    expect(await newSender().send(deliveryTo(port, { timeoutMs: shortMs }))).toEqual(failed);
    await respondedLate.promise;
  });

  test('the outcome is no_response for a header that HTTP does not allow: send never rejects', async () => {
    const { port, connections } = await respondingServer(ok);
    expect(await newSender().send(deliveryTo(port, { headers: { 'X-Webhook-Id': 'a\r\nX-Injected: b' } }))).toEqual(failed);
    expect(connections()).toBe(0);
  });
});

describe('the body of a response', () => {
  test('a body that arrives slowly past the timeout ends in success, and the connection closes', async () => {
    const closed = Promise.withResolvers<void>();
    const { port } = await rawServer((socket) => {
      socket.once('close', () => closed.resolve());
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const drip = setInterval(() => socket.write('1\r\nx\r\n'), 20);
        socket.once('close', () => clearInterval(drip));
      });
    });
    const { time, fire, waiting } = stoppedTime();
    const sent = newSender(time).send(deliveryTo(port, { timeoutMs: 500 }));
    await until(() => waiting().length === 2);
    fire(500);
    expect(await sent).toEqual(succeeded(200));
    expect(waiting()).toEqual([]);
    await closed.promise;
  });

  test('the body of a response is read up to 64 KiB', async () => {
    const closed = Promise.withResolvers<void>();
    let taken = 0;
    const { port } = await rawServer((socket) => {
      socket.once('close', () => closed.resolve());
      onRequest(socket, () => {
        socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 1000000000\r\n\r\n');
        const pour = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(16_384))) taken += 16_384;
        };
        socket.on('drain', pour);
        pour();
      });
    });
    expect(await newSender().send(deliveryTo(port))).toMatchObject({ statusCode: 500, error: 'http_error' });
    await closed.promise;
    expect(taken).toBeLessThan(50_000_000);
  });

  test('the body of a response that ends before the request was read also ends the connection', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const length = 20_000_000;
    const { port } = await rawServer((socket) => {
      accepted.resolve(socket);
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
      });
    });
    expect(await newSender().send(deliveryTo(port, { body: 'x'.repeat(length) }))).toMatchObject({ statusCode: 413, error: 'http_error' });
    const socket = await accepted.promise;
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(length);
  });
});
