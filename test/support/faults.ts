import { cancelled, serviceError } from '../../local/engine/commands/errors.ts';
import { mostTries } from './retries.ts';
import type { Hook, Send, Wire, WireCall } from './wire.ts';

/** Rejects with DynamoDB's error of this name, for example `ThrottlingException`. */
export const rejectWith = async (type: string, fields: object = {}, statusCode = 400): Promise<never> => {
  throw serviceError(type, `internals of ${type}`, fields, statusCode);
};

export const transactionConflict = async (): Promise<never> => {
  throw cancelled([{ Code: 'TransactionConflict' }, { Code: 'None' }]);
};

/** The error of a broken connection. The call may have been executed. */
export const brokenConnection = (): Error => Object.assign(new Error('internals of a socket'), { code: 'ECONNRESET' });

/** Executes the call and loses its response. */
export const loseResponse = async (send: Send): Promise<never> => {
  await Promise.allSettled([send()]);
  throw brokenConnection();
};

interface Attempt {
  getRetryCount(): number;
  getRetryDelay(): number;
}

const attempt = (count: number): Attempt => ({ getRetryCount: () => count, getRetryDelay: () => 0 });

/** Three tries like the SDK, without its pauses, for a client of the SDK. */
export const promptRetries = {
  acquireInitialRetryToken: async (): Promise<Attempt> => attempt(0),
  async refreshRetryTokenForRetry(last: Attempt, { errorType }: { readonly errorType: string }): Promise<Attempt> {
    if (errorType === 'CLIENT_ERROR' || last.getRetryCount() === mostTries - 1) throw new Error('No more tries.');
    return attempt(last.getRetryCount() + 1);
  },
  recordSuccess: (): void => undefined,
};

/** A process that is stopped at one of its calls. */
export interface Standstill {
  /** Resolves once the process is stopped and its other calls have ended. */
  readonly reached: Promise<void>;
  /** Lets the process continue normally. */
  goOn(): void;
  /** Lets the process continue with a broken connection. */
  fail(): void;
}

/** Whether the call may change what is stored. */
export const isWrite = ({ operation }: WireCall): boolean => operation !== 'Query' && operation !== 'BatchGetItem';

/** Sends this many of the calls that `counts` accepts, and fails every later one. Other calls go on. */
export const failWritesAfter = (count: number, counts = isWrite): Hook => {
  let remaining = count;
  return async (call, send) => {
    if (counts(call) && remaining-- <= 0) throw Object.assign(new Error('cut off'), { name: 'AccessDeniedException' });
    return await send();
  };
};

export const isCommit = ({ operation }: WireCall): boolean => operation === 'TransactWriteItems';

/** Does the work before it sends the first call that `matches`. Other calls go on. */
export const runBefore = (matches: (call: WireCall) => boolean, work: () => Promise<unknown>): Hook => {
  let hasRun = false;
  return async (call, send) => {
    if (!hasRun && matches(call)) {
      hasRun = true;
      await work();
    }
    return await send();
  };
};

/**
 * Stops the process that makes the call with the given index, before the call or before its
 * response. Later processes run freely. The index counts the calls that `counts` accepts.
 */
export const standstillAt = (wire: Wire, index: number, moment: 'before' | 'after', counts = (_call: WireCall) => true): Standstill => {
  let wake: (error?: Error) => void = () => undefined;
  const slept = new Promise<void>((resolve, reject) => {
    wake = (error) => (error ? reject(error) : resolve());
  });
  let stop: (call: WireCall) => void = () => undefined;
  const stopped = new Promise<WireCall>((resolve) => {
    stop = resolve;
  });
  let count = 0;
  wire.reset();
  wire.intercept(async (call, send) => {
    if (!counts(call) || count++ !== index) return send();
    if (moment === 'after') {
      const response = send();
      await Promise.allSettled([response]);
      stop(call);
      await slept;
      return response;
    }
    stop(call);
    await slept;
    return send();
  });
  const reached = stopped.then(async (call) => {
    while (wire.calls.some((other) => other !== call && other.endedAt === Number.POSITIVE_INFINITY)) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  return { reached, goOn: () => wake(), fail: () => wake(brokenConnection()) };
};
