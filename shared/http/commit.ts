import { ApiError } from '../core/errors.ts';
import type { Route } from '../core/routes.ts';
import { decideAndCommit, type Operation, runOrReplay } from '../operations/operation.ts';
import type { IdempotencyRecord, IdempotentRequest, StoredResponse } from '../table/idempotency.ts';
import type { ApiServices, Call } from './exchange.ts';
import { type Exchange, type Facts, requireFact } from './facts.ts';
import { jsonResponse, type Response, replayHeader } from './responses.ts';

/** The caller waits for the response, so there are few rounds and no pauses. */
const retries = { rounds: 3, maxPauseMs: 0 };

/** A response, and whether an earlier request stored it. */
interface ReplayableResponse extends StoredResponse {
  readonly isReplay: boolean;
}

/**
 * Returns the stored response for a request with its key. Throws `idempotency_key_reused` if the
 * key belongs to another request.
 */
const replayResponse = (stored: IdempotencyRecord, request: IdempotentRequest): ReplayableResponse => {
  if (stored.route !== request.route || stored.bodyHash !== request.bodyHash)
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another body or route. Use a new key.');
  const { status, body, token } = stored;
  return { status, body, isReplay: token !== request.token };
};

/**
 * Returns the last step of a chain, which makes the response:
 *
 * 1. If a response is stored for the Idempotency-Key, returns it.
 * 2. Otherwise the operation decides. One transaction commits its writes and stores the response.
 * 3. If another write interfered, reads and decides again.
 * 4. If this fails, returns the response that is now stored for the Idempotency-Key, if there is one.
 */
export const commitOperation = (route: Route, operation: Operation<Call>, services: ApiServices) => {
  const { accounts, idempotency } = services.store;
  const status = route.status ?? 200;

  const respond = async (facts: Facts): Promise<ReplayableResponse> => {
    const { call, idempotent } = requireFact(facts.parsed);
    const stored = requireFact(facts.storedResponse);
    if (stored && idempotent) return replayResponse(stored, idempotent);
    const first = { data: requireFact(facts.data), account: requireFact(facts.account) };
    const readAgain = async () => {
      // The account is read too, because its order limit may have changed.
      const [data, account = first.account] = await Promise.all([operation.read?.(call), accounts.get(call.account)]);
      return { data, account };
    };
    const decide = async (round: number) => {
      const { data, account } = round === 1 ? first : await readAgain();
      const decision = await operation.decide(call, data, account);
      return { ...decision, result: JSON.stringify(decision.result) };
    };
    const storeResponse = ({ result }: { readonly result: string }) =>
      idempotent ? [idempotency.storeWrite(call.account, idempotent, { status, body: result })] : [];
    const commitNow = async (): Promise<ReplayableResponse> => {
      const { result } = await decideAndCommit(services, retries, decide, storeResponse);
      return { status, body: result, isReplay: false };
    };
    if (!idempotent) return commitNow();
    const find = () => idempotency.find(call.account, idempotent);
    const work = () =>
      commitNow().catch((error: unknown) => {
        throw idempotency.errorOf(error);
      });
    return runOrReplay(find, (record) => replayResponse(record, idempotent), work);
  };

  return async ({ facts }: Exchange): Promise<Response> => {
    const { status, body, isReplay } = await respond(facts);
    return jsonResponse(status, body, {
      'Cache-Control': route.cacheControl ?? 'no-store',
      ...(isReplay && { [replayHeader]: 'true' }),
    });
  };
};
