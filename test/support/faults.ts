import { Readable } from 'node:stream';
import type { Wire, WireCall } from './wire.ts';

type Hook = NonNullable<Parameters<Wire['intercept']>[0]>;
type Answer = Awaited<ReturnType<Hook>>;
type Send = Parameters<Hook>[1];

/** Returns DynamoDB's response to a rejected call, for example `ThrottlingException`. */
export const refusal = (type: string, members: object = {}, statusCode = 400): Answer => {
  const text = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `internals of ${type}`, ...members });
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': String(Buffer.byteLength(text)) };
  return { response: { statusCode, headers, body: Readable.from([Buffer.from(text)]) } } as unknown as Answer;
};

export const transactionConflict = (): Answer =>
  refusal('TransactionCanceledException', { CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }] });

/** A connection that broke: the call may have been carried out. */
export const brokenConnection = (): Error => Object.assign(new Error('internals of a socket'), { code: 'ECONNRESET' });

/** Carries the call out and loses its response. */
export const loseAnswer = async (send: Send): Promise<never> => {
  await send();
  throw brokenConnection();
};

interface Attempt {
  getRetryCount(): number;
  getRetryDelay(): number;
}

const attempt = (count: number): Attempt => ({ getRetryCount: () => count, getRetryDelay: () => 0 });

/** The client library's 3 tries, without the seconds it waits between them. */
export const promptRetries = {
  acquireInitialRetryToken: async (): Promise<Attempt> => attempt(0),
  async refreshRetryTokenForRetry(last: Attempt, { errorType }: { readonly errorType: string }): Promise<Attempt> {
    if (errorType === 'CLIENT_ERROR' || last.getRetryCount() === 2) throw new Error('No more tries.');
    return attempt(last.getRetryCount() + 1);
  },
  recordSuccess: (): void => undefined,
};

/** A process that stops at one of its calls, until it is woken. */
export interface Standstill {
  /** Resolves when the process stands still and its other calls have ended. */
  readonly reached: Promise<void>;
  /** The process goes on as if nothing had happened. */
  goOn(): void;
  /** The process goes on with a broken connection. */
  fail(): void;
}

/**
 * Stops the process that makes the call with the given index, before the call or before its
 * response. Later processes run freely.
 */
export const standstillAt = (wire: Wire, index: number, moment: 'before' | 'after'): Standstill => {
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
    if (count++ !== index) return send();
    if (moment === 'after') {
      const answer = await send();
      stop(call);
      await slept;
      return answer;
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
