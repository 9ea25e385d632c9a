import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** The context of one invocation. */
export const invocationContext = (functionName: string, timeoutMs: number): Context => {
  const endsAtMs = performance.now() + timeoutMs;
  const invocationId = randomUUID();
  const unused = () => {};
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: invocationId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(endsAtMs - performance.now())),
    done: unused,
    fail: unused,
    succeed: unused,
  };
};

/** Returns a function that is loaded at its first call, as Lambda loads it. */
export const atFirstCall = <Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): ((...args: Args) => Promise<Result>) => {
  let loaded: ReturnType<typeof load> | undefined;
  return async (...args) => {
    loaded ??= load();
    return (await loaded)(...args);
  };
};

/** The function exceeded its timeout. */
export class InvocationTimeout extends Error {
  override readonly name = 'InvocationTimeout';
}

/** Invokes the function and stops waiting at its timeout, as Lambda does. */
export const withTimeout = async <Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new InvocationTimeout(`Not finished after ${timeoutMs} ms`)), timeoutMs);
    timer.unref(); // the timed work keeps the process alive itself
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
};
