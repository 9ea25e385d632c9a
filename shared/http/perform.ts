import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { StaleDecision } from '../core/errors.ts';
import { type Admitted, type ApiEvent, routeOf } from './exchange.ts';
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

/**
 * Runs the operation and commits what it decided; with a lock the stored response is part of that one commit. Whatever fails
 * gives the key back, unless the commit had landed and only its answer was lost: then its response is the answer.
 */
const run = async (
  admitted: Extract<Admitted, { kind: 'run' }>,
  status: number,
  operations: Operations,
  { store }: ApiServices,
): Promise<{ status: number; body: string }> => {
  const { call, account, lock } = admitted;
  const operation = operations[call.operation];
  const round = async (data: unknown) => {
    const outcome = await operation?.decide(call, data, account);
    const body = JSON.stringify(outcome?.body);
    const writes = outcome?.writes ?? [];
    // The lock stands first: whoever lost it hears of that, and not of what the request that took over has written.
    const all = lock ? [store.idempotency.finishWrite(call.account, lock, { status, body }), ...writes] : writes;
    if (all.length > 0) await store.commit(all);
    return { status, body };
  };
  try {
    return await decideUntilFresh(admitted.data, async () => operation?.read?.(call), round);
  } catch (error) {
    const landed = lock && (await store.idempotency.release(call.account, lock).catch(() => undefined));
    if (landed) return landed;
    throw error;
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
    const replay = admitted.kind === 'replay';
    const { status, body } = replay ? admitted.response : await run(admitted, route.status ?? 200, operations, services);
    return json(status, body, {
      'Cache-Control': route.cacheControl ?? 'no-store',
      'X-RateLimit-Limit': String((route.method === 'GET' ? rateRules.read : rateRules.write).limit),
      ...(replay ? { 'Idempotent-Replayed': 'true' } : {}),
    });
  };
