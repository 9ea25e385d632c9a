import { randomUUID } from 'node:crypto';
import { apiPrefix } from '../../shared/core/routes.ts';
import { invocationContext } from '../lambda.ts';
import { toGatewayEvent } from './event.ts';
import type { ApiStage } from './handle.ts';

const timeoutMs = 29_000;

/**
 * Calls the region's API from within the process, as a server with that key would. Throws if it
 * fails.
 */
export const callApi = async (
  { router }: ApiStage,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const target = `${apiPrefix}${path}`;
  const match = router(method, target.split('?')[0] ?? '');
  if (!match) throw new Error(`No route for ${method} ${target}.`);
  const rawHeaders = ['host', 'localhost', 'authorization', `Bearer ${key}`, 'content-type', 'application/json'];
  const request = {
    method,
    target,
    protocol: 'HTTP/1.1',
    rawHeaders,
    sourceIp: '127.0.0.1',
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  };
  const event = toGatewayEvent({ ...request, receivedMs: Date.now(), requestId: randomUUID() }, match);
  const { statusCode = 0, body: answer } = await match.target(event, invocationContext(match.routeKey, timeoutMs));
  if (statusCode > 299) throw new Error(`${method} ${target} answered ${statusCode}: ${answer}`);
  return JSON.parse(answer ?? '');
};
