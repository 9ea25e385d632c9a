import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FrontRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What becomes of a request: `hang` is never answered, a status is the answer, and a request takes the place of the one that came. */
export type Fault = 'hang' | number | FrontRequest;

/** An address before a running service, at which requests meet faults. */
export interface Front {
  readonly url: string;
  /** Of each request of a check; undefined passes it on as it is. */
  fault: (request: FrontRequest) => Fault | undefined;
  stop(): void;
}

const read = async (request: IncomingMessage): Promise<FrontRequest> => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
  return { method: request.method ?? '', path: request.url ?? '', headers, body };
};

export const startFront = async (origin: string): Promise<Front> => {
  const server = createServer(async (incoming, outgoing) => {
    const request = await read(incoming);
    const fault = front.fault(request);
    if (fault === 'hang') return;
    if (typeof fault === 'number') return void outgoing.writeHead(fault, { 'content-type': 'application/json' }).end('{}');
    const { method, path, headers, body } = fault ?? request;
    const response = await fetch(`${origin}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
    const { 'content-encoding': _, ...passed } = Object.fromEntries(response.headers);
    outgoing.writeHead(response.status, passed).end(Buffer.from(await response.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return front;
};
