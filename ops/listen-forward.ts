import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { invalidValue } from '../shared/core/errors.ts';

/** A delivery as it came. */
export interface Delivery {
  /** Names and values in turn, as `IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Forwarded {
  /** The receiver's own; 502 where none answers, 504 where it takes too long. */
  readonly status: number;
  /** Why there is no answer. */
  readonly problem?: string;
}

/** The service waits 30 s for this command's own answer. */
const timeoutMs = 29_000;

/** They belong to one connection; Host is the receiver's. */
const ofTheConnection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding']);

const kept = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, i) => !ofTheConnection.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()));

/** `--forward`, with or without http://; throws `invalid_value`. */
export const forwardUrl = (text: string): URL => {
  const whole = /^https?:\/\//i.test(text) ? text : /^\d+(\/|$)/.test(text) ? `http://localhost:${text}` : `http://${text}`;
  if (!URL.canParse(whole)) throw invalidValue('forward', '--forward must be the URL of your receiver: http://localhost:8080/webhooks.');
  return new URL(whole);
};

/** Sends the delivery on with its bytes and headers unchanged; never rejects. */
export const forward = (url: URL, { rawHeaders, body }: Delivery): Promise<Forwarded> =>
  new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, { method: 'POST', headers: ['Host', url.host, ...kept(rawHeaders)], agent: false });
    const timer = setTimeout(() => {
      resolve({ status: 504, problem: `no answer within ${timeoutMs / 1000} s` });
      request.destroy();
    }, timeoutMs);
    request.once('response', (response) => {
      clearTimeout(timer);
      response.resume();
      resolve({ status: response.statusCode ?? 502 });
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ status: 502, problem: `${error.code ?? error.message} at ${url.host}` });
    });
    request.end(body);
  });
