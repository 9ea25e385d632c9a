import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, StaleDecision } from '../core/errors.ts';
import type { StoredResponse } from '../table/idempotency.ts';
import { type Admitted, type ApiEvent, routeOf } from './exchange.ts';
import { answerTo } from './idempotency.ts';
import type { ApiServices, Operations } from './operation.ts';
import { rateRules } from './rate-limits.ts';
import { json, type Response } from './responses.ts';

const maxRounds = 3;

/** Runs a round until it holds: one that rested on what others changed meanwhile is made again, from fresh reads, up to three times. */
const decideUntilFresh = async <Data, Result>(
  first: Data,
  readAgain: () => Promise<Data>,
  round: (data: Data) => Promise<Result>,
): Promise<Result> => {
  let data = first;
  for (let rounds = 1; ; rounds++) {
    try {
      return await round(data);
    } catch (error) {
      if (!(error instanceof StaleDecision) || rounds === maxRounds) throw error;
      data = await readAgain();
    }
  }
};

/** What is answered, and whether an earlier request had been answered so. */
interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/** What a round decides on. */
type Basis = Pick<Extract<Admitted, { kind: 'run' }>, 'data' | 'account'>;

/**
 * Runs the operation and commits what it decided; with an Idempotency-Key the stored response is part of that one commit. Nothing is
 * locked before: whatever fails looks once more for the answer of a request with the same key that came first, or of this one's own
 * commit where only its acknowledgement was lost.
 */
const run = async (
  { call, request, ...first }: Extract<Admitted, { kind: 'run' }>,
  status: number,
  operations: Operations,
  { store }: ApiServices,
): Promise<Answer> => {
  const operation = operations[call.operation];
  // The account as well: its order limit may be what has changed.
  const readAgain = async (): Promise<Basis> => {
    const [data, account = first.account] = await Promise.all([operation?.read?.(call), store.accounts.get(call.account)]);
    return { data, account };
  };
  const round = async ({ data, account }: Basis): Promise<Answer> => {
    const outcome = await operation?.decide(call, data, account);
    const body = JSON.stringify(outcome?.body);
    const writes = outcome?.writes ?? [];
    // The stored response stands first: who comes second hears of that, and not of what the first one has written.
    const all = request ? [store.idempotency.storeWrite(call.account, request, { status, body }), ...writes] : writes;
    try {
      if (all.length > 0) await store.commit(all);
    } catch (error) {
      if (error instanceof ApiError) await outcome?.refused?.().catch(() => undefined);
      throw error;
    }
    return { status, body, isReplay: false };
  };
  try {
    return await decideUntilFresh(first, readAgain, round);
  } catch (error) {
    const stored = request && (await store.idempotency.find(call.account, request).catch(() => undefined));
    if (!stored) throw error;
    return { ...answerTo(stored, request), isReplay: stored.token !== request.token };
  }
};

/** The innermost part of the chain: an admitted request to its response. */
export const perform =
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
