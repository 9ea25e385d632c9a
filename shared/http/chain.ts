import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ApiError, FlatError } from '../core/errors.ts';
import { describeError, type Log } from '../core/log.ts';
import { type Route, routeKey } from '../core/routes.ts';
import { dayOfUse } from '../domain/account/api-key.ts';
import { decideAndCommit, unlessAnswered } from '../operations/operation.ts';
import type { StoredAnswer, StoredResponse } from '../table/idempotency.ts';
import { admit, answerTo } from './admit.ts';
import { type Admitted, type ApiEvent, type ApiServices, type Operations, type OperationsOf, routeOf, type Step } from './exchange.ts';
import { rateRules } from './rate-limits.ts';
import { corsHeaders, errorResponse, json, type Response, requestIdHeader } from './responses.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * The chain around a group's operations, in the order of checks of decisions §2. A step refuses by throwing: an early
 * return would skip the steps that decorate responses.
 */
export const api = <const Routes extends readonly Route[]>(
  routes: Routes,
  operations: OperationsOf<Routes>,
  services: ApiServices,
): ApiHandler => {
  const chain = middy<ApiEvent, Response>()
    .use([observe(routes, services), cors(), noteUse(services), admit(operations, services), refuse()])
    .handler(perform(operations, services));
  return async (event, context) =>
    event.requestContext.http.method === 'OPTIONS' ? preflight(event, services.log) : await chain(event as ApiEvent, context);
};

/** Only publishable-key endpoints have an OPTIONS route, so every OPTIONS that arrives is one to answer; it reads nothing. */
const preflight = ({ requestContext: { requestId } }: APIGatewayProxyEventV2, log: Log): APIGatewayProxyStructuredResultV2 => {
  log({ rid: requestId, op: 'preflight', status: 204 });
  return { statusCode: 204, headers: { ...corsHeaders, [requestIdHeader]: requestId } };
};

/** Texts for people on call: the internal reason of a refusal, the cause of a failure. Never a body, path or header. */
const errorFields = (error: unknown): Record<string, unknown> => {
  if (error === undefined || error === null) return {};
  if (error instanceof ApiError) return { code: error.code, ...(error.details.internal ? { why: error.details.internal } : {}) };
  if (error instanceof FlatError) return { code: error.message, rule: error.rule, ...(error.internal ? { why: error.internal } : {}) };
  return { code: 'internal_error', error: describeError(error) };
};

/** Starts the exchange, gives every response its request id, and writes the one log line of the request. */
const observe = (routes: readonly Route[], { clock, log }: Pick<ApiServices, 'clock' | 'log'>): Step => {
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

/** CORS headers on every response of a publishable-key endpoint, whatever it says and whichever key asked (§ Authentication 10). */
const cors = (): Step => {
  const decorate = ({ event, response }: { event: ApiEvent; response: Response | null | undefined }): void => {
    if (response && event.exchange.route?.keys === 'any') Object.assign(response.headers, corsHeaders);
  };
  return { after: decorate, onError: decorate };
};

/** Keeps the day on which a key was last answered: whoever is refused leaves nothing behind, and a failure of this is nobody's. */
const noteUse = ({ store }: Pick<ApiServices, 'store'>): Step => ({
  after: async ({ event: { exchange } }) => {
    if (exchange.key) await store.apiKeys.noteUse(exchange.key, dayOfUse(exchange.startMs)).catch(() => {});
  },
});

/** Turns whatever was thrown into its response; last in the chain, so that the steps before it can decorate the result. */
const refuse = (): Step => ({
  onError: (request) => {
    request.response = errorResponse(request.error);
  },
});

/** The caller of an API waits: few rounds, and none of them later than at once. */
const retries = { rounds: 3, maxPauseMs: 0 };

/** What is answered, and whether an earlier request had been answered so. */
interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/** Runs the operation and commits what it decided; with an Idempotency-Key the stored response is part of that one commit. */
const run = async (
  { call, request, ...first }: Extract<Admitted, { kind: 'run' }>,
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

/** The innermost part of the chain: an admitted request to its response. */
const perform =
  (operations: Operations, services: ApiServices) =>
  async (event: APIGatewayProxyEventV2): Promise<Response> => {
    const { exchange } = event as ApiEvent;
    const route = routeOf(event as ApiEvent);
    const { admitted } = exchange;
    if (!admitted) throw new Error('The chain is out of order: the request was not admitted.');
    const { status, body, isReplay } =
      admitted.kind === 'replay'
        ? { ...admitted.response, isReplay: true }
        : await run(admitted, route.status ?? 200, operations, services);
    if (isReplay) exchange.replayed = true;
    return json(status, body, {
      'Cache-Control': route.cacheControl ?? 'no-store',
      'X-RateLimit-Limit': String((route.method === 'GET' ? rateRules.read : rateRules.write).limit),
      ...(isReplay ? { 'Idempotent-Replayed': 'true' } : {}),
    });
  };
