import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTransport, type Transport } from '../../shared/aws/transport.ts';

let server: Server;
let sockets: Set<Socket>;
let requests: string[];
/** What the server does with a request; answers it where absent. */
let misbehave: ((socket: Socket, count: number) => boolean) | undefined;
let transport: Transport;
let opened: number;
beforeEach(async () => {
  sockets = new Set();
  requests = [];
  opened = 0;
  misbehave = undefined;
  server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray().catch(() => []));
    requests.push(body.toString());
    if (misbehave?.(incoming.socket, requests.length)) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"echo":${JSON.stringify(body.toString())}}`);
  }).on('connection', (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  transport = createTransport({ connectionTimeout: 1_000, requestTimeout: 3_000 });
});
afterEach(() => {
  transport.destroy();
  server.closeAllConnections();
  server.close();
});

const request = (body: string) => ({
  method: 'POST',
  protocol: 'http:',
  hostname: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
  path: '/',
  headers: { 'content-length': String(Buffer.byteLength(body)) },
  body,
});
const echo = async (body: string): Promise<string> => JSON.parse((await transport.exchange(request(body))).body.toString()).echo;

test('one connection serves call after call, and calls at once have their own', async () => {
  for (const body of ['a', 'ü'.repeat(200_000), '']) expect(await echo(body)).toBe(body);
  expect(opened).toBe(1);
  expect(await Promise.all(['b', 'c', 'd'].map(echo))).toEqual(['b', 'c', 'd']);
  expect(opened).toBe(3);
});

test('a kept connection that the server hung up is replaced without the caller noticing, however many there are', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => echo(String(i))));
  // The server closes each kept connection just as the next request arrives on it.
  const stale = new Set(sockets);
  misbehave = (socket) => {
    if (!stale.has(socket)) return false;
    socket.resetAndDestroy();
    return true;
  };
  expect(await Promise.all(Array.from({ length: 20 }, (_, i) => echo(`again ${i}`)))).toEqual(
    Array.from({ length: 20 }, (_, i) => `again ${i}`),
  );
});

test('a fresh connection that breaks is an error, and nothing is sent twice', async () => {
  misbehave = (socket) => {
    socket.resetAndDestroy();
    return true;
  };
  await expect(echo('a')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(requests).toEqual(['a']);
});

test('an answer that breaks off in the middle is an error, also on a kept connection', async () => {
  await echo('a');
  misbehave = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"echo"');
    setImmediate(() => socket.resetAndDestroy());
    return true;
  };
  await expect(echo('b')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(requests).toEqual(['a', 'b']);
});

test('a server that does not answer is given up after the time for it', async () => {
  transport.destroy();
  transport = createTransport({ connectionTimeout: 1_000, requestTimeout: 20 });
  misbehave = () => true;
  await expect(echo('a')).rejects.toMatchObject({ name: 'TimeoutError' });
  misbehave = undefined;
  expect(await echo('b')).toBe('b');
});

test('a process that gets no time takes no answer that is there for one that did not come', async () => {
  transport.destroy();
  transport = createTransport({ connectionTimeout: 20, requestTimeout: 20 });
  const calls = ['a', 'b', 'c'].map(echo);
  // The process is busy while connections are made: the timers are due long before it sees one of them.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c']);
});

test('calls beyond the connections there may be wait for one without their time running', async () => {
  transport.destroy();
  transport = createTransport({ connectionTimeout: 50, requestTimeout: 3_000 });
  const held: (() => void)[] = [];
  server.removeAllListeners('request');
  server.on('request', (incoming, response) => {
    incoming.resume();
    const answer = () => response.writeHead(200).end('{}');
    if (requests.push('') <= 50) held.push(answer);
    else answer();
    // The first fifty are held longer than a connection may take.
    if (held.length === 50) setTimeout(() => held.splice(0).forEach((one) => void one()), 120);
  });
  const answers = await Promise.all(Array.from({ length: 120 }, () => transport.exchange(request(''))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(120).fill(200));
  expect(opened).toBeLessThanOrEqual(50);
});

test('a process that stood still past the idle time of the server goes on without an error', async () => {
  server.keepAliveTimeout = 50;
  const script = `
    const { createTransport } = await import(${JSON.stringify(new URL('../../shared/aws/transport.ts', import.meta.url).href)});
    const transport = createTransport({ connectionTimeout: 1000, requestTimeout: 3000 });
    const port = ${(server.address() as AddressInfo).port};
    const call = async (body) => {
      const headers = { 'content-length': String(body.length) };
      const request = { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', port, path: '/', headers, body };
      return JSON.parse((await transport.exchange(request)).body.toString()).echo;
    };
    process.stdin.on('data', async (chunk) => {
      const bodies = Array.from({ length: 10 }, (_, i) => String(chunk).trim() + i);
      console.log((await Promise.all(bodies.map(call)).catch((error) => [String(error)])).join());
    });
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim();
  const expected = (word: string) => Array.from({ length: 10 }, (_, i) => word + i).join();
  try {
    expect(await line()).toBe('ready');
    for (const word of ['a', 'b', 'c']) {
      const answered = line();
      child.stdin.write(`${word}\n`);
      child.kill('SIGCONT');
      expect(await answered).toBe(expected(word));
      child.kill('SIGSTOP');
      // Frozen until the server has hung up on all of them.
      while (sockets.size > 0) await Promise.race([...sockets].map((socket) => once(socket, 'close')));
    }
  } finally {
    child.kill('SIGKILL');
  }
});
