import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { decodePart, type MatchedRoute } from './routing.ts';

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

/**
 * Headers that the gateway does not pass on: they belong to one connection, or the event has them
 * elsewhere.
 */
const dropped = /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|cookie)$/;

/** Returns the values by name. Those of a repeated name are joined with a comma. */
const joinRepeated = (pairs: Iterable<readonly [string, string]>): Map<string, string> => {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined;
};

/** Returns the headers as sent, with names in lower case. */
export const pairHeaders = (rawHeaders: readonly string[]): (readonly [string, string])[] =>
  rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : []));

export const splitTarget = (target: string): { rawPath: string; rawQueryString: string } => {
  const [rawPath = ''] = target.split('?', 1);
  return { rawPath: rawPath === '' ? '/' : rawPath, rawQueryString: target.slice(rawPath.length + 1) };
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

/** Example: `21/Nov/2026:11:51:22 +0000`. */
const commonLogTime = (ms: number): string => {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

/** Returns the event that an HTTP API with payload format 2.0 sends to a function. */
export const toGatewayEvent = (request: GatewayRequest, { routeKey, pathParameters }: MatchedRoute): APIGatewayProxyEventV2 => {
  const { rawPath, rawQueryString } = splitTarget(request.target);
  const path = decodePart(rawPath) ?? rawPath;
  const headers = joinRepeated(pairHeaders(request.rawHeaders));
  const cookies = headers.get('cookie')?.split(/;\s*/).filter(Boolean);
  const forwardedFor = headers.get('x-forwarded-for');
  const domainName = (headers.get('host') ?? '').replace(/:\d+$/, '');
  for (const name of headers.keys()) if (dropped.test(name)) headers.delete(name);
  headers.set('x-forwarded-for', forwardedFor ? `${forwardedFor}, ${request.sourceIp}` : request.sourceIp);
  headers.set('x-forwarded-proto', 'http');
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies && cookies.length > 0 ? { cookies } : {}),
    headers: Object.fromEntries(headers),
    ...(rawQueryString === '' ? {} : { queryStringParameters: Object.fromEntries(joinRepeated(new URLSearchParams(rawQueryString))) }),
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
