/// <reference types="node" />
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';

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
