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
 * The handler of a group's operations: it checks a request in the order of decisions §2, runs its
 * operation, and writes the one log line of the request. Every step rejects a request by throwing.
 * Middy rejects an operation that outlasts the time of its function.
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
    // Keeps the day on which the key last succeeded. The response does not depend on it.
    await store.apiKeys.noteUse(admitted.key, dayOfUse(received.nowMs)).catch(() => {});
    return response;
  };

  return async (event, context) => {
    const rid = event.requestContext.requestId;
    // Only publishable-key endpoints have an OPTIONS route, so the preflight of a browser reads
    // nothing.
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
    // CORS headers are on every response of a publishable-key endpoint, whatever it says and
    // whichever key asked (§ Authentication 10).
    Object.assign(response.headers, route?.keys === 'any' && corsHeaders, { [requestIdHeader]: rid });
    log({ rid, op: route?.operation, status: response.statusCode, ms: clock.now() - nowMs, ...noted, ...errorFields(error) });
    return response;
  };
};

/**
 * Texts for people on call: the internal reason of a rejection, the cause of a failure. Never a body,
 * path or header.
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

/** The caller of an API waits: few rounds, and none of them later than at once. */
const retries = { rounds: 3, maxPauseMs: 0 };

/** The response, and whether it was stored for an earlier request. */
interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/**
 * Runs the operation and commits what it decided; with an Idempotency-Key the stored response is
 * part of that one commit.
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
    // Made again, a decision rests on the account as well: its order limit may be what has changed.
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

/** Responds to an admitted request. */
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
