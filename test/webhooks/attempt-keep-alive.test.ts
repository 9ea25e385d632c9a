import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { deliveryTo, failed, newSender, ok, rawServer, respondingServer, shortMs, stoppedTime, succeeded } from './sending.ts';
import { onRequest } from './servers.ts';

describe('kept-alive connections', () => {
  test.each([
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'kept-alive connections that the receiver %s before any byte are replaced once by a new one, in the same attempt',
    async (_name, hangUp) => {
      const bodies: string[] = [];
      const { port, connections } = await rawServer((socket) =>
        onRequest(socket, (request, count) => {
          bodies.push(request.subarray(request.indexOf('\r\n\r\n') + 4).toString());
          if (count === 1) socket.write(ok);
          else hangUp(socket);
        }),
      );
      const sender = newSender();
      expect(await sender.send(deliveryTo(port, { body: 'first' }))).toEqual(succeeded(200));
      expect(await sender.send(deliveryTo(port, { body: 'second' }))).toEqual(succeeded(200));
      expect(bodies).toEqual(['first', 'second', 'second']);
      expect(connections()).toBe(2);
    },
  );

  test('a kept-alive connection is not used for a request that is sent once', async () => {
    let requests = 0;
    const { port, connections } = await rawServer((socket) =>
      onRequest(socket, () => {
        requests += 1;
        if (requests === 1) socket.write(ok);
        else socket.end();
      }),
    );
    const sender = newSender();
    await sender.send(deliveryTo(port));
    expect(await sender.send(deliveryTo(port, { once: true }))).toEqual(failed);
    expect([requests, connections()]).toEqual([2, 2]);
  });

  test('kept-alive connections are replaced only once: if the new one also closes, the outcome is no_response', async () => {
    const { port, connections } = await rawServer((socket, connection) =>
      onRequest(socket, (_request, count) => {
        if (connection === 1 && count === 1) socket.write(ok);
        else socket.end();
      }),
    );
    const sender = newSender();
    await sender.send(deliveryTo(port));
    expect(await sender.send(deliveryTo(port))).toEqual(failed);
    expect(connections()).toBe(2);
  });

  test('kept-alive connections are replaced by a new one even if several idle ones exist', async () => {
    let requests = 0;
    let waiting: (() => void)[] = [];
    const { port, connections } = await rawServer((socket) =>
      onRequest(socket, (_request, count) => {
        requests += 1;
        if (count > 1) return void socket.end();
        waiting.push(() => socket.write(ok));
        if (waiting.length < 3 && connections() <= 3) return;
        for (const respond of waiting) respond();
        waiting = [];
      }),
    );
    const sender = newSender();
    await Promise.all([1, 2, 3].map(() => sender.send(deliveryTo(port))));
    expect(await sender.send(deliveryTo(port))).toEqual(succeeded(200));
    expect([requests, connections()]).toEqual([5, 4]);
  });

  test.each([
    ['a malformed status line', 'HTTP/1.1 OK\r\n\r\n'],
    ['another protocol', '220 mail.example.com ESMTP\r\n'],
    ['a single byte, and a close', 'H'],
    ['interim answers without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)],
  ])('kept-alive connections are not replaced after %s, because the request was received', async (_name, response) => {
    let requests = 0;
    const { port, connections } = await rawServer((socket) =>
      onRequest(socket, () => {
        requests += 1;
        if (requests === 1) socket.write(ok);
        else socket.end(response);
      }),
    );
    const sender = newSender();
    await sender.send(deliveryTo(port));
    expect(await sender.send(deliveryTo(port))).toEqual(failed);
    expect([requests, connections()]).toEqual([2, 1]);
  });

  test("kept-alive connections are replaced within the same attempt's timeout", async () => {
    const replaced = Promise.withResolvers<void>();
    const { port, connections } = await rawServer((socket, connection) =>
      onRequest(socket, (_request, count) => {
        if (connection > 1) replaced.resolve();
        else if (count === 1) socket.write(ok);
        else socket.end();
      }),
    );
    const { time, fire, waiting } = stoppedTime();
    const sender = newSender(time);
    await sender.send(deliveryTo(port));
    const sent = sender.send(deliveryTo(port, { timeoutMs: 800 }));
    const begun = waiting();
    await replaced.promise;
    // The timer of the first request is still the only one.
    expect([begun, waiting()]).toEqual([[800], [800]]);
    fire(800);
    expect(await sent).toEqual(failed);
    expect(connections()).toBe(2);
  });

  test('kept-alive connections that stay silent are not replaced: nothing is sent after the timeout', async () => {
    const { port, connections } = await rawServer((socket, connection) =>
      onRequest(socket, (_request, count) => {
        if (connection > 1 || count === 1) socket.write(ok);
      }),
    );
    const sender = newSender();
    await sender.send(deliveryTo(port));
    expect(await sender.send(deliveryTo(port, { timeoutMs: shortMs }))).toEqual(failed);
    expect(await newSender().send(deliveryTo(port))).toEqual(succeeded(200)); // had anything been sent, it would have come before this
    expect(connections()).toBe(2);
  });

  test("kept-alive connections do not keep the process alive until the attempt's timeout", async () => {
    const { port } = await respondingServer(ok);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await newSender().send(deliveryTo(port));
    expect(timers()).toBe(before);
  });

  test('kept-alive connections close when the sender closes', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const { port } = await rawServer((socket) => {
      accepted.resolve(socket);
      onRequest(socket, () => socket.write(ok));
    });
    const sender = newSender();
    await sender.send(deliveryTo(port));
    const closed = once(await accepted.promise, 'close');
    sender.close();
    await closed;
  });
});
