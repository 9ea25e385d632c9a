import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Forwarding, type Heard, startReceiver } from '../clients/typescript/src/listen-receiver.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { signatureHeader } from '../shared/webhooks/signing.ts';

interface LocalReceiver {
  /** URL of the receiver. It contains a random part, so that only the service can send to it. */
  readonly url: string;
  /** Waits for running deliveries, then closes the server. */
  stop(): Promise<void>;
}

interface LocalReceiverOptions {
  readonly forwardTo: Forwarding | undefined;
  /** Resolves with the endpoint's own secret, which differs in each run. */
  readonly secret: Promise<string>;
  /** Secret with which forwarded requests are signed, the same in all runs. */
  readonly signWith: string;
  readonly hear: (heard: Heard) => void;
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

/** Headers that belong to a connection. Host is the receiver's. */
const ofTheConnection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * Returns the headers of a delivery, signed with another secret; the time in the signature stays. A
 * delivery with an invalid signature keeps it, so that it does not appear signed.
 */
const signedAnew = ({ rawHeaders }: IncomingMessage, body: Buffer, fault: string | undefined, secret: string): readonly string[] =>
  rawHeaders.flatMap((name, i) => {
    const [lower, value = ''] = [name.toLowerCase(), rawHeaders[i + 1]];
    if (i % 2 === 1 || ofTheConnection.has(lower)) return [];
    const isSignature = fault === undefined && lower === 'x-webhook-signature';
    return [name, isSignature ? signatureHeader(secret, Number(/t=(\d+)/.exec(value)?.[1]), body) : value];
  });

/** Starts the receiver of the local service's deliveries. */
export const startLocalReceiver = async ({ signWith, ...options }: LocalReceiverOptions): Promise<LocalReceiver> => {
  const path = `/${randomBytes(16).toString('hex')}`;
  const { port, stop } = await startReceiver({
    ...options,
    port: 0,
    path,
    aliveHeaders: { [liveHeader]: 'live' },
    passedOn: (request, body, fault) => signedAnew(request, body, fault, signWith),
  });
  return { url: `http://127.0.0.1:${port}${path}`, stop };
};

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
