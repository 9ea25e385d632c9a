import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ApiError, FlatError, notFound } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import { type Route, routeKey } from '../core/routes.ts';
import { dayOfUse } from '../domain/account/api-key.ts';
import { decideAndCommit, unlessAnswered } from '../operations/operation.ts';
import type { StoredAnswer, StoredResponse } from '../table/idempotency.ts';
import { type Admitted, admission, answerTo, type Received } from './admit.ts';
import type { ApiServices, Operations, OperationsOf } from './exchange.ts';
import { rateRules } from './rate-limits.ts';
import { corsHeaders, errorResponse, json, type Response, requestIdHeader } from './responses.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Returns the handler of a group's operations. It checks a request in the order of decisions §2,
 * runs its operation and writes one log line. Every check throws to reject the request. Middy
 * rejects with an error if the operation takes longer than its function may.
 */
export const api = <const Routes extends readonly Route[]>(
  routes: Routes,
  operations: OperationsOf<Routes>,
  services: ApiServices,
): ApiHandler => {
  const { clock, log, store } = services;
  const byKey = new Map(routes.map((route) => [routeKey(route), route]));
  const admit = admission(operations, services);

  const performInTime = middy<Job, Response>().handler((job) => perform(job, operations, services));

  const respond = async (received: Received, context: Context): Promise<Response> => {
    const admitted = await admit(received);
    const response = await performInTime({ ...received, admitted }, context);
    // Stores the day of the key's last successful use. If this fails, the response stays the same.
    await store.apiKeys.noteUse(admitted.key, dayOfUse(received.nowMs)).catch(() => {});
    return response;
  };

  return async (event, context) => {
    const rid = event.requestContext.requestId;
    // Only endpoints for publishable keys have an OPTIONS route. A preflight needs no key and no
    // read.
    if (event.requestContext.http.method === 'OPTIONS') {
      log({ rid, op: 'preflight', status: 204 });
      return { statusCode: 204, headers: { ...corsHeaders, [requestIdHeader]: rid } };
    }
    const route = byKey.get(event.routeKey);
    const nowMs = clock.now();
    const noted: Record<string, unknown> = {};
    const note: Received['note'] = (fields) => void Object.assign(noted, fields);
    const responding = route ? respond({ event, route, nowMs, note }, context) : Promise.reject(notFound('Route'));
    const [response, error] = await responding.then(
      (success) => [success, undefined] as const,
      (failure: unknown) => [errorResponse(failure), failure] as const,
    );
    // Every response of an endpoint for publishable keys has CORS headers. This includes errors and
    // requests with a secret key (§ Authentication 10).
    Object.assign(response.headers, route?.keys === 'any' && corsHeaders, { [requestIdHeader]: rid });
    log({ rid, op: route?.operation, status: response.statusCode, ms: clock.now() - nowMs, ...noted, ...errorFields(error) });
    return response;
  };
};

/**
 * Returns the log fields of an error for the platform team: the internal reason of a rejection, or
 * the cause of a failure. They never contain a body, path or header.
 */
const errorFields = (error: unknown): Record<string, unknown> => {
  if (error === undefined) return {};
  if (error instanceof ApiError) return { code: error.code, why: error.details.internal };
  if (error instanceof FlatError) return { code: error.message, rule: error.rule, why: error.internal };
  return { code: 'internal_error', error: describeError(error) };
};

interface Job extends Received {
  readonly admitted: Admitted;
}

/** The caller waits for the response, so there are few rounds and no pauses. */
const retries = { rounds: 3, maxPauseMs: 0 };

/** A response, and whether an earlier request stored it. */
interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/**
 * Runs the operation and commits its writes. With an Idempotency-Key, the same commit stores the
 * response.
 */
const run = async (
  { call, request, ...first }: Admitted,
  status: number,
  operations: Operations,
  services: ApiServices,
): Promise<Answer> => {
  const { accounts, idempotency } = services.store;
  const operation = operations[call.operation];
  const decide = async (round: number) => {
    // A repeated decision also reads the account again, because its order limit may have changed.
    const [data, account = first.account] =
      round === 1 ? [first.data, first.account] : await Promise.all([operation?.read?.(call), accounts.get(call.account)]);
    const decision = await operation?.decide(call, data, account);
    return { ...decision, result: JSON.stringify(decision?.result) };
  };
  const commitNow = async (): Promise<Answer> => {
    const { result: body } = await decideAndCommit(
      services,
      retries,
      decide,
      request && (({ result }) => [idempotency.storeWrite(call.account, request, { status, body: result })]),
    );
    return { status, body, isReplay: false };
  };
  if (!request) return commitNow();
  const replay = (stored: StoredAnswer): Answer => ({ ...answerTo(stored, request), isReplay: stored.token !== request.token });
  return unlessAnswered(() => idempotency.find(call.account, request), replay, commitNow);
};

/** Returns the response to a request that passed every check. */
const perform = async ({ route, note, admitted }: Job, operations: Operations, services: ApiServices): Promise<Response> => {
  const { status, body, isReplay } = admitted.answered
    ? { ...admitted.answered, isReplay: true }
    : await run(admitted, route.status ?? 200, operations, services);
  if (isReplay) note({ replay: true });
  return json(status, body, {
    'Cache-Control': route.cacheControl ?? 'no-store',
    'X-RateLimit-Limit': String((route.method === 'GET' ? rateRules.read : rateRules.write).limit),
    ...(isReplay ? { 'Idempotent-Replayed': 'true' } : {}),
  });
};
