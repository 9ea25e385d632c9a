import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Served, serve } from './serve.ts';

/** A received request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A status with a body and headers. */
export interface FullAnswer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
}

/**
 * A status is answered at once; `echo` is a 500 with what was sent, `hang` never comes, `cut` ends
 * the connection within the response's first line.
 */
export type Answer = number | 'echo' | 'hang' | 'cut' | FullAnswer;

/** One webhook URL of a test, its requests and its way to answer. */
export interface Hook {
  readonly url: string;
  readonly requests: readonly Received[];
  /**
   * Sets the response to this and later requests. A function receives the request's number, from 1.
   */
  answer(how: Answer | ((count: number) => Answer | Promise<Answer>)): void;
  /** Returns the number of requests without a response. */
  inFlight(): number;
}

/** A loopback HTTP server with as many webhook URLs as a test file wants. */
export interface Receiver extends Pick<Served, 'release' | 'stop'> {
  hook(answer?: Answer): Hook;
  /** Returns all requests of all URLs. */
  received(): readonly Received[];
}

interface Line {
  readonly requests: Received[];
  answer: (count: number) => Answer | Promise<Answer>;
  open: number;
}

export const startReceiver = async (): Promise<Receiver> => {
  const lines = new Map<string, Line>();
  const reply = (response: ServerResponse, answer: Answer, sent: Uint8Array): void => {
    if (answer === 'echo') response.writeHead(500, { 'content-type': 'application/json' }).end(sent);
    else if (answer === 'cut') response.socket?.end('HTTP/1.1 2');
    else if (typeof answer === 'object') response.writeHead(answer.status, answer.headers).end(answer.body);
    else if (answer !== 'hang') response.writeHead(answer, answer >= 300 && answer < 400 ? { location: '/elsewhere' } : {}).end();
  };
  const { url, release, stop } = await serve(async (request, response, body) => {
    const line = lines.get(request.url ?? '');
    if (!line) return reply(response, 404, body);
    line.requests.push({ headers: request.headers, body });
    line.open += 1;
    response.once('close', () => {
      line.open -= 1;
    });
    reply(response, await line.answer(line.requests.length), body);
  });
  return {
    hook(answer = 200) {
      const path = `/hook-${lines.size}`;
      const line: Line = { requests: [], answer: () => answer, open: 0 };
      lines.set(path, line);
      return {
        url: `${url}${path}`,
        requests: line.requests,
        answer: (how) => {
          line.answer = typeof how === 'function' ? how : () => how;
        },
        inFlight: () => line.open,
      };
    },
    received: () => [...lines.values()].flatMap(({ requests }) => requests),
    release,
    stop,
  };
};
