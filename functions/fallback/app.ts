import { ApiError } from '../../shared/core/errors.ts';
import type { Log } from '../../shared/core/log.ts';
import { deprecatedPrefix } from '../../shared/core/routes.ts';
import type { ApiHandler } from '../../shared/http/chain.ts';
import { errorResponse, requestIdHeader } from '../../shared/http/responses.ts';

const isDeprecated = (path: string): boolean => path === deprecatedPrefix || path.startsWith(`${deprecatedPrefix}/`);

/**
 * Handles every request that matches no route. Returns 410 under `/api/v1` (§ Versioning),
 * otherwise 404. It neither authenticates nor sends CORS headers.
 */
export const fallback =
  ({ log }: { readonly log: Log }): ApiHandler =>
  async ({ rawPath, requestContext: { requestId } }) => {
    const error = isDeprecated(rawPath)
      ? new ApiError('api_version_deprecated', 'API v1 has been removed. Use /api/v2.')
      : new ApiError('not_found', 'No such path or method.');
    log({ rid: requestId, op: 'fallback', status: error.status, code: error.code });
    const response = errorResponse(error);
    response.headers[requestIdHeader] = requestId;
    return response;
  };
