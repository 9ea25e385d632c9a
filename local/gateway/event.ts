import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** One complete HTTP request. */
export interface GatewayRequest {
  readonly method: string;
  /** As sent: path and query, not decoded. */
  readonly target: string;
  readonly protocol: string;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[];
  readonly sourceIp: string;
  readonly body: Buffer;
  readonly receivedMs: number;
  readonly requestId: string;
}

interface MatchedRoute {
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/**
 * Headers that the gateway does not pass on: they belong to one connection, or the event has them
 * elsewhere.
 */
const droppedHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'cookie',
]);

const decodeLeniently = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the parameters as payload 2.0 has them: `?a=1&a=2` becomes `{ a: "1,2" }`. */
const joinedQuery = (rawQueryString: string): Record<string, string> | undefined => {
  if (rawQueryString === '') return undefined;
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(joined);
};

/** Returns headers with names in lower case; repeated headers are joined with a comma. */
const joinHeaders = (rawHeaders: readonly string[]): Map<string, string> => {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
};

export const splitTarget = (target: string): { rawPath: string; rawQueryString: string } => {
  const cut = target.indexOf('?');
  const rawPath = cut < 0 ? target : target.slice(0, cut);
  return { rawPath: rawPath === '' ? '/' : rawPath, rawQueryString: cut < 0 ? '' : target.slice(cut + 1) };
};

const isText = (contentType: string | undefined): boolean =>
  contentType === undefined ||
  /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[\w.-]+\+(json|xml)))/i.test(contentType.trim());

/**
 * Passes text types as text. Passes other types and invalid UTF-8 as base64, so that no byte is
 * lost.
 */
const encodeBody = (body: Buffer, contentType: string | undefined): { body?: string; isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };
  return isText(contentType) && isUtf8(body)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Example: `21/Nov/2026:11:51:22 +0000`. */
const commonLogTime = (ms: number): string => {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(8, 10)}/${months[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
};

/** Returns the event that an HTTP API with payload format 2.0 sends to a function. */
export const toGatewayEvent = (request: GatewayRequest, { routeKey, pathParameters }: MatchedRoute): APIGatewayProxyEventV2 => {
  const { rawPath, rawQueryString } = splitTarget(request.target);
  const path = decodeLeniently(rawPath);
  const headers = joinHeaders(request.rawHeaders);
  const cookies = headers.get('cookie')?.split(/;\s*/).filter(Boolean);
  const forwardedFor = headers.get('x-forwarded-for');
  const domainName = (headers.get('host') ?? '').replace(/:\d+$/, '');
  const query = joinedQuery(rawQueryString);
  for (const name of droppedHeaders) headers.delete(name);
  headers.set('x-forwarded-for', forwardedFor ? `${forwardedFor}, ${request.sourceIp}` : request.sourceIp);
  headers.set('x-forwarded-proto', 'http');
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies && cookies.length > 0 ? { cookies } : {}),
    headers: Object.fromEntries(headers),
    ...(query ? { queryStringParameters: query } : {}),
    ...(pathParameters ? { pathParameters: { ...pathParameters } } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: request.method,
        path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: headers.get('user-agent') ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(request.receivedMs),
      timeEpoch: request.receivedMs,
    },
    ...encodeBody(request.body, headers.get('content-type')),
  };
};

/** Returns the peer's address. An IPv4 peer of a dual socket gets its IPv4 form. */
export const sourceIpOf = (request: IncomingMessage): string => (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
