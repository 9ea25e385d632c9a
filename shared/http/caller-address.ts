import { viewerAddressHeader } from '../core/config.ts';
import type { ReceivedRequest } from './exchange.ts';

/**
 * Returns the caller's address. Behind an edge the gateway sees the edge's own address. The edge's
 * header counts only if the authorizer has found the edge's secret in the request.
 */
export const callerAddress = ({ headers, requestContext: { authorizer, http } }: ReceivedRequest): string => {
  const viewer = authorizer?.lambda?.edge ? headers[viewerAddressHeader.toLowerCase()] : undefined;
  return viewer?.replace(/:\d+$/, '') || http.sourceIp;
};
