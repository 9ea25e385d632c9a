import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { forward, longestBody, readBody } from '../../clients/typescript/src/listen-receiver.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const pem = (name: string) => readFileSync(new URL(`../support/tls/${name}`, import.meta.url));
/** A receiver with an untrusted certificate, or without TLS. */
const receive = async (listener: RequestListener, tls = false): Promise<number> => {
  const server = tls ? createHttpsServer({ key: pem('server.key'), cert: pem('server.pem') }, listener) : createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};
const forwarding = (url: string, more = {}) => ({ url: new URL(url), timeoutMs: 5_000, skipVerify: false, ...more });
const body = Buffer.from('{}');

test('a receiver on this machine may have an untrusted certificate', async () => {
  const port = await receive((_, response) => response.writeHead(202).end(), true);
  for (const host of ['127.0.0.1', 'localhost'])
    expect(await forward(forwarding(`https://${host}:${port}/`), [], body)).toEqual({ status: 202 });
});

test('a certificate of another host is checked, unless skipVerify is set', async () => {
  const port = await receive((_, response) => response.writeHead(202).end(), true);
  const url = `https://0.0.0.0:${port}/`; // leads to this machine, but is no loopback address
  const problem = expect.stringMatching(/^\w+ at 0\.0\.0\.0:\d+; --skip-verify accepts any certificate$/);
  expect(await forward(forwarding(url), [], body)).toEqual({ status: 502, problem });
  expect(await forward(forwarding(url, { skipVerify: true }), [], body)).toEqual({ status: 202 });
});

test('a response that never ends gives its status at once, and is cut off at the time limit', async () => {
  const cut = Promise.withResolvers<void>();
  const port = await receive((_, response) => {
    response.once('close', () => cut.resolve());
    response.writeHead(200).write('and so on');
  });
  expect(await forward(forwarding(`http://127.0.0.1:${port}/`, { timeoutMs: 500 }), [], body)).toEqual({ status: 200 });
  await cut.promise;
});

test('a body of the greatest length is read, and a longer one gets 413 before it ends', async () => {
  const lengths: (number | undefined)[] = [];
  const port = await receive(async (request, response) => {
    const read = await readBody(request, response);
    lengths.push(read?.length);
    if (read) response.writeHead(204).end();
  });
  const send = (bytes: RequestInit['body']) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: bytes, duplex: 'half' } as RequestInit);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  const statuses = [];
  for (const bytes of [new Uint8Array(longestBody), new Uint8Array(longestBody + 1), endless]) statuses.push((await send(bytes)).status);
  expect([statuses, lengths]).toEqual([
    [204, 413, 413],
    [longestBody, undefined, undefined],
  ]);
});
