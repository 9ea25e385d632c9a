import { Buffer } from 'node:buffer';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/**
 * A loopback server that sends raw bytes. `script` gets each connection and its number, starting at
 * 1.
 */
export interface RawServer {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const listen = (server: Server, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => resolve(portOf(server)));
  });

export const startRawServer = async (script: (socket: Socket, connection: number) => void): Promise<RawServer> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}); // resets are part of the scripts
    socket.once('close', () => sockets.delete(socket));
    script(socket, connections);
  });
  const port = await listen(server);
  return {
    port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

/**
 * Calls `handle` for each complete request (headers and Content-Length bytes) that arrives on the
 * socket.
 */
export const onRequest = (socket: Socket, handle: (request: Buffer, count: number) => void): void => {
  let pending = Buffer.alloc(0);
  let count = 0;
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const headersEnd = pending.indexOf('\r\n\r\n');
    if (headersEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(pending.subarray(0, headersEnd).toString('latin1'))?.[1] ?? 0);
    const end = headersEnd + 4 + length;
    if (pending.length < end) return;
    const request = pending.subarray(0, end);
    pending = pending.subarray(end);
    count += 1;
    handle(request, count);
  });
};
