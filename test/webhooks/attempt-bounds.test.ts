import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { deliveryTo, failed, newSender, ok, rawServer, respondingServer, stoppedTime, succeeded } from './sending.ts';
import { onRequest } from './servers.ts';

/**
 * Bytes that fit into the buffers of both ends before a flooding receiver must wait: far fewer than
 * it would send.
 */
const noticedBytes = 8_000_000;
const floodBytes = 40_000_000;

/**
 * Writes `head`, then `more` until the connection ends or all is written. Returns the number of
 * bytes written.
 */
const pour = (socket: Socket, head: string, more: string): Promise<number> =>
  new Promise((resolve) => {
    const block = Buffer.from(more.repeat(Math.ceil(32_768 / more.length)));
    const write = (): void => {
      while (!socket.destroyed && socket.bytesWritten < floodBytes && socket.write(block));
      if (socket.bytesWritten >= floodBytes) socket.destroy();
    };
    socket.on('drain', write);
    socket.once('close', () => resolve(socket.bytesWritten));
    socket.write(head);
    write();
  });

/** A receiver that sends an endless response to every request. */
const flooding = async (head: string, more: string) => {
  const poured = Promise.withResolvers<number>();
  const { port, connections } = await rawServer((socket) =>
    onRequest(socket, () => {
      poured.resolve(pour(socket, head, more));
    }),
  );
  return { port, connections, poured: poured.promise };
};

const interim = (status: string, headers = '') => `HTTP/1.1 ${status}\r\n${headers}\r\n`;
const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('endless responses', () => {
  test.each<[string, string, string]>([
    ['interim answers of 100', '', interim('100 Continue')],
    ['interim answers of 102', '', interim('102 Processing')],
    ['interim answers of 103', '', interim('103 Early Hints', 'Link: </style.css>; rel=preload\r\n')],
    ['interim answers with large headers', '', interim('103 Early Hints', `X-Filler: ${'x'.repeat(15_000)}\r\n`)],
    ['a status line without end', 'HTTP/1.1 200 ', 'OK '],
    ['bytes that are no HTTP', '', 'hello '],
  ])('a receiver with an endless response is disconnected during %s, with no_response', async (_name, head, more) => {
    const { port, poured, connections } = await flooding(head, more);
    expect(await newSender().send(deliveryTo(port))).toEqual(failed);
    expect(await poured).toBeLessThan(noticedBytes);
    expect(connections()).toBe(1);
  });

  test.each<[string, string, string]>([
    ['a header without end', 'HTTP/1.1 200 OK\r\nX-Filler: ', 'x'],
    ['headers without end', 'HTTP/1.1 200 OK\r\n', 'X: y\r\n'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n', 'x'],
    ['a body that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
    ['chunks of one byte', chunkedHead, '1\r\nx\r\n'],
    ['a chunk extension', `${chunkedHead}1;`, 'x'],
    ['chunks with extensions', chunkedHead, `1;a=${'b'.repeat(100)}\r\nx\r\n`],
    ['trailers', `${chunkedHead}0\r\n`, 'X: y\r\n'],
    ['interim answers after the final one', ok, interim('102 Processing')],
    ['further answers', ok, ok],
  ])('a receiver with an endless response is disconnected during %s, with the status that it sent', async (_name, head, more) => {
    const { port, poured } = await flooding(head, more);
    expect(await newSender().send(deliveryTo(port))).toEqual(succeeded(200));
    expect(await poured).toBeLessThan(noticedBytes);
  });

  test('the eleventh informational response ends the attempt, whatever their pace and size', async () => {
    let sent = 0;
    const { port } = await rawServer((socket) =>
      onRequest(socket, () => {
        const timer = setInterval(() => {
          sent += 1;
          socket.write(interim('102 Processing'));
        }, 5);
        socket.once('close', () => clearInterval(timer));
      }),
    );
    expect(await newSender().send(deliveryTo(port))).toEqual(failed);
    expect(sent).toBeGreaterThanOrEqual(11);
  });

  test('the final response counts after ten informational ones', async () => {
    const { port } = await respondingServer(interim('102 Processing').repeat(10) + ok);
    expect(await newSender().send(deliveryTo(port))).toEqual(succeeded(200));
  });

  test.each<[string, string]>([
    ['unrequested bytes', 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'],
    ['a flood', interim('102 Processing').repeat(4_000)],
  ])('an idle connection that sends %s is closed, and its bytes are not read as the next response', async (_name, bytes) => {
    const idle = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const { port, connections } = await rawServer((socket, connection) => {
      onRequest(socket, () => socket.write(ok));
      if (connection > 1) return;
      socket.once('close', () => closed.resolve());
      idle.promise.then(() => socket.write(bytes));
    });
    const sender = newSender();
    expect(await sender.send(deliveryTo(port))).toEqual(succeeded(200));
    idle.resolve();
    await closed.promise;
    expect(await sender.send(deliveryTo(port))).toEqual(succeeded(200));
    expect(connections()).toBe(2);
  });
});

describe('the status line', () => {
  /** A long timeout. No test waits for it, so an attempt that ends did not need it. */
  const timeoutMs = 60_000;

  test.each<[string, string]>([
    ['never comes', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
    ['is preceded by headers that never end', 'HTTP/1.1 200 OK\r\nX-Slow: '],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
    ['is chunked and has no last chunk', `${chunkedHead}1\r\nx\r\n`],
    ['ends with a connection that stays', 'HTTP/1.0 200 OK\r\n\r\nx'],
    ['has trailers that never end', `${chunkedHead}0\r\nX: y\r\n`],
  ])('the attempt and the connection end soon after the status line if the body %s', async (_name, bytes) => {
    const closed = Promise.withResolvers<void>();
    const { port } = await rawServer((socket) => {
      socket.once('close', () => closed.resolve());
      onRequest(socket, () => socket.write(bytes));
    });
    expect(await newSender().send(deliveryTo(port, { timeoutMs }))).toEqual(succeeded(200));
    await closed.promise;
  });

  test('the status line ends the wait also for a failure, and for a request that is sent once', async () => {
    const { port } = await respondingServer('HTTP/1.1 503 Busy\r\nContent-Length: 10\r\n\r\n');
    expect(await newSender().send(deliveryTo(port, { timeoutMs, once: true }))).toMatchObject({ statusCode: 503, error: 'http_error' });
  });

  test('a body that arrives within a second keeps the connection for the next attempt', async () => {
    const { port, connections } = await rawServer((socket) =>
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
        setImmediate(() => socket.write('ok'));
      }),
    );
    const sender = newSender(stoppedTime().time);
    for (let i = 0; i < 3; i += 1) expect(await sender.send(deliveryTo(port))).toEqual(succeeded(200));
    expect(connections()).toBe(1);
  });
});
