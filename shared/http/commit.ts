import { ApiError } from '../core/errors.ts';
import type { Route } from '../core/routes.ts';
import { decideAndCommit, type Operation, runOrReplay } from '../operations/operation.ts';
import type { IdempotencyRecord, IdempotentRequest, StoredResponse } from '../table/idempotency.ts';
import type { ApiServices, Call } from './exchange.ts';
import type { Exchange, Facts } from './facts.ts';
import { json, type Response, replayHeader } from './responses.ts';

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
 * Returns the last step of a chain. It returns the stored response of the Idempotency-Key, or runs
 * the operation and commits its writes. With an Idempotency-Key, the same commit stores the response.
 */
export const commit = (route: Route, operation: Operation<Call>, services: ApiServices) => {
  const { accounts, idempotency } = services.store;
  const status = route.status ?? 200;

  const respond = async (facts: Facts): Promise<ReplayableResponse> => {
    const [{ call }, idempotent, stored] = [await facts.parsed(), await facts.idempotent(), await facts.storedResponse()];
    if (stored && idempotent) return replayResponse(stored, idempotent);
    const [firstAccount, firstData] = [await facts.account(), await facts.data()];
    const decide = async (round: number) => {
      // A repeated decision also reads the account again, because its order limit may have changed.
      const [data, account = firstAccount] =
        round === 1 ? [firstData] : await Promise.all([operation.read?.(call), accounts.get(call.account)]);
      const decision = await operation.decide(call, data, account);
      return { ...decision, result: JSON.stringify(decision.result) };
    };
    const commitNow = async (): Promise<ReplayableResponse> => {
      const { result: body } = await decideAndCommit(
        services,
        retries,
        decide,
        idempotent && (({ result }) => [idempotency.storeWrite(call.account, idempotent, { status, body: result })]),
      );
      return { status, body, isReplay: false };
    };
    if (!idempotent) return commitNow();
    const find = () => idempotency.find(call.account, idempotent);
    return runOrReplay(find, (record) => replayResponse(record, idempotent), commitNow);
  };

  return async ({ facts }: Exchange): Promise<Response> => {
    const { status, body, isReplay } = await respond(facts);
    return json(status, body, {
      'Cache-Control': route.cacheControl ?? 'no-store',
      ...(isReplay && { [replayHeader]: 'true' }),
    });
  };
};
