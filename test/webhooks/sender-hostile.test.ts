import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender, type Lookup, type Sender } from '../../shared/webhooks/sender.ts';
import { hostileNames, hostileUrls } from './hostile-urls.ts';
import { onRequest, type RawServer, startRawServer } from './servers.ts';

const loopbackPolicy = { ...productionPolicy, allowLoopback: true };
const invalidUrl = { success: false, statusCode: null, responseTimeMs: null, error: 'invalid_url' };
const noResponse = { ...invalidUrl, error: 'no_response' };
const ok = { success: true, statusCode: 200, responseTimeMs: expect.any(Number), error: null };

const familyOf = (address: string): number => (address.includes(':') ? 6 : 4);

let canary: RawServer;
let sender: Sender | undefined;
/** Each address that a delivery tried to connect to. */
let attempted: string[];
let lookups: string[];

/**
 * Is true during a delivery, because clients of an earlier test file in this process may also
 * connect.
 */
const delivering = new AsyncLocalStorage<true>();

const watch = (message: unknown): void => {
  if (!delivering.getStore()) return;
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address: string) => attempted.push(address));
};

/** Resolves each name to the next of its lists, and then always to the last one. */
const resolvingTo =
  (...addressLists: readonly (readonly string[])[]): Lookup =>
  async (name) => {
    lookups.push(name);
    const addresses = addressLists[Math.min(lookups.length, addressLists.length) - 1] ?? [];
    return addresses.map((address) => ({ address, family: familyOf(address) }));
  };

const send = (by: Sender, delivery: Parameters<Sender['send']>[0]) => delivering.run(true, () => by.send(delivery));

const post = (url: string, lookup: Lookup, policy = productionPolicy) => {
  sender = createSender({ policy, lookup });
  return send(sender, { url, headers: {}, body: '{}', timeoutMs: 60_000 });
};

beforeAll(async () => {
  canary = await startRawServer((socket) => onRequest(socket, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')));
  subscribe('net.client.socket', watch);
});
beforeEach(() => {
  attempted = [];
  lookups = [];
});
afterEach(() => sender?.close());
afterAll(async () => {
  unsubscribe('net.client.socket', watch);
  await canary.close();
});

describe('the hostile corpus', () => {
  test('the hostile corpus has at least 60 URLs, and names', () => {
    expect(new Set(hostileUrls.map(({ url }) => url)).size).toBe(hostileUrls.length);
    expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
    expect(hostileNames.length).toBeGreaterThanOrEqual(20);
  });

  test('a connection to an allowed address is recorded, so a hostile one would be noticed', async () => {
    const before = canary.connections();
    expect(await post(`http://127.0.0.1:${canary.port}/hook`, resolvingTo(), loopbackPolicy)).toEqual(ok);
    expect(await post(`http://localhost:${canary.port}/hook`, resolvingTo(['127.0.0.1']), loopbackPolicy)).toEqual(ok);
    expect([attempted, canary.connections() - before]).toEqual([['127.0.0.1', '127.0.0.1'], 2]);
  });

  test.each(hostileUrls)('$url is not resolved and not connected to', async ({ url }) => {
    const before = canary.connections();
    expect(await post(url.replace('{port}', String(canary.port)), resolvingTo(['127.0.0.1']))).toEqual(invalidUrl);
    expect([lookups, attempted, canary.connections() - before]).toEqual([[], [], 0]);
  });

  test.each(hostileUrls.filter(({ loopback }) => !loopback))('$url is not connected to if loopback is allowed', async ({ url }) => {
    const before = canary.connections();
    expect(await post(url.replace('{port}', String(canary.port)), resolvingTo(['127.0.0.1']), loopbackPolicy)).toEqual(invalidUrl);
    expect([lookups, attempted, canary.connections() - before]).toEqual([[], [], 0]);
  });

  test.each(hostileNames)('$name, which resolves to $addresses, is resolved but not connected to', async ({ name, addresses }) => {
    const before = canary.connections();
    expect(await post(`https://${name}:${canary.port}/hook`, resolvingTo(addresses))).toEqual(noResponse);
    expect([lookups, attempted, canary.connections() - before]).toEqual([[name], [], 0]);
  });

  test.each(hostileNames.filter(({ loopback }) => !loopback))(
    '$name is not connected to if loopback is allowed',
    async ({ name, addresses }) => {
      expect(await post(`https://${name}:${canary.port}/hook`, resolvingTo(addresses), loopbackPolicy)).toEqual(noResponse);
      expect([lookups, attempted]).toEqual([[name], []]);
    },
  );
});

describe('host names', () => {
  test('names are checked at the connection, even if their address changes after an earlier check', async () => {
    const lookup = resolvingTo(['8.8.8.8'], ['127.0.0.1']);
    const checked = await lookup('rebinding.example.com');
    expect(checked).toEqual([{ address: '8.8.8.8', family: 4 }]);
    const before = canary.connections();
    expect(await post(`https://rebinding.example.com:${canary.port}/hook`, lookup)).toEqual(noResponse);
    expect([lookups.length, attempted, canary.connections() - before]).toEqual([2, [], 0]);
  });

  test('names are resolved once per connection, so the checked address is the one connected to', async () => {
    const lookup = resolvingTo(['127.0.0.1'], ['169.254.169.254']);
    expect(await post(`http://hooks.localhost:${canary.port}/hook`, lookup, loopbackPolicy)).toEqual(ok);
    expect([lookups.length, attempted]).toEqual([1, ['127.0.0.1']]);
  });

  test('names that become hostile are rejected at the next connection; the open connection stays in use', async () => {
    const lookup = resolvingTo(['127.0.0.1'], ['169.254.169.254']);
    const delivery = { url: `http://hooks.localhost:${canary.port}/hook`, headers: {}, body: '{}', timeoutMs: 60_000 };
    sender = createSender({ policy: loopbackPolicy, lookup });
    expect(await send(sender, delivery)).toEqual(ok);
    expect(await send(sender, delivery)).toEqual(ok);
    sender.close();
    expect(await send(sender, delivery)).toEqual(noResponse);
    expect([lookups.length, attempted]).toEqual([2, ['127.0.0.1']]);
  });

  test('names cannot pass the check with one address and be connected to at another', async () => {
    let reads = 0;
    const shifting = {
      family: 4,
      get address() {
        reads += 1;
        return reads === 1 ? '127.0.0.1' : '10.0.0.1';
      },
    };
    expect(await post(`http://hooks.localhost:${canary.port}/hook`, async () => [shifting], loopbackPolicy)).toEqual(ok);
    expect(attempted).toEqual(['127.0.0.1']);
  });

  test('names with allowed and forbidden addresses are connected to only at the allowed ones', async () => {
    const lookup = resolvingTo(['10.0.0.1', '169.254.169.254', '127.0.0.1', 'fe80::1']);
    expect(await post(`http://hooks.localhost:${canary.port}/hook`, lookup, loopbackPolicy)).toEqual(ok);
    expect(attempted).toEqual(['127.0.0.1']);
  });

  test('names with several allowed addresses are connected to at the one that responds', async () => {
    const lookup = resolvingTo(['::1', '127.0.0.1']); // the canary listens on 127.0.0.1
    expect(await post(`http://hooks.localhost:${canary.port}/hook`, lookup, loopbackPolicy)).toEqual(ok);
  });

  test('names that do not resolve cause no_response', async () => {
    const lookup: Lookup = async () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    expect(await post('https://missing.example.com/hook', lookup)).toEqual(noResponse);
    expect(attempted).toEqual([]);
  });

  test('names that never resolve cause no_response at the timeout', async () => {
    sender = createSender({ policy: productionPolicy, lookup: () => new Promise(() => {}) });
    expect(await send(sender, { url: 'https://slow.example.com/', headers: {}, body: '', timeoutMs: 100 })).toEqual(noResponse);
  });

  test('names that resolve after the timeout cause no connection', async () => {
    const lateAddresses = Promise.withResolvers<{ address: string; family: number }[]>();
    sender = createSender({ policy: loopbackPolicy, lookup: () => lateAddresses.promise });
    const url = `http://hooks.localhost:${canary.port}/hook`;
    expect(await send(sender, { url, headers: {}, body: '', timeoutMs: 50 })).toEqual(noResponse);
    lateAddresses.resolve([{ address: '127.0.0.1', family: 4 }]);
    await lateAddresses.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(attempted).toEqual([]);
  });

  test('names of this machine are resolved by the system', async () => {
    sender = createSender({ policy: loopbackPolicy });
    const { port } = canary;
    expect(await send(sender, { url: `http://localhost:${port}/`, headers: {}, body: '', timeoutMs: 60_000 })).toEqual(ok);
    sender.close();
    sender = createSender({ policy: { ...productionPolicy } });
    expect(await send(sender, { url: `https://localhost:${port}/`, headers: {}, body: '', timeoutMs: 60_000 })).toEqual(invalidUrl);
  });
});
