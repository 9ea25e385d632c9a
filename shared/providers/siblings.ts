import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { callLimitOf, callLimits, withCallLimit } from '../core/aws-calls.ts';

export interface SiblingOptions {
  readonly functionName: string;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: LambdaClientConfig;
}

/**
 * Limit of a replay in milliseconds. Fan-out needs less for one record. A longer limit would let one
 * replay take the whole time of the action that waits for it.
 */
export const longestReplayMs = 15_000;
export const replayTimedOut = (): Error => new Error('fan-out did not respond in time; the record stays parked');

/**
 * Returns the name of another function of the stack. Functions are named `<stack>-<folder>`; no
 * folder of a function that calls another one has a hyphen.
 */
export const nameBeside = (functionName: string, folder: 'fan-out' | 'actions'): string => functionName.replace(/-[^-]+$/, `-${folder}`);

/**
 * Returns a function that sends a record of the change stream, as JSON, to the deployed fan-out. It
 * rejects if fan-out cannot handle the record, or does not respond in time.
 */
export const connectReplay = ({ functionName, client = {} }: SiblingOptions): ((json: string) => Promise<void>) => {
  const lambda = withCallLimit(new LambdaClient(client), callLimitOf(longestReplayMs));
  return async (json) => {
    const invocation = lambda.send(new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(`{"Records":[${json}]}`) }));
    const { FunctionError, Payload } = await invocation.catch((error: Error) => {
      throw error.name === 'AbortError' ? replayTimedOut() : error;
    });
    const response = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null') as { batchItemFailures?: unknown[] } | null;
    if (FunctionError !== undefined) throw new Error(`fan-out failed: ${FunctionError}`);
    if ((response?.batchItemFailures ?? []).length > 0) throw new Error('fan-out could not handle the record now; it stays parked');
  };
};

/** A call of a dashboard action that does not wait for the result. */
export interface ActionCall {
  readonly action: string;
  readonly account: string;
  readonly input: object;
}

/** Returns a function that starts a dashboard action and does not wait for its result. */
export const connectActions = ({ functionName, client = {} }: SiblingOptions): ((call: ActionCall) => Promise<void>) => {
  const lambda = withCallLimit(new LambdaClient({ ...callLimits, ...client }));
  return async (call) => {
    await lambda.send(
      new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload: Buffer.from(JSON.stringify(call)) }),
    );
  };
};
