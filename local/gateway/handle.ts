import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Clock } from '../../shared/core/clock.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { InvocationTimeout, invocationContext, withTimeout } from '../lambda.ts';
import type { Space } from '../log.ts';
import { type GatewayRequest, sourceIpOf, splitTarget, toGatewayEvent } from './event.ts';
import { rejectionBody, replyJson, replyResult } from './replies.ts';
import type { Router } from './routing.ts';

export type HttpFunction = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** One region's functions behind its routes. */
export interface ApiStage {
  readonly router: Router<HttpFunction>;
  /** The `$default` route. */
  readonly fallback: HttpFunction;
  /** Called after every request that may have written data. */
  readonly written: () => void;
}

const longestBody = 10 * 1024 * 1024;
const gatewayTimeoutMs = 30_000;
const functionTimeoutMs = 29_000;

/**
 * Returns the whole body; undefined if it exceeds the gateway's limit. Reads a longer body to its
 * end, so that the client receives the response.
 */
export const readBody = async (request: IncomingMessage, limit = longestBody): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? undefined : Buffer.concat(chunks);
};

/** Returns the key of a request's route, and the call of the function behind it. */
const routeRequest = ({ router, fallback }: ApiStage, request: GatewayRequest) => {
  const match = router(request.method, splitTarget(request.target).rawPath) ?? { routeKey: '$default', target: fallback };
  const { routeKey, target } = match;
  return { routeKey, invoke: () => target(toGatewayEvent(request, match), invocationContext(routeKey, functionTimeoutMs)) };
};

/** Returns the function's result. It gives the reason if the function had no disk space. */
const explained = (result: APIGatewayProxyStructuredResultV2, requestId: string, space: Space) =>
  space.failed(requestId)
    ? {
        ...result,
        statusCode: 500,
        headers: { ...result.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(new ApiError('internal_error', space.sentence).body),
      }
    : result;

/** Handles one request of a region as the HTTP API and its functions would. */
export const createHandler =
  ({ clock, log, space }: { readonly clock: Clock; readonly log: Log; readonly space: Space }) =>
  async (stage: ApiStage, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const receivedMs = clock.now();
    const headers = { 'x-request-id': requestId, 'apigw-requestid': requestId };
    const body = await readBody(request);
    if (body === undefined) return replyJson(response, 413, rejectionBody('The body is longer than 10 MB.'), headers);
    const encoding = request.headers['content-encoding'] || 'identity';
    if (body.length > 0 && encoding.trim().toLowerCase() !== 'identity')
      return replyJson(response, 415, rejectionBody('Content-Encoding is not supported. Send the body uncompressed.'), headers);
    const method = request.method ?? 'GET';
    const { routeKey, invoke } = routeRequest(stage, {
      method,
      target: request.url ?? '/',
      protocol: `HTTP/${request.httpVersion}`,
      rawHeaders: request.rawHeaders,
      sourceIp: sourceIpOf(request),
      body,
      receivedMs,
      requestId,
    });
    try {
      replyResult(response, explained(await withTimeout(gatewayTimeoutMs, invoke), requestId, space), requestId);
    } catch (error) {
      log({ message: 'function failed', route: routeKey, rid: requestId, error: describeError(error) });
      const late = error instanceof InvocationTimeout;
      replyJson(response, late ? 503 : 500, { message: late ? 'Service Unavailable' : 'Internal Server Error' }, headers);
    } finally {
      if (method !== 'GET') stage.written();
    }
  };

/**
 * Calls the region's API from within the process, as a server with that key would. Throws if it
 * fails.
 */
export const callApi = async (stage: ApiStage, key: string, method: 'GET' | 'POST', path: string, body?: unknown) => {
  const target = `${apiPrefix}${path}`;
  const { invoke } = routeRequest(stage, {
    method,
    target,
    protocol: 'HTTP/1.1',
    rawHeaders: ['host', 'localhost', 'authorization', `Bearer ${key}`, 'content-type', 'application/json'],
    sourceIp: '127.0.0.1',
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    receivedMs: Date.now(),
    requestId: randomUUID(),
  });
  const { statusCode = 0, body: responseBody } = await invoke();
  if (statusCode > 299) throw new Error(`${method} ${target} answered ${statusCode}: ${responseBody}`);
  const result: Record<string, unknown> = JSON.parse(responseBody ?? '');
  return result;
};
