/** Milliseconds that a check may take. */
export interface CheckTimes {
  /** Limit of the whole command. */
  readonly totalMs: number;
  /** Time reserved for erasing the account. */
  readonly eraseMs: number;
  /**
   * Limit of one call. It is longer than the 29 s of an API function, so a request that was given
   * up writes nothing later.
   */
  readonly callMs: number;
  /** Limit from the write to the first attempt of its delivery. */
  readonly deliveryMs: number;
  /** Limit until an index shows what the table has. */
  readonly listMs: number;
  /** Limit until CloudWatch Logs shows a line that was written. */
  readonly logMs: number;
  /**
   * Limit from the redelivery to its attempt. EventBridge Scheduler is precise to 60 s
   * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html).
   */
  readonly scheduleMs: number;
  readonly pollMs: number;
  /** Pause between two questions whose answer takes long. */
  readonly slowPollMs: number;
}

export const checkTimes: CheckTimes = {
  totalMs: 120_000,
  eraseMs: 25_000,
  callMs: 30_000,
  deliveryMs: 60_000,
  listMs: 10_000,
  logMs: 45_000,
  scheduleMs: 75_000,
  pollMs: 500,
  slowPollMs: 1_000,
};

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
  const passOn = () => controller.abort(outer?.reason);
  if (outer?.aborted) passOn();
  else outer?.addEventListener('abort', passOn, { once: true });
  return {
    signal: controller.signal,
    abort: (reason: string) => controller.abort(new Ended(reason)),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', passOn);
    },
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
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return await Promise.race([work(signal), late]);
  } finally {
    end();
  }
};
