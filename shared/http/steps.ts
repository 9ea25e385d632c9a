import { authenticate as findKey } from '../auth/authenticate.ts';
import { type ApiEvent, routeOf, type Step } from './exchange.ts';
import type { ApiServices } from './operation.ts';
import { assertAllowed, rateRules } from './rate-limits.ts';
import { corsHeaders, errorResponse, type Response } from './responses.ts';

/** CORS headers on every response of a publishable-key endpoint, whatever it says and whichever key asked (§ Authentication 10). */
export const cors = (): Step => {
  const decorate = ({ event, response }: { event: ApiEvent; response: Response | null | undefined }): void => {
    if (response && event.exchange.route?.keys === 'any') Object.assign(response.headers, corsHeaders);
  };
  return { after: decorate, onError: decorate };
};

/** The per-IP bucket of the publishable-key endpoints, then the key; both are read in one trip and answered in this order. */
export const authenticate = ({ region, store }: ApiServices): Step => ({
  before: async ({ event }) => {
    const route = routeOf(event);
    const { authorization, host } = event.headers;
    const { name, limit } = rateRules.publicIp;
    const [bucket, key] = await Promise.allSettled([
      route.keys === 'any' ? store.buckets.take(name, event.requestContext.http.sourceIp, limit) : undefined,
      findKey(store.apiKeys, { authorization, host, region, nowMs: event.exchange.startMs }),
    ]);
    if (bucket.status === 'rejected') throw bucket.reason;
    if (bucket.value) assertAllowed(bucket.value, rateRules.publicIp);
    if (key.status === 'rejected') throw key.reason;
    event.exchange.key = key.value;
  },
});

/** Turns whatever was thrown into its response; last in the chain, so that the steps before it can decorate the result. */
export const refuse = (): Step => ({
  onError: (request) => {
    request.response = errorResponse(request.error);
  },
});
