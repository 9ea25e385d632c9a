import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { apiPrefix, type Route, routeKey } from '../../../shared/core/routes.ts';

/** A request of an integrator. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API's prefix. */
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The client's IP address; one that most clients share by default. */
  readonly address?: string;
  /** Whether the process that ran last gets the request, if it is idle. */
  readonly warm?: boolean;
}

export const sharedAddress = '192.0.2.1';

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  /** Name of the bucket in a 429. */
  readonly rateLimit: string | undefined;
}

const pathId = (route: Route, path: string): string | undefined =>
  new RegExp(`^${route.path.replace('{id}', '([^/]+)')}$`).exec(path.split('?')[0] ?? '')?.[1];

export const matches = (route: Route, { method, path }: Request): boolean =>
  route.method === method && new RegExp(`^${route.path.replace('{id}', '[^/]+')}$`).test(path.split('?')[0] ?? '');

/** Returns a request as an event of API Gateway (payload 2.0). */
export const eventOf = (route: Route, request: Request, requestId: string): APIGatewayProxyEventV2 => {
  const { method, path, key, body, idempotencyKey, address = sharedAddress } = request;
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const id = pathId(route, path);
  const host = 'us.api.example.com';
  return {
    version: '2.0',
    routeKey: routeKey(route),
    rawPath: `${apiPrefix}${rawPath}`,
    rawQueryString,
    headers: { host, authorization: `Bearer ${key}`, ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }) },
    requestContext: {
      accountId: '000000000000',
      apiId: 'simulated',
      domainName: host,
      domainPrefix: 'us',
      http: { method, path: `${apiPrefix}${rawPath}`, protocol: 'HTTP/1.1', sourceIp: address, userAgent: 'simulated' },
      requestId,
      routeKey: routeKey(route),
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(id === undefined ? {} : { pathParameters: { id } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
};

export const contextOf = (remainingMs: number): Context => ({ getRemainingTimeInMillis: () => remainingMs }) as Context;
