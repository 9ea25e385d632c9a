import type { Event } from './generated/types.gen.ts';
import { webCrypto } from './web-crypto.ts';

/** Any of the events, distinguished by `type`. */
export type WebhookEvent = Event;

/** Headers of `fetch`, of Node's `request.headers`, or of a framework. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookInput {
  /** The body's bytes as received, before any parser; a string counts as UTF-8. */
  readonly rawBody: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The endpoint's full secrets (`whsec_…`): one, or the new and the old one during a rotation. */
  readonly secrets: string | readonly string[];
  /** Maximum difference in seconds between `t` and now, in either direction (default 300). */
  readonly toleranceSeconds?: number | undefined;
  /** Returns milliseconds since the epoch (default `Date.now`). */
  readonly now?: (() => number) | undefined;
}

/** The request is not authentic; respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /**
   * `missing`: no readable signature; `mismatch`: no secret matches; `stale`: signed too long ago
   * or in the future; `malformed`: the body holds no event.
   */
  readonly reason: 'missing' | 'mismatch' | 'stale' | 'malformed';
  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Signature {
  /** As written in the header, because the signature covers that text. */
  readonly t: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const signatureHeaders = ['x-webhook-signature', 'x-webhook-signature-previous'];

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (typeof headers['get'] === 'function') return (headers as Headers).get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
};

const parseSignature = (header: string): Signature[] => {
  const [, t, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (t === undefined || hex === undefined) return [];
  return [{ t, bytes: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) }];
};

const bytesOf = (body: VerifyWebhookInput['rawBody']): Uint8Array => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Compared by name, because a buffer of another realm is not an instance of this realm's class.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  const kind = body === undefined || body === null ? 'nothing' : Array.isArray(body) ? 'an array' : `of type ${typeof body}`;
  throw new TypeError(
    `rawBody is ${kind}, perhaps a body that was parsed already: pass its bytes as they came, before any JSON parser (Express: express.raw({ type: 'application/json' }), fetch handlers: await request.arrayBuffer()).`,
  );
};

const parseEvent = (body: Uint8Array): WebhookEvent => {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string') return event as WebhookEvent;
  } catch {
    // Told below.
  }
  throw new WebhookVerificationError(
    'malformed',
    'The signature is right, but the body is no event: keep this secret for the service alone.',
  );
};

const span = (seconds: number): string => {
  const [unit, size] = (
    [
      ['days', 86_400, 2],
      ['hours', 3_600, 2],
      ['minutes', 60, 10],
    ] as const
  ).find(([, size, least]) => seconds >= least * size) ?? ['s', 1];
  return `${(seconds / size).toFixed(0)} ${unit}`;
};

/** `offset`: seconds by which the signature is ahead of the clock. */
const stale = (offset: number, tolerance: number): WebhookVerificationError => {
  const far = `${span(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} this machine's clock, which is more than ${tolerance} s`;
  const what = offset > 0 ? 'set the clock by NTP' : 'refuse it as a replay, or set the clock by NTP if it is new';
  return new WebhookVerificationError('stale', `The signature is ${far}: ${what}.`);
};

/** Returns the signatures of the request. Throws if none can be read. */
const signaturesOf = (headers: WebhookHeaders): readonly Signature[] => {
  const written = signatureHeaders.map((name) => headerOf(headers, name)).filter((value) => value !== undefined);
  const signatures = written.flatMap(parseSignature);
  if (signatures.length > 0) return signatures;
  throw new WebhookVerificationError(
    'missing',
    written.length === 0
      ? "No X-Webhook-Signature came with this request: it is not the service's, or a proxy before this receiver strips the header and has to let it and X-Webhook-Signature-Previous pass."
      : "X-Webhook-Signature is not of the form t=…,v1=…: it is not the service's, or a proxy before this receiver rewrites it and has to let it pass as it is.",
  );
};

/**
 * Returns the event if one of the secrets signed it within the tolerance (§ Signature). Otherwise
 * throws `WebhookVerificationError`, or a `TypeError` if secrets or bytes are missing. Compares in
 * constant time with Web Crypto. Deliveries repeat, so store `event.id`.
 */
export const verifyWebhook = async (input: VerifyWebhookInput): Promise<WebhookEvent> => {
  const { toleranceSeconds = 300, now = Date.now } = input;
  const secrets = typeof input.secrets === 'string' ? [input.secrets] : input.secrets;
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets needs the signing secret of the endpoint, or several.');
  const body = bytesOf(input.rawBody);
  const signatures = signaturesOf(input.headers);
  const { subtle } = await webCrypto();
  const isSignedBy = async (secret: string, { t, bytes }: Signature): Promise<boolean> => {
    const prefix = new TextEncoder().encode(`${t}.`);
    const signed = new Uint8Array(prefix.length + body.length);
    signed.set(prefix);
    signed.set(body, prefix.length);
    const key = await subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    return subtle.verify('HMAC', key, bytes, signed);
  };
  const verified: Signature[] = [];
  for (const signature of signatures) for (const secret of secrets) if (await isSignedBy(secret, signature)) verified.push(signature);

  const [nearest] = verified.map(({ t }) => Number(t) - now() / 1000).sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined)
    throw new WebhookVerificationError(
      'mismatch',
      'None of the secrets signed this body: take the secret of this very endpoint, and the bytes as they came, not JSON that was parsed and serialized again.',
    );
  if (Math.abs(nearest) > toleranceSeconds) throw stale(nearest, toleranceSeconds);
  return parseEvent(body);
};
