import type { ApiEvent, Step } from './exchange.ts';
import { corsHeaders, errorResponse, type Response } from './responses.ts';

/** CORS headers on every response of a publishable-key endpoint, whatever it says and whichever key asked (§ Authentication 10). */
export const cors = (): Step => {
  const decorate = ({ event, response }: { event: ApiEvent; response: Response | null | undefined }): void => {
    if (response && event.exchange.route?.keys === 'any') Object.assign(response.headers, corsHeaders);
  };
  return { after: decorate, onError: decorate };
};

/** Turns whatever was thrown into its response; last in the chain, so that the steps before it can decorate the result. */
export const refuse = (): Step => ({
  onError: (request) => {
    request.response = errorResponse(request.error);
  },
});
