import type { Region } from '../../shared/core/config.ts';
import { version } from '../../shared/core/version.ts';
import { jsonResponse, type Response } from '../../shared/http/responses.ts';

/** Path of the health check, outside `/api/v2`. It needs no key. */
export const healthPath = '/health';

const uncached = { 'Cache-Control': 'no-store' };

/**
 * Returns the response of the health check: the region and the version. It reads no table, so it
 * costs one invocation and a throttled table does not take the region out of a load balancer. A HEAD
 * gets the headers only. Other methods get a 405 that names the methods. If `requestedRegion` is another
 * region, returns 421: the address leads to the wrong region.
 */
export const health = (method: string, region: Region, requestedRegion: string | undefined): Response => {
  if (requestedRegion !== undefined && requestedRegion !== region) {
    const error = {
      type: 'invalid_request_error',
      code: 'misdirected_request',
      message: `This is the region ${region}. Use the address of your region.`,
    };
    return jsonResponse(421, { error }, uncached);
  }
  const found = jsonResponse(200, { status: 'ok', region, version }, uncached);
  if (method === 'GET') return found;
  if (method === 'HEAD') return { ...found, body: '' };
  const error = { type: 'invalid_request_error', code: 'method_not_allowed', message: `${healthPath} accepts GET and HEAD only.` };
  return jsonResponse(405, { error }, { ...uncached, Allow: 'GET, HEAD' });
};
