import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Served, serve } from './serve.ts';

/** A received request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A status with a body and headers. */
export interface FullResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
}

/**
 * A status is answered at once; `echo` is a 500 with what was sent, `hang` never comes, `cut` ends
 * the connection within the response's first line.
 */
export type ReceiverResponse = number | 'echo' | 'hang' | 'cut' | FullResponse;

/** One webhook URL of a test, its requests and its way to answer. */
export interface Hook {
  readonly url: string;
  readonly requests: readonly Received[];
  /**
   * Sets the response to this and later requests. A function receives the request's number, from 1.
   */
  respondWith(how: ReceiverResponse | ((count: number) => ReceiverResponse | Promise<ReceiverResponse>)): void;
  /** Returns the number of requests without a response. */
  inFlight(): number;
}

/** A loopback HTTP server with as many webhook URLs as a test file wants. */
export interface Receiver extends Pick<Served, 'release' | 'stop'> {
  hook(response?: ReceiverResponse): Hook;
  /** Returns all requests of all URLs. */
  received(): readonly Received[];
}

interface Line {
  readonly requests: Received[];
  responseTo: (count: number) => ReceiverResponse | Promise<ReceiverResponse>;
  open: number;
}

export const startReceiver = async (): Promise<Receiver> => {
  const lines = new Map<string, Line>();
  const reply = (response: ServerResponse, receiverResponse: ReceiverResponse, sent: Uint8Array): void => {
    if (receiverResponse === 'echo') response.writeHead(500, { 'content-type': 'application/json' }).end(sent);
    else if (receiverResponse === 'cut') response.socket?.end('HTTP/1.1 2');
    else if (typeof receiverResponse === 'object')
      response.writeHead(receiverResponse.status, receiverResponse.headers).end(receiverResponse.body);
    else if (receiverResponse !== 'hang')
      response.writeHead(receiverResponse, receiverResponse >= 300 && receiverResponse < 400 ? { location: '/elsewhere' } : {}).end();
  };
  const { url, release, stop } = await serve(async (request, response, body) => {
    const line = lines.get(/^\/[^/?]*/.exec(request.url ?? '')?.[0] ?? '');
    if (!line) return reply(response, 404, body);
    line.requests.push({ headers: request.headers, body });
    line.open += 1;
    response.once('close', () => {
      line.open -= 1;
    });
    reply(response, await line.responseTo(line.requests.length), body);
  });
  return {
    hook(response = 200) {
      const path = `/hook-${lines.size}`;
      const line: Line = { requests: [], responseTo: () => response, open: 0 };
      lines.set(path, line);
      return {
        url: `${url}${path}`,
        requests: line.requests,
        respondWith: (how) => {
          line.responseTo = typeof how === 'function' ? how : () => how;
        },
        inFlight: () => line.open,
      };
    },
    received: () => [...lines.values()].flatMap(({ requests }) => requests),
    release,
    stop,
  };
};
