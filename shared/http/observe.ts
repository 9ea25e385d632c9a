import { ApiError, FlatError } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import { type Route, routeKey } from '../core/routes.ts';
import type { ApiEvent, Step } from './exchange.ts';
import type { ApiServices } from './operation.ts';
import { type Response, requestIdHeader } from './responses.ts';

/** Texts for people on call: the internal reason of a refusal, the cause of a failure. Never a body, path or header. */
const errorFields = (error: unknown): Record<string, unknown> => {
  if (error === undefined || error === null) return {};
  if (error instanceof ApiError) return { code: error.code, ...(error.details.internal ? { why: error.details.internal } : {}) };
  if (error instanceof FlatError) return { code: error.message, rule: error.rule, ...(error.internal ? { why: error.internal } : {}) };
  return { code: 'internal_error', error: describeError(error) };
};

/** Starts the exchange, gives every response its request id, and writes the one log line of the request. */
export const observe = (routes: readonly Route[], { clock, log }: Pick<ApiServices, 'clock' | 'log'>): Step => {
  const byKey = new Map(routes.map((route) => [routeKey(route), route]));

  const finish = (event: ApiEvent, response: Response, error: unknown): void => {
    const { route, startMs, key, replayed } = event.exchange;
    const rid = event.requestContext.requestId;
    response.headers[requestIdHeader] = rid;
    const ms = clock.now() - startMs;
    log({
      rid,
      op: route?.operation,
      status: response.statusCode,
      ms,
      account: key?.account,
      key: key?.id,
      ...(replayed ? { replay: true } : {}),
      ...errorFields(error),
    });
  };

  return {
    before: ({ event }) => {
      event.exchange = { route: byKey.get(event.routeKey), startMs: clock.now() };
    },
    after: ({ event, response }) => {
      if (response) finish(event, response, undefined);
    },
    onError: ({ event, response, error }) => {
      if (response) finish(event, response, error);
    },
  };
};
