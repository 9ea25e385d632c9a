import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { HttpRequest } from './sign.ts';

export interface TransportOptions {
  /** Milliseconds a new connection may take. */
  readonly connectionTimeout?: number;
  /** Milliseconds from a connection to the end of the answer. */
  readonly requestTimeout?: number;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Transport {
  /** Rejects where no whole answer came, with Node's error or a `TimeoutError`. */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  destroy(): void;
}

const maxSockets = 50;

const timedOut = (what: string, ms: number): Error => Object.assign(new Error(`${what} within ${ms} ms.`), { name: 'TimeoutError' });

/**
 * Fires once the time is over, but only after the events that already wait were seen: where the process gets little CPU, or stood
 * still, the timer comes due long before anybody looked at the socket.
 */
const deadline = (ms: number, expire: () => void): (() => void) => {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(expire);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
};

/** Connections that are kept and used again. One that died meanwhile, as it does while a function is frozen, is replaced unnoticed. */
export const createTransport = ({ connectionTimeout = 0, requestTimeout = 0 }: TransportOptions = {}): Transport => {
  const secure = { agent: new HttpsAgent({ keepAlive: true, maxSockets }), request: httpsRequest };
  const plain = { agent: new HttpAgent({ keepAlive: true, maxSockets }), request: httpRequest };

  const open = ({ method, protocol, hostname, port, path, headers }: HttpRequest, fresh: boolean): ClientRequest => {
    const { agent, request } = protocol === 'http:' ? plain : secure;
    return request({ method, hostname, port, path, headers, agent: fresh ? false : agent });
  };

  const attempt = (request: HttpRequest, fresh: boolean): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const outgoing = open(request, fresh);
      let stopConnecting = (): void => {};
      let stopWaiting = (): void => {};
      let answered = false;
      const fail = (error: Error): void => {
        stopConnecting();
        stopWaiting();
        outgoing.destroy();
        // Nothing came back on a connection that had been idle: the server had closed it before it could see the request.
        if (outgoing.reusedSocket && !answered && error.name !== 'TimeoutError') attempt(request, true).then(resolve, reject);
        else reject(error);
      };
      const wait = (): void => {
        stopConnecting();
        if (requestTimeout) stopWaiting = deadline(requestTimeout, () => fail(timedOut('No answer', requestTimeout)));
      };
      outgoing.once('socket', (socket: Socket) => {
        if (!socket.connecting) return wait();
        if (connectionTimeout) stopConnecting = deadline(connectionTimeout, () => fail(timedOut('No connection', connectionTimeout)));
        socket.once('connect', wait);
      });
      outgoing.on('error', fail);
      outgoing.once('response', (incoming: IncomingMessage) => {
        answered = true;
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', fail);
        incoming.once('aborted', () => fail(Object.assign(new Error('The answer broke off.'), { code: 'ECONNRESET' })));
        incoming.once('end', () => {
          stopWaiting();
          const [first = Buffer.alloc(0)] = chunks;
          resolve({
            statusCode: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string>,
            body: chunks.length > 1 ? Buffer.concat(chunks) : first,
          });
        });
      });
      outgoing.end(request.body);
    });

  return {
    exchange: (request) => attempt(request, false),
    destroy() {
      secure.agent.destroy();
      plain.agent.destroy();
    },
  };
};
