import middy from '@middy/core';
import { ApiError } from '../../shared/core/errors.ts';
import { deprecatedPrefix } from '../../shared/core/routes.ts';
import type { ApiHandler } from '../../shared/http/chain.ts';
import type { ApiServices, Received } from '../../shared/http/exchange.ts';
import { errorResponses, requestLog } from '../../shared/http/middleware/responses.ts';
import type { Response } from '../../shared/http/responses.ts';

const isDeprecated = (path: string): boolean => path === deprecatedPrefix || path.startsWith(`${deprecatedPrefix}/`);

/**
 * Handles every request that matches no route. Returns 410 under `/api/v1` (§ Versioning),
 * otherwise 404. It neither authenticates nor sends CORS headers.
 */
export const fallback = (services: Pick<ApiServices, 'clock' | 'log'>): ApiHandler => {
  const chain = middy<Received, Response>()
    .use([requestLog(services, 'fallback'), errorResponses])
    .handler(async ({ rawPath }) => {
      if (isDeprecated(rawPath)) throw new ApiError('api_version_deprecated', 'API v1 has been removed. Use /api/v2.');
      throw new ApiError('not_found', 'No such path or method.');
    });
  return (event, context) => chain({ ...event, nowMs: services.clock.now(), logged: {} }, context);
};
