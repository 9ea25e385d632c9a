import type { ReceivedRequest } from '../exchange.ts';
import type { Middleware } from '../facts.ts';
import { errorResponse } from '../responses.ts';

/** Makes the response to an error that a step or the operation threw (§ Errors). */
export const errorResponses: Middleware<ReceivedRequest> = {
  onError(request) {
    request.response = errorResponse(request.error);
  },
};
