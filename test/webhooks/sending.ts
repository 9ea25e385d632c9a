import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect } from '@jest/globals';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender, type Delivery, type Sender, type WireTime } from '../../shared/webhooks/sender.ts';
import { listen, onRequest, type RawServer, startRawServer } from './servers.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Timer {
  readonly ms: number;
  readonly then: () => void;
}

/**
 * A clock and timers that only the test advances. Waiting timers are known by their milliseconds.
 */
export const stoppedTime = () => {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let looks = 0;
  const time: WireTime = {
    now() {
      looks += 1;
      return nowMs;
    },
    setTimeout(then, ms) {
      const timer = { ms, then };
      timers.add(timer);
      return timer as unknown as NodeJS.Timeout;
    },
    clearTimeout: (timer) => void timers.delete(timer as unknown as Timer),
  };
  return {
    time,
    /** How often the clock was read. */
    looks: () => looks,
    waiting: (): readonly number[] => [...timers].map(({ ms }) => ms),
    set(ms: number) {
      nowMs = ms;
    },
    /** Fires the only timer of `ms` milliseconds. */
    fire(ms: number) {
      const [timer, ...others] = [...timers].filter((one) => one.ms === ms);
      if (!timer || others.length > 0) throw new Error(`Waiting are ${JSON.stringify([...timers])}, not one timer of ${ms} ms.`);
      timers.delete(timer);
      timer.then();
    },
  };
};

/** A sender that may send to loopback. It closes after the test, as the servers do. */
export const newSender = (time?: WireTime): Sender => {
  const sender = createSender({ policy: { ...productionPolicy, allowLoopback: true }, ...(time ? { time } : {}) });
  cleanups.push(() => sender.close());
  return sender;
};

export const rawServer = async (...script: Parameters<typeof startRawServer>): Promise<RawServer> => {
  const server = await startRawServer(...script);
  cleanups.push(server.close);
  return server;
};

/** A raw server that responds to every request with these bytes. */
export const respondingServer = (bytes: string): Promise<RawServer> => rawServer((socket) => onRequest(socket, () => socket.write(bytes)));

/** Starts an HTTP server. Returns its port. */
export const httpServer = async (listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> => {
  const server = createServer(listener);
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
};

export const deliveryTo = (port: number, changes: Partial<Delivery> = {}): Delivery => ({
  url: `http://127.0.0.1:${port}/hook`,
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
  timeoutMs: 60_000,
  ...changes,
});

export const failed = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };
export const succeeded = (statusCode: number) => ({ success: true, statusCode, responseTimeMs: expect.any(Number), error: null });
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
export const shortMs = 200;
