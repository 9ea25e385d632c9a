import { once } from 'node:events';

/** Milliseconds that a check may take. */
export const checkTimes = {
  /** Limit of the whole command. */
  totalMs: 120_000,
  /** Time reserved for erasing the account. */
  eraseMs: 25_000,
  /**
   * Limit of one call. It is longer than the 29 s of an API function, so a request that was given
   * up writes nothing later.
   */
  callMs: 30_000,
  /** Limit from the write to the first attempt of its delivery. */
  deliveryMs: 60_000,
  /** Limit until an index shows what the table has. */
  listMs: 10_000,
  /** Limit until CloudWatch Logs shows a line that was written. */
  logMs: 45_000,
  /**
   * Limit from the redelivery to its attempt. EventBridge Scheduler is precise to 60 s
   * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html).
   */
  scheduleMs: 75_000,
  pollMs: 500,
  /** Pause between two slow reads. */
  slowPollMs: 1_000,
};
export type CheckTimes = Readonly<typeof checkTimes>;

export const secondsOf = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Thrown when a time limit ends something. The message is a sentence without its full stop. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/**
 * Returns a signal that is aborted after `ms` with an `Ended`, or earlier together with `outer`.
 */
export const startDeadline = (ms: number, sentence: string, outer?: AbortSignal) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Ended(sentence)), ms);
  return {
    signal: AbortSignal.any([controller.signal, ...(outer ? [outer] : [])]),
    abort: (reason: string) => controller.abort(new Ended(reason)),
    end: () => clearTimeout(timer),
  };
};

interface Limit {
  readonly ms: number;
  readonly sentence: string;
  readonly outer?: AbortSignal;
}

/**
 * Returns the result of the work. Rejects with `Ended` after the limit, even if the work ignores
 * its signal.
 */
export const within = async <Result>({ ms, sentence, outer }: Limit, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const { signal, end } = startDeadline(ms, sentence, outer);
  try {
    signal.throwIfAborted();
    const late = once(signal, 'abort').then(() => Promise.reject(signal.reason));
    return await Promise.race([work(signal), late]);
  } finally {
    end();
  }
};
