import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Served {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Ends the connections of requests that have no response yet. */
  release(): void;
  stop(): Promise<void>;
}

/**
 * Serves HTTP on a free port of loopback. The listener is called once a request's body is complete;
 * a request that breaks off is ignored.
 */
export const serve = async (
  listener: (request: IncomingMessage, response: ServerResponse, body: Buffer<ArrayBuffer>) => unknown,
): Promise<Served> => {
  const server = createServer((request, response) =>
    buffer(request).then(
      (body) => void listener(request, response, body),
      () => undefined,
    ),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    release: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
