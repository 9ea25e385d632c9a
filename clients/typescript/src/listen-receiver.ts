/// <reference types="node" />
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

/** Maximum bytes of a delivery that are read. No event of the service is nearly as long. */
export const longestBody = 1024 * 1024;
const discardMs = 1000;

/**
 * Returns the body of a request. If it is longer than `longestBody`, responds with 413, discards the
 * rest for a second and returns undefined. The sender may be a stranger, so bytes are counted while
 * they arrive.
 */
export const readBody = async (request: IncomingMessage, response: ServerResponse): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > longestBody) {
      response.writeHead(413, { connection: 'close' }).end();
      request.resume(); // an unread rest would reset the connection before the sender reads the response
      setTimeout(() => request.destroy(), discardMs).unref();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export interface Forwarding {
  readonly url: URL;
  readonly timeoutMs: number;
  /** Accepts any certificate. Those of this machine are always accepted. */
  readonly skipVerify: boolean;
}

export interface Forwarded {
  /** Status of the receiver; 502 if it does not respond, 504 if it takes too long. */
  readonly status: number;
  /** Why there is no response. */
  readonly problem?: string;
}

const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const problemOf = ({ code, message }: NodeJS.ErrnoException, { host }: URL): string => {
  const hint = code && /CERT|VERIFY/.test(code) ? '; --skip-verify accepts any certificate' : '';
  return `${code ?? message} at ${host}${hint}`;
};

/**
 * Sends a delivery to the receiver and returns its status. `headers` has names and values
 * alternating, without Host. Never rejects.
 */
export const forward = ({ url, timeoutMs, skipVerify }: Forwarding, headers: readonly string[], body: Buffer): Promise<Forwarded> =>
  new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: 'POST',
      headers: ['Host', url.host, ...headers],
      agent: false,
      rejectUnauthorized: !skipVerify && !loopbackHost.test(url.hostname),
    });
    // Also ends a response that never ends.
    const timer = setTimeout(() => {
      resolve({ status: 504, problem: `no answer within ${timeoutMs / 1000} s` });
      request.destroy();
    }, timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.once('response', (response) => {
      response.once('error', () => {}).resume();
      resolve({ status: response.statusCode ?? 502 });
    });
    request.once('error', (error) => resolve({ status: 502, problem: problemOf(error, url) }));
    request.end(body);
  });

/** A delivery and its result. */
export interface ReceivedDelivery {
  readonly body: Buffer;
  /** Type of the event; undefined if the body is not an event. */
  readonly type: string | undefined;
  readonly id: string;
  /** Why the signature is invalid; undefined if it is valid. */
  readonly fault: string | undefined;
  /** The response to the delivery. `ms` is how long your receiver took, if it was asked. */
  readonly response: Forwarded & { readonly ms?: number };
}

interface ReceiverOptions {
  /** Port on this machine; 0 chooses one. */
  readonly port: number;
  /** The only path that takes deliveries. If absent, every path does. */
  readonly path?: string;
  /** Headers of the response to a request that is no delivery. If absent, it gets 404. */
  readonly aliveHeaders?: Readonly<Record<string, string>>;
  /** Resolves with the endpoint's secret once the endpoint is registered. */
  readonly secret: Promise<string>;
  readonly forwardTo: Forwarding | undefined;
  /**
   * Returns the headers that your receiver gets, names and values alternating. Undefined if it gets no
   * delivery with such a fault; the service then gets 400.
   */
  readonly passedOn: (request: IncomingMessage, body: Buffer, fault: string | undefined) => readonly string[] | undefined;
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
  /** Is called for a request that is longer than every event. */
  readonly tooLong?: () => void;
}

interface Receiver {
  readonly port: number;
  /** Waits for running deliveries, at most 10 s, then closes the server. */
  stop(): Promise<void>;
}

const longestEndMs = 10_000;

const faultOf = async (body: Buffer, { headers }: IncomingMessage, secret: string): Promise<string | undefined> => {
  try {
    await verifyWebhook({ rawBody: body, headers, secrets: secret });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
};

const typeOf = (body: Buffer): string | undefined => {
  try {
    const { type } = JSON.parse(body.toString('utf8')) as { type?: unknown };
    return typeof type === 'string' ? type : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Starts a server on this machine that verifies and forwards each delivery. It returns the response
 * of your receiver, so that the service retries after a failure. Rejects if the port is in use.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<Receiver> => {
  const { port, path, aliveHeaders, secret, forwardTo, passedOn, onDelivery, tooLong } = options;

  const responseTo = async (request: IncomingMessage, body: Buffer, fault: string | undefined): Promise<ReceivedDelivery['response']> => {
    const headers = passedOn(request, body, fault);
    if (!headers) return { status: 400 };
    if (!forwardTo) return { status: 204 };
    const startedMs = performance.now();
    const forwarded = await forward(forwardTo, headers, body);
    return { ...forwarded, ms: Math.round(performance.now() - startedMs) };
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, response);
    if (!body) return tooLong?.();
    const fault = await faultOf(body, request, await secret);
    const deliveryResponse = await responseTo(request, body, fault);
    response.writeHead(deliveryResponse.status).end();
    onDelivery({ body, type: typeOf(body), id: String(request.headers['x-webhook-id'] ?? ''), fault, response: deliveryResponse });
  };

  const server = createServer((request, response) => {
    const isHere = path === undefined || request.url === path;
    if (isHere && request.method === 'POST') return void receive(request, response).catch(() => response.destroy()); // the service closed the connection
    if (isHere && aliveHeaders) return void response.writeHead(204, aliveHeaders).end();
    response.writeHead(404).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), longestEndMs);
      await closed;
      clearTimeout(timer);
    },
  };
};
