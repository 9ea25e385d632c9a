import type { Clock } from '../core/clock.ts';
import { ApiError, StaleDecision } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import type { Account } from '../domain/account/record.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/write.ts';

/** What every door tells an operation of what it was asked. */
export interface Asked<Body = unknown> {
  /** The owner of everything the operation touches. */
  readonly account: string;
  /** Of the record it is about; '' where it is about none. */
  readonly id: string;
  readonly body: Body;
  readonly nowMs: number;
}

/** What is answered, and the writes that make it so. */
export interface Decision<Result = unknown> {
  readonly result: Result;
  /** Committed all or nothing, together with what keeps the answer for a repetition. */
  readonly writes?: readonly Write[];
  /** Whom a kept answer belongs to, and is erased with; the account that was asked about where absent. Actions only. */
  readonly owner?: string;
  /** What follows the commit, and is made good by others where it is lost. Actions only. */
  readonly afterwards?: () => Promise<void>;
  /** Where the writes were refused, and so never will be made. */
  readonly refused?: () => Promise<void>;
}

/**
 * `read` only reads: the REST API runs it beside the checks of a request and drops its result where they refuse; what it asks for in its
 * first tick shares their call. `decide` runs once all have passed; it refuses by throwing, and knows neither status codes, headers nor
 * events. Both run again, from fresh reads, where what was decided rested on something that has changed.
 */
export interface Operation<Call = Asked, Data = unknown, Result = unknown> {
  read?(call: Call): Promise<Data>;
  decide(call: Call, data: Data, account: Account): Decision<Result> | Promise<Decision<Result>>;
}

export interface RetryLimits {
  readonly rounds: number;
  /** Pauses are drawn between 0 and a bound that doubles with each round, up to this; 0 for none. */
  readonly maxPauseMs: number;
  /** Whether another round may help; asked once of each failure. Only stale decisions where absent. */
  readonly mayRetry?: (error: unknown) => boolean;
}

const isStale = (error: unknown): boolean => error instanceof StaleDecision;

/** Reads, decides and writes again, from round 1 on, where another write came between; gives up with that conflict after the last round. */
export const retryStale = async <Result>(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  { rounds, maxPauseMs, mayRetry = isStale }: RetryLimits,
  readDecideWrite: (round: number) => Promise<Result>,
): Promise<Result> => {
  for (let round = 1; ; round++) {
    try {
      return await readDecideWrite(round);
    } catch (error) {
      if (!mayRetry(error) || round === rounds) throw error;
      if (maxPauseMs > 0) await clock.sleep(random.fraction() * Math.min(maxPauseMs, 5 * 2 ** round));
    }
  }
};

/** Decides until nothing comes between, and commits the writes together with those that keep the answer. Nothing is locked before. */
export const decideAndCommit = <Made extends Decision>(
  services: { readonly store: Pick<Store, 'commit'>; readonly clock: Clock; readonly random: Random },
  limits: RetryLimits,
  decide: (round: number) => Promise<Made>,
  keepAnswer: ((decision: Made) => readonly Write[]) | undefined,
): Promise<Made> =>
  retryStale(services, limits, async (round) => {
    const decision = await decide(round);
    // The kept answer stands first: a repetition hears of that, and not of what the first call has changed.
    const writes = [...(keepAnswer?.(decision) ?? []), ...(decision.writes ?? [])];
    try {
      if (writes.length > 0) await services.store.commit(writes);
    } catch (error) {
      if (error instanceof ApiError) await decision.refused?.().catch(() => undefined);
      throw error;
    }
    return decision;
  });

/**
 * Work whose failure does not hide an answer that was kept: whatever fails looks once more for that of an earlier call with the same key,
 * or of this one's own commit where only its acknowledgement was lost. `answerTo` throws where the key was another call's.
 */
export const unlessAnswered = async <Answer, Kept>(
  find: () => Promise<Kept | undefined>,
  answerTo: (kept: Kept) => Answer,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    const kept = await find().catch(() => undefined);
    if (kept === undefined) throw error;
    return answerTo(kept);
  }
};
