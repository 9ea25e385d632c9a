import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request as clients hand it to the signer and to the transport; header names in lower case. */
export interface HttpRequest {
  readonly method: string;
  /** `https:` or `http:`. */
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as they are sent; text as UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

export interface Scope {
  readonly service: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Whether each segment of the path is escaped once more, as every service but S3 wants it. */
  readonly uriEscapePath: boolean;
}

/** Headers that proxies and clients may change on the way. */
const unsignable = new Set(
  'authorization cache-control connection expect from keep-alive max-forwards pragma referer te trailer transfer-encoding upgrade user-agent x-amzn-trace-id'.split(
    ' ',
  ),
);

const escapeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Space that a signature does not count. */
const untidy = /[\r\n\t]| {2}|^ | $/;

const signedHeaders = (headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(headers)
    .filter(([name]) => !unsignable.has(name) && !name.startsWith('proxy-') && !name.startsWith('sec-'))
    .map(
      ([name, value]) =>
        [
          name,
          untidy.test(value)
            ? value
                .replace(/[\r\n]/g, ' ')
                .replace(/[ \t]+/g, ' ')
                .replace(/^ | $/g, '')
            : value,
        ] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));

const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The last key that was derived: it is the same for a day, a region and a service. As bytes it would be made a key at each call. */
const derived = new Map<string, { readonly secret: string; readonly day: string; readonly key: KeyObject }>();

const signingKey = ({ service, region, credentials: { secretAccessKey: secret } }: Scope, day: string): KeyObject => {
  const name = `${service}/${region}`;
  const known = derived.get(name);
  if (known?.day === day && known.secret === secret) return known.key;
  const key = createSecretKey(hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request'));
  derived.set(name, { secret, day, key });
  return key;
};

/**
 * The request's headers with those of AWS Signature Version 4: date, session token, authorization. The payload's digest is taken
 * from `x-amz-content-sha256` where the request carries it.
 */
export const signedHeadersOf = (request: HttpRequest, scope: Scope): Record<string, string> => {
  const time = new Date(scope.nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const { accessKeyId, sessionToken } = scope.credentials;
  const headers: Record<string, string> = { ...request.headers, 'x-amz-date': time };
  if (sessionToken) headers['x-amz-security-token'] = sessionToken;
  const signed = signedHeaders(headers);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    scope.uriEscapePath ? request.path.split('/').map(escapeSegment).join('/') : request.path,
    '', // no query
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    headers['x-amz-content-sha256'] ?? hash('sha256', request.body ?? '', 'hex'),
  ].join('\n');
  const credentialScope = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${credentialScope}\n${hash('sha256', canonical, 'hex')}`;
  const signature = createHmac('sha256', signingKey(scope, day)).update(toSign).digest('hex');
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
};
