import { assertNumber } from './checks.ts';
import type { Event } from './generated/types.gen.ts';
import { webCryptoSubtle } from './web-crypto.ts';

/** Any of the events, distinguished by `type`. */
export type WebhookEvent = Event;

/** A header of a list: of HAR and of automation tools (`name`), or of Lambda@Edge (`key`). */
type ListedHeader = { readonly name: string; readonly value: string } | { readonly key?: string | undefined; readonly value: string };
/** CloudFront Functions pass the last form. */
type HeaderValue = string | readonly string[] | readonly ListedHeader[] | { readonly value: string };
type HeaderFields = Readonly<Record<string, HeaderValue | undefined>>;
type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [string, string | readonly string[]] | string | ListedHeader>
  | HeaderFields;

/**
 * Headers of `fetch`, of Node (`headers` or `rawHeaders`), or of a framework: an object with `get`, a
 * Map, pairs, a list of names and values in turn or in objects, or the request or event that has them as
 * `headers` or `multiValueHeaders`. Names ignore case, and may begin with `Http-` or have the form of
 * CGI (`HTTP_X_WEBHOOK_SIGNATURE`).
 */
export type WebhookHeaders =
  | HeaderSource
  | { readonly headers: HeaderSource }
  | { readonly raw: { readonly headers: HeaderSource } }
  | { readonly headers?: HeaderSource | null | undefined; readonly multiValueHeaders?: HeaderSource | null | undefined };

export interface VerifyWebhookInput {
  /**
   * The body's bytes as received, before any parser. A string counts as UTF-8, or as Base64 if only
   * its decoded bytes are signed (AWS Lambda).
   */
  readonly rawBody: Uint8Array | ArrayBuffer | string;
  /** A promise is awaited (`headers()` of Next.js). */
  readonly headers: WebhookHeaders | PromiseLike<WebhookHeaders>;
  /**
   * The endpoint's full secrets (`whsec_…`): one, or the new and the old one during a rotation. White
   * space around them is removed.
   */
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Returns name and value of a pair, or of an object of a list. .NET writes `Key` and `Value`. */
const pairOf = (one: unknown): readonly unknown[] => {
  if (Array.isArray(one)) return one;
  const fields = new Map(Object.entries(one ?? {}).map(([field, content]) => [field.toLowerCase(), content as unknown]));
  return [fields.get('name') ?? fields.get('key'), fields.get('value')];
};

/** Returns names and values in pairs, from pairs, objects, or a list in which they take turns. */
const pairsOf = (list: readonly unknown[]): readonly (readonly unknown[])[] =>
  list.every((one) => typeof one === 'string' || ArrayBuffer.isView(one))
    ? list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : []))
    : list.map(pairOf);

/** Returns the headers in pairs, whatever form they have. */
const fieldsOf = (headers: unknown): readonly (readonly unknown[])[] => {
  if (!isObject(headers))
    throw new TypeError(`headers is ${headers === null ? 'null' : `of type ${typeof headers}`}: pass the headers of the request.`);
  if (Symbol.iterator in headers) return pairsOf([...(headers as unknown as Iterable<unknown>)]);
  if (typeof headers['get'] === 'function') {
    const { get } = headers as unknown as Headers;
    // Every delivery has the last two: without them, this is the get of something else, for example of Hono's context.
    return [...signatureHeaders, 'host', 'content-type'].map((name) => [name, get.call(headers, name)]);
  }
  // `raw` of Hono's request is the request of fetch.
  const inner = [headers['headers'] ?? headers['raw'], headers['multiValueHeaders']].filter(isObject);
  return inner.length > 0 ? inner.flatMap(fieldsOf) : Object.entries(headers);
};

/** Returns the usual name of a header that CGI or Zapier has renamed. */
const nameOf = (name: unknown): string =>
  String(textOf(name))
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value as Uint8Array);
  if (Array.isArray(value)) return textOf(value[0]);
  return isObject(value) ? textOf(value['value']) : undefined;
};

const headerOf = (fields: readonly (readonly unknown[])[], name: string): string | undefined =>
  fields.flatMap(([key, value]) => (nameOf(key) === name ? (textOf(value) ?? []) : []))[0];

const parseSignature = (header: string): Signature[] => {
  const [, t, hex] = /^[ \t]*t=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})[ \t]*$/.exec(header) ?? [];
  if (t === undefined || hex === undefined) return [];
  return [{ t, bytes: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) }];
};

const bytesOf = (body: VerifyWebhookInput['rawBody']): Uint8Array => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Compared by name, because a buffer of another realm is not an instance of this realm's class.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  const isRequest = isObject(body) && 'headers' in body;
  const kind = isRequest
    ? 'a whole request'
    : body === undefined || body === null
      ? 'nothing'
      : Array.isArray(body)
        ? 'an array'
        : `of type ${typeof body}`;
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
const signaturesOf = (headers: unknown): readonly Signature[] => {
  const fields = fieldsOf(headers);
  // The delivery may be genuine.
  if (fields.length > 0 && fields.every(([, value]) => textOf(value) === undefined))
    throw new TypeError('headers has no header that can be read: pass the headers of the request.');
  const written = signatureHeaders.map((name) => headerOf(fields, name)).filter((value) => value !== undefined);
  const signatures = written.flatMap(parseSignature);
  if (signatures.length > 0) return signatures;
  throw new WebhookVerificationError(
    'missing',
    written.length === 0
      ? "No X-Webhook-Signature came with this request: it is not the service's, or a proxy before this receiver strips the header and has to let it and X-Webhook-Signature-Previous pass."
      : "X-Webhook-Signature is not of the form t=…,v1=…: it is not the service's, or a proxy before this receiver rewrites it and has to let it pass as it is.",
  );
};

/** Returns the secrets without white space around them. Throws for an empty list. */
const secretsOf = ({ secrets }: VerifyWebhookInput): readonly string[] => {
  const all: readonly unknown[] = typeof secrets === 'string' ? [secrets] : Array.isArray(secrets) ? secrets : [];
  const trimmed = all.map((secret) => (typeof secret === 'string' ? secret.trim() : ''));
  if (trimmed.length === 0 || trimmed.includes('')) throw new TypeError('secrets needs the signing secret of the endpoint, or several.');
  return trimmed;
};

/** Returns the bytes that a Base64 text encodes; undefined for any other body. */
const decoded = (body: VerifyWebhookInput['rawBody']): Uint8Array | undefined =>
  typeof body === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(body) && body.length % 4 === 0
    ? Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    : undefined;

const signingKey = (secret: string) =>
  webCryptoSubtle().importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

/** Returns the signatures that one of the secrets made over the body. */
const verifiedOf = async (
  body: Uint8Array,
  signatures: readonly Signature[],
  secrets: readonly string[],
): Promise<readonly Signature[]> => {
  const isSignedBy = async (secret: string, { t, bytes }: Signature): Promise<boolean> => {
    const prefix = new TextEncoder().encode(`${t}.`);
    const signed = new Uint8Array(prefix.length + body.length);
    signed.set(prefix);
    signed.set(body, prefix.length);
    return webCryptoSubtle().verify('HMAC', await signingKey(secret), bytes, signed);
  };
  const verified: Signature[] = [];
  for (const signature of signatures) for (const secret of secrets) if (await isSignedBy(secret, signature)) verified.push(signature);
  return verified;
};

/**
 * Returns the event if one of the secrets signed it within the tolerance (§ Signature). Otherwise
 * throws `WebhookVerificationError`, or a `TypeError` if secrets or bytes are missing. Compares in
 * constant time with Web Crypto. Deliveries repeat, so store `event.id`.
 */
export const verifyWebhook = async (input: VerifyWebhookInput): Promise<WebhookEvent> => {
  const { toleranceSeconds = 300, now = Date.now } = input;
  assertNumber('toleranceSeconds', toleranceSeconds, 0, Number.MAX_VALUE);
  const secrets = secretsOf(input);
  const sent = bytesOf(input.rawBody);
  const signatures = signaturesOf(await input.headers);
  const nowMs = now();
  assertNumber('The result of now()', nowMs, 0, Number.MAX_VALUE);

  let body = sent;
  let verified = await verifiedOf(body, signatures, secrets);
  const inner = decoded(input.rawBody);
  if (verified.length === 0 && inner) {
    body = inner;
    verified = await verifiedOf(body, signatures, secrets);
  }
  const [nearest] = verified.map(({ t }) => Number(t) - nowMs / 1000).sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined)
    throw new WebhookVerificationError(
      'mismatch',
      'None of the secrets signed this body: take the secret of this very endpoint, and the bytes as they came, not JSON that was parsed and serialized again.',
    );
  if (Math.abs(nearest) > toleranceSeconds) throw stale(nearest, toleranceSeconds);
  return parseEvent(body);
};
