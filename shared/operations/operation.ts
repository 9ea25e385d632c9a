import type { Clock } from '../core/clock.ts';
import { StaleDecision } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import type { Account } from '../domain/account/record.ts';
import type { Write } from '../table/write.ts';

/** A call of an operation, from the REST API or the dashboard. */
export interface OperationCall<Body = unknown> {
  /** Id of the account that owns all records of the operation. */
  readonly account: string;
  /** Id of the record; '' if the operation concerns no single record. */
  readonly id: string;
  readonly body: Body;
  readonly nowMs: number;
}

/** The decision of an operation: the result to return, and the writes to commit. */
export interface Decision<Result = unknown> {
  readonly result: Result;
  /** Writes that are committed in one transaction with the stored response. */
  readonly writes?: readonly Write[];
}

/**
 * An operation reads, then decides. `read` has no side effects: the REST API runs it in parallel
 * with the checks of a request. If a check fails, its result is dropped. The first reads of an
 * operation share one call with the reads of the checks. `decide` runs after all checks and throws
 * to reject. It knows no status codes, headers or events. If another write changes a record that
 * the decision depends on, both run again.
 */
export interface Operation<Call = OperationCall, Data = unknown, Result = unknown> {
  read?(call: Call): Promise<Data>;
  decide(call: Call, data: Data, account: Account): Decision<Result> | Promise<Decision<Result>>;
}

/** Returns the operation. The type of the data that `decide` gets follows from `read`. */
export const operation = <Call, Data, Result>(made: Operation<Call, Data, Result>): Operation<Call, Data, Result> => made;

export interface RetryLimits {
  readonly rounds: number;
  /**
   * The limit of the random pauses. A pause lies between 0 and a maximum that doubles per round up
   * to this limit. 0 means no pauses.
   */
  readonly maxPauseMs: number;
}

/**
 * Repeats reading, deciding and writing while other writes interfere. Throws the conflict after the
 * last round.
 */
export const retryStale = async <Result>(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  { rounds, maxPauseMs }: RetryLimits,
  readDecideWrite: (round: number) => Promise<Result>,
): Promise<Result> => {
  for (let round = 1; ; round++) {
    try {
      return await readDecideWrite(round);
    } catch (error) {
      if (!(error instanceof StaleDecision) || round === rounds) throw error;
      if (maxPauseMs > 0) await clock.sleep(random.fraction() * Math.min(maxPauseMs, 5 * 2 ** round));
    }
  }
};

/**
 * Decides and commits in one transaction the writes of the decision and of the stored response. If
 * another write interfered, it decides again. It takes no lock.
 */
export const decideAndCommit = <Made extends Decision>(
  services: {
    readonly store: { readonly commit: (writes: readonly Write[]) => Promise<void> };
    readonly clock: Clock;
    readonly random: Random;
  },
  limits: RetryLimits,
  decide: (round: number) => Promise<Made>,
  responseWrites: ((decision: Made) => readonly Write[]) | undefined,
): Promise<Made> =>
  retryStale(services, limits, async (round) => {
    const decision = await decide(round);
    // The write of the stored response comes first. A repeated call then fails at this write, and
    // not at a record that the first call changed.
    const writes = [...(responseWrites?.(decision) ?? []), ...(decision.writes ?? [])];
    if (writes.length > 0) await services.store.commit(writes);
    return decision;
  });

/**
 * Runs the work. If it fails, returns the stored response: of an earlier call with the same key, or
 * of this call if only its acknowledgement was lost. `replay` throws if the key belongs to
 * another call.
 */
export const runOrReplay = async <Result, Stored>(
  find: () => Promise<Stored | undefined>,
  replay: (stored: Stored) => Result,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const stored = await find().catch(() => undefined);
    if (stored === undefined) throw error;
    return replay(stored);
  }
};
