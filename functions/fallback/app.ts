import middy from '@middy/core';
import { ApiError, unknownPath } from '../../shared/core/errors.ts';
import { deprecatedPrefix } from '../../shared/core/routes.ts';
import type { ApiHandler } from '../../shared/http/chain.ts';
import type { ApiServices, ReceivedRequest } from '../../shared/http/exchange.ts';
import { errorResponses } from '../../shared/http/middleware/error-responses.ts';
import { requestLog } from '../../shared/http/middleware/request-log.ts';
import type { Response } from '../../shared/http/responses.ts';
import { health, healthPath } from './health.ts';

const isDeprecated = (path: string): boolean => path === deprecatedPrefix || path.startsWith(`${deprecatedPrefix}/`);

/**
 * Handles every request that matches no route. Returns the health of the region at `/health`, 410
 * under `/api/v1` (§ Versioning), otherwise 404. It neither authenticates nor sends CORS headers.
 */
export const fallback = (services: Pick<ApiServices, 'clock' | 'log' | 'region'>): ApiHandler => {
  const chain = middy<ReceivedRequest, Response>()
    .use([requestLog(services, 'fallback'), errorResponses])
    .handler(async ({ rawPath, requestContext, queryStringParameters }) => {
      if (rawPath === healthPath) return health(requestContext.http.method, services.region, queryStringParameters?.['region']);
      if (isDeprecated(rawPath))
        throw new ApiError('api_version_deprecated', 'API v1 was removed. Use /api/v2. The guide "From v1 to v2" says how.');
      throw unknownPath();
    });
  return (event, context) => chain({ ...event, nowMs: services.clock.now(), logged: {} }, context);
};
