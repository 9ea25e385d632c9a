/** Milliseconds that a check may take. */
export interface CheckTimes {
  /** The whole command. */
  readonly totalMs: number;
  /** Of these, kept for the erasure of the account. */
  readonly eraseMs: number;
  /** One call: longer than the 29 s of a function of the API, so a request that was given up writes nothing later. */
  readonly callMs: number;
  /** From the write to its first attempt. */
  readonly deliveryMs: number;
  readonly pollMs: number;
}

export const checkTimes: CheckTimes = { totalMs: 120_000, eraseMs: 30_000, callMs: 30_000, deliveryMs: 60_000, pollMs: 500 };

export const secondsOf = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Why a check ended something; the message is a whole sentence without its full stop. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** A signal that is aborted with an `Ended` of the sentence after `ms`, or before with the reason of `outer`. */
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

/** Resolves with the work's result; rejects with `Ended` after the limit, also if the work ignores its signal. */
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
