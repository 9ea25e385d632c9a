import { randomUUID } from 'node:crypto';
import { apiPrefix } from '../../shared/core/routes.ts';
import { invocationContext } from '../lambda.ts';
import { toGatewayEvent } from './event.ts';
import type { ApiStage } from './handle.ts';

const timeoutMs = 29_000;

/** One POST to the region's API from within the process, as a server with that key would send it; throws where it is refused. */
export const postTo = async ({ router }: ApiStage, key: string, path: string, body: unknown): Promise<void> => {
  const target = `${apiPrefix}${path}`;
  const match = router('POST', target);
  if (!match) throw new Error(`No route for POST ${target}.`);
  const rawHeaders = ['host', 'localhost', 'authorization', `Bearer ${key}`, 'content-type', 'application/json'];
  const request = {
    method: 'POST',
    target,
    protocol: 'HTTP/1.1',
    rawHeaders,
    sourceIp: '127.0.0.1',
    body: Buffer.from(JSON.stringify(body)),
  };
  const event = toGatewayEvent({ ...request, receivedMs: Date.now(), requestId: randomUUID() }, match);
  const { statusCode, body: answer } = await match.target(event, invocationContext(match.routeKey, timeoutMs));
  if (statusCode !== 201) throw new Error(`POST ${target} answered ${statusCode}: ${answer}`);
};
