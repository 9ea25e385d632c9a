import type { IncomingMessage } from 'node:http';
import { type Served, serve } from '../support/serve.ts';

export interface FrontRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * The fate of a request: `hang` gets no response, a status is the response, and a request
 * replaces the original one.
 */
export type Fault = 'hang' | number | FrontRequest;

/** An address before a running service, at which requests meet faults. */
export interface Front extends Pick<Served, 'url' | 'stop'> {
  /** Fault of each request of a check; undefined passes it on unchanged. */
  fault: (request: FrontRequest) => Fault | undefined;
}

const requestOf = ({ headers: all, method = '', url = '' }: IncomingMessage, body: Buffer): FrontRequest => {
  const { host: _, connection: __, 'content-length': ___, ...headers } = all as Record<string, string>;
  return { method, path: url, headers, body: String(body) };
};

export const startFront = async (origin: string): Promise<Front> => {
  const { url, stop } = await serve(async (incoming, outgoing, sent) => {
    const request = requestOf(incoming, sent);
    const fault = front.fault(request);
    if (fault === 'hang') return;
    if (typeof fault === 'number') return void outgoing.writeHead(fault, { 'content-type': 'application/json' }).end('{}');
    const { method, path, headers, body } = fault ?? request;
    const response = await fetch(`${origin}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
    const { 'content-encoding': _, ...passed } = Object.fromEntries(response.headers);
    outgoing.writeHead(response.status, passed).end(Buffer.from(await response.arrayBuffer()));
  });
  const front: Front = { url, stop, fault: () => undefined };
  return front;
};
