import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect } from '@jest/globals';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender, type Delivery, type Sender } from '../../shared/webhooks/sender.ts';
import { listen, onRequest, type RawServer, startRawServer } from './servers.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Sends to this machine; closed when the test is over, as the servers are. */
export const newSender = (): Sender => {
  const sender = createSender({ policy: { ...productionPolicy, allowLoopback: true } });
  cleanups.push(() => sender.close());
  return sender;
};

export const rawServer = async (...script: Parameters<typeof startRawServer>): Promise<RawServer> => {
  const server = await startRawServer(...script);
  cleanups.push(server.close);
  return server;
};

/** A raw server that answers every request with these bytes. */
export const answering = (bytes: string): Promise<RawServer> => rawServer((socket) => onRequest(socket, () => socket.write(bytes)));

/** Its port. */
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
  timeoutMs: 10_000,
  ...changes,
});

export const failed = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };
export const succeeded = (statusCode: number) => ({ success: true, statusCode, responseTimeMs: expect.any(Number), error: null });
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
export const shortMs = 200;
