import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender, type Delivery, type SenderOptions } from '../../shared/webhooks/sender.ts';
import { listen, startRawServer } from './servers.ts';

const pem = (name: string): string => readFileSync(new URL(`../support/tls/${name}`, import.meta.url), 'utf8');
const ca = pem('ca.pem');
const key = pem('server.key');
const cert = pem('server.pem');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Returns a sender that trusts only the test authority and resolves every name to loopback. */
const newSender = (options: Partial<SenderOptions> = {}) => {
  const sender = createSender({
    policy: { ...productionPolicy, allowLoopback: true },
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ca,
    ...options,
  });
  cleanups.push(() => sender.close());
  return sender;
};

/** Responds to every request with 200, except those that `intercept` handles. */
const httpsServer = async (options: ServerOptions, intercept: (request: IncomingMessage, count: number) => unknown = () => false) => {
  let requests = 0;
  let connections = 0;
  const server = createServer(options, (request, response) => {
    requests += 1;
    if (intercept(request, requests) === false) request.resume().once('end', () => response.end('ok'));
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => {});
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listen(server), requests: () => requests, connections: () => connections };
};

const deliveryTo = (port: number, changes: Partial<Delivery> = {}): Delivery => ({
  url: `https://hooks.example.test:${port}/hook`,
  headers: { 'Content-Type': 'application/json' },
  body: '{"a":"ü"}',
  timeoutMs: 60_000,
  ...changes,
});

const failed = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };
const succeeded = { success: true, statusCode: 200, responseTimeMs: expect.any(Number), error: null };

describe('TLS', () => {
  test('a receiver with a valid certificate gets several attempts on one connection', async () => {
    const server = await httpsServer({ key, cert });
    const sender = newSender();
    for (let i = 0; i < 3; i += 1) expect(await sender.send(deliveryTo(server.port))).toEqual(succeeded);
    expect([server.requests(), server.connections()]).toEqual([3, 1]);
  });

  test('a trailing dot of the name makes no difference', async () => {
    const server = await httpsServer({ key, cert });
    expect(await newSender().send(deliveryTo(server.port, { url: `https://hooks.example.test.:${server.port}/` }))).toEqual(succeeded);
  });

  test.each<[string, ServerOptions, Partial<SenderOptions>, string]>([
    ['from an authority that is not publicly trusted', { key, cert }, {}, 'hooks.example.test'],
    ['for another name', { key, cert }, { ca }, 'shop.example.test'],
    ['for a name, not for the address', { key, cert }, { ca }, '127.0.0.1'],
    ['that has expired', { key, cert: pem('expired.pem') }, { ca }, 'hooks.example.test'],
  ])('a certificate %s causes no_response, and no request is sent', async (_name, options, trust, host) => {
    const server = await httpsServer(options);
    const sender = createSender({
      policy: { ...productionPolicy, allowLoopback: true },
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      ...trust,
    });
    cleanups.push(() => sender.close());
    expect(await sender.send(deliveryTo(server.port, { url: `https://${host}:${server.port}/` }))).toEqual(failed);
    expect([server.requests(), server.connections()]).toEqual([0, 1]);
  });

  test('a server with only obsolete protocol versions causes no_response', async () => {
    const server = await httpsServer({ key, cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await newSender().send(deliveryTo(server.port))).toEqual(failed);
    expect(server.requests()).toBe(0);
  });

  test.each<[string, Parameters<typeof startRawServer>[0]]>([
    ['a server that speaks plain HTTP', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')],
    ['a reset within the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['a close within the handshake', (socket) => socket.once('data', () => socket.end())],
  ])('%s causes no_response', async (_name, script) => {
    const server = await startRawServer(script);
    cleanups.push(server.close);
    expect(await newSender().send(deliveryTo(server.port))).toEqual(failed);
  });

  test('a handshake that never ends causes no_response at the timeout', async () => {
    const server = await startRawServer(() => {});
    cleanups.push(server.close);
    expect(await newSender().send(deliveryTo(server.port, { timeoutMs: 200 }))).toEqual(failed);
  });

  test('a server that requests renegotiations instead of responding causes no_response', async () => {
    const limit = tls.CLIENT_RENEG_LIMIT;
    cleanups.push(() => Object.assign(tls, { CLIENT_RENEG_LIMIT: limit }));
    Object.assign(tls, { CLIENT_RENEG_LIMIT: Number.MAX_SAFE_INTEGER });
    const enough = 1_000;
    let handshakes = 0;
    const server = await httpsServer({ key, cert, maxVersion: 'TLSv1.2' }, ({ socket }) => {
      const again = (): void => {
        handshakes += 1;
        if (handshakes < enough) (socket as TLSSocket).renegotiate({}, (error) => error ?? setImmediate(again));
        else socket.destroy();
      };
      socket.on('error', () => {});
      again();
    });
    expect(await newSender().send(deliveryTo(server.port))).toEqual(failed);
    expect(handshakes).toBeLessThan(50);
  });

  test('a server that requests one renegotiation, as for a client certificate, gets the delivery', async () => {
    const server = await httpsServer({ key, cert, maxVersion: 'TLSv1.2' }, ({ socket }, count) => {
      if (count > 1) return false;
      (socket as TLSSocket).renegotiate({}, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      return true;
    });
    expect(await newSender().send(deliveryTo(server.port))).toEqual(succeeded);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closed in good order', (socket) => socket.end()],
    ['cut', (socket) => socket.destroy()],
  ])('a kept-alive connection that is %s before any byte is replaced by a new one', async (_name, hangUp) => {
    const server = await httpsServer({ key, cert }, ({ socket }, count) => count === 2 && hangUp(socket));
    const sender = newSender();
    expect(await sender.send(deliveryTo(server.port))).toEqual(succeeded);
    expect(await sender.send(deliveryTo(server.port))).toEqual(succeeded);
    expect([server.requests(), server.connections()]).toEqual([3, 2]);
  });
});
