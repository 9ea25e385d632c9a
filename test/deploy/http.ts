import { request as httpRequest } from 'node:http';
import type { Emulator } from './emulator.ts';

export interface RequestOptions {
  readonly key?: string;
  /** A string is sent as it is; any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Returns undefined if the text is not JSON. */
  readonly body: any;
}

export type Request = (method: string, url: string, options?: RequestOptions) => Promise<HttpResponse>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Requests a URL at the emulator, which finds the API by the Host header, so names under
 * `.localhost` need no DNS.
 */
export const requestAt =
  (emulator: Emulator): Request =>
  (method, url, { key, body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const { host, pathname, search } = new URL(url);
      const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
      const outgoing = httpRequest(`${emulator.url}${pathname}${search}`, {
        method,
        timeout: 60_000,
        headers: {
          host,
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${pathname} has no answer after 60 s`)));
      outgoing.once('error', reject);
      outgoing.once('response', async (response) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response as AsyncIterable<Uint8Array>) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
      });
      outgoing.end(payload);
    });
