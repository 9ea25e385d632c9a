import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from '../clients/typescript/src/index.ts';
import { type Forwarded, type Forwarding, forward, readBody } from '../clients/typescript/src/listen-receiver.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { signatureHeader } from '../shared/webhooks/signing.ts';

/** A delivery and its result. */
export interface Heard {
  readonly body: Buffer;
  /** Type of the event; undefined if the body is not an event. */
  readonly type: string | undefined;
  readonly id: string;
  /** Why the signature is invalid; undefined if it is valid. */
  readonly fault: string | undefined;
  /** Result of forwarding; undefined without `--forward`. */
  readonly forwarded: (Forwarded & { readonly ms: number }) | undefined;
}

interface ReceiverOptions {
  readonly forwardTo: Forwarding | undefined;
  /**
   * Secret with which forwarded requests are signed, the same in all runs. The endpoint's own
   * secret differs in each run.
   */
  readonly signWith: string;
  readonly hear: (heard: Heard) => void;
}

interface Receiver {
  /** URL of the receiver. It contains a random part, so that only the service can send to it. */
  readonly url: string;
  /**
   * Secret of the endpoint. Set it when the endpoint is registered, before any delivery arrives.
   */
  secret: string;
  /** Waits for running deliveries, then closes the server. */
  stop(): Promise<void>;
}

const liveHeader = 'x-ops-listen';
/** A port without a listener refuses at once; a listener on a loaded machine may be slow. */
const probeMs = 10_000;

/** Whether a listener runs at the URL. A listener that was killed leaves its endpoint behind. */
export const isLive = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(probeMs), redirect: 'manual' });
    await response.body?.cancel();
    return response.headers.has(liveHeader);
  } catch {
    return false;
  }
};

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

/** Returns the delivery signed with another secret. The time in the signature stays. */
const signedAnew = ({ rawHeaders, body }: Delivery, secret: string): Delivery => ({
  body,
  rawHeaders: rawHeaders.map((text, i) => {
    if (i % 2 === 0 || rawHeaders[i - 1]?.toLowerCase() !== 'x-webhook-signature') return text;
    return signatureHeader(secret, Number(/t=(\d+)/.exec(text)?.[1]), body);
  }),
});

/**
 * Starts a server on this machine that verifies and forwards each delivery. It returns the response
 * of the forward, so that the service retries after a failure.
 */
export const startReceiver = async ({ forwardTo, signWith, hear }: ReceiverOptions): Promise<Receiver> => {
  const path = `/${randomBytes(16).toString('hex')}`;
  const receiver = { url: '', secret: '', stop: async () => {} };

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, response);
    if (!body) return;
    const fault = await faultOf(body, request, receiver.secret);
    const startedMs = performance.now();
    const delivery = { rawHeaders: request.rawHeaders, body };
    // A request with an invalid signature is forwarded unchanged, so that it does not appear
    // signed.
    const passedOn = fault === undefined ? signedAnew(delivery, signWith) : delivery;
    const answer = forwardTo ? await forward(forwardTo, kept(passedOn.rawHeaders), body) : undefined;
    const forwarded = answer && { ...answer, ms: Math.round(performance.now() - startedMs) };
    response.writeHead(answer?.status ?? 204).end();
    hear({ body, type: typeOf(body), id: String(request.headers['x-webhook-id'] ?? ''), fault, forwarded });
  };

  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    if (request.method !== 'POST') return void response.writeHead(204, { [liveHeader]: 'live' }).end();
    receive(request, response).catch(() => response.destroy()); // the service closed the connection
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  receiver.stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), probeMs);
    await closed;
    clearTimeout(timer);
  };
  return receiver;
};

/** A delivery as received. */
interface Delivery {
  /** Names and values alternating, as in `IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Headers that belong to a connection. Host is the receiver's. */
const ofTheConnection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding']);

const kept = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, i) => !ofTheConnection.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()));

/** The service waits 30 s for this command's response. */
const timeoutMs = 29_000;

const isPort = /^\d+(?=[/?#]|$)/;
/** A host with an optional port, and not the scheme of another kind of URL. */
const hasHost = /^(\[[^\]]+\]|[^:/?#]+)(:\d+)?([/?#]|$)/;

/** Returns the URL of `--forward`, with or without `http://`. Throws `invalid_value`. */
const forwardUrl = (text: string): URL => {
  const whole = isPort.test(text) ? `http://localhost:${text}` : hasHost.test(text) ? `http://${text}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw invalidValue('forward', '--forward must be the http:// or https:// URL of your receiver: http://localhost:8080/webhooks.');
};

export const forwardingOf = (text: string, skipVerify: boolean): Forwarding => ({ url: forwardUrl(text), timeoutMs, skipVerify });
