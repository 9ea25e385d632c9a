import { createHash } from 'node:crypto';
import { ApiError } from '../../shared/core/errors.ts';
import { randomText } from '../../shared/core/random.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { canonicalJson } from '../../shared/http/request.ts';
import { type Decision, decideAndCommit, runOrReplay } from '../../shared/operations/operation.ts';
import { stillRunning, type TokenedCall, type TokenState, tokenReused } from '../../shared/table/action-tokens.ts';
import type { Store } from '../../shared/table/store.ts';
import { type ActionServices, retries, type Work } from './action.ts';

/**
 * Returns the identity of a call with a token. Two calls are the same if action, account and input
 * are equal JSON values.
 */
export const tokenedCall = (
  token: string,
  { action, account, input }: { readonly action: string; readonly account?: string | null | undefined; readonly input?: unknown },
): TokenedCall => ({
  token,
  action,
  callHash: createHash('sha256')
    .update(canonicalJson([action, account ?? null, input]))
    .digest('base64url'),
});

/**
 * Returns the stored response; undefined if it is not stored yet. Throws if the token belongs to
 * another call.
 */
const storedResultOf = (tokenState: TokenState | undefined): { readonly result: unknown } | undefined => {
  if (tokenState?.kind === 'reused') throw new ApiError('idempotency_key_reused', tokenReused, { field: 'token' });
  return tokenState?.kind === 'done' ? tokenState : undefined;
};

/** Runs the work, or returns the response of an earlier call with the same token. */
export const runOncePerToken = async (store: Store, call: TokenedCall | undefined, work: () => Promise<unknown>): Promise<unknown> => {
  if (!call) return work();
  const find = async (): Promise<TokenState | undefined> => {
    const tokenState = await store.actionTokens.find(call);
    return tokenState?.kind === 'in_flight' ? undefined : tokenState;
  };
  return runOrReplay(find, (tokenState) => storedResultOf(tokenState)?.result, work);
};

/** Owner of stored responses that concern no account, for example those about queues. */
const regionOwner = 'region';

/**
 * Latest start of the work, in milliseconds after the call began. Later work might exceed the
 * function's 60 s.
 */
const latestStartMs = 15_000;
const longestWaitMs = 40_000;
const pollIntervalMs = 250;

/**
 * Takes the token and returns undefined. If another call holds the token, waits for that call and
 * returns its response.
 */
const takeTurn = async (
  { store, clock }: Pick<ActionServices, 'store' | 'clock'>,
  call: TokenedCall,
  holder: string,
): Promise<{ readonly result: unknown } | undefined> => {
  const startMs = clock.now();
  for (;;) {
    const waitedMs = clock.now() - startMs;
    const mayStart = waitedMs < latestStartMs;
    const tokenState = await (mayStart ? store.actionTokens.take(call, holder) : store.actionTokens.find(call));
    if (!tokenState && mayStart) return undefined;
    const storedResponse = storedResultOf(tokenState);
    if (storedResponse) return storedResponse;
    if (!tokenState || waitedMs >= longestWaitMs) throw new ApiError('request_in_flight', stillRunning);
    await clock.sleep(pollIntervalMs);
  }
};

/**
 * Runs work that has effects outside its commit, which also stores the response. Only one call per
 * token runs at a time.
 */
const runAlone = async (
  services: Pick<ActionServices, 'store' | 'clock' | 'random'>,
  call: TokenedCall,
  owner: string | undefined,
  run: () => Promise<Decision>,
): Promise<unknown> => {
  const { actionTokens, commit } = services.store;
  const holder = randomText(services.random, 16);
  const storedResponse = await takeTurn(services, call, holder);
  if (storedResponse) return storedResponse.result;
  let decision: Decision;
  try {
    decision = await run();
  } catch (error) {
    // If this write also fails, the token becomes free when the lock ends.
    await actionTokens.release(call, holder).catch(() => undefined);
    throw error;
  }
  const { result, writes = [] } = decision;
  await commit([...actionTokens.doneWrites(call, owner ?? regionOwner, result, holder), ...writes]);
  return result;
};

type Call = [services: ActionServices, input: unknown, account: Account | undefined];

/** Runs the work of the action. With a token, the work runs once. */
export const carryOut = async (action: Work<Call>, call: Call, tokened: TokenedCall | undefined): Promise<unknown> => {
  const [services, input, account] = call;
  if ('choose' in action) return carryOut(await action.choose(tokened?.token, ...call), call, tokened);
  if ('read' in action) return action.read(...call);
  if ('resume' in action) return action.resume(...call);
  const { accounts, actionTokens, commit } = services.store;
  if ('run' in action || 'decideAlone' in action) {
    const run = async (): Promise<Decision> => ('run' in action ? { result: await action.run(...call) } : action.decideAlone(...call));
    if (tokened) return runAlone(services, tokened, account?.id, run);
    const { result, writes = [] } = await run();
    if (writes.length > 0) await commit(writes);
    return result;
  }
  // A repeated decision reads the account again, because it may have changed.
  const accountOfRound = async (round: number) => (round > 1 && account && (await accounts.get(account.id))) || account;
  const { result, afterwards } = await decideAndCommit(
    services,
    retries,
    async (round) => action.decide(services, input, await accountOfRound(round)),
    tokened && (({ owner, result }) => actionTokens.doneWrites(tokened, owner ?? account?.id ?? regionOwner, result)),
  );
  await afterwards?.();
  return result;
};
