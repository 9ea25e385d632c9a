import type middy from '@middy/core';
import type { ReceivedRequest } from '../exchange.ts';
import type { Middleware } from '../facts.ts';
import { corsHeaders, type Response } from '../responses.ts';

const addHeaders = ({ response }: middy.Request<ReceivedRequest, Response>): undefined => {
  if (response) Object.assign(response.headers, corsHeaders);
};

/** Adds the CORS headers to every response, also to errors (§ Authentication 10). */
export const cors: Middleware<ReceivedRequest> = { after: addHeaders, onError: addHeaders };
