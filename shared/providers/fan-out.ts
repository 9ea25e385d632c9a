import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { bounded, limitOf } from '../core/aws-calls.ts';

export interface FanOutOptions {
  readonly functionName: string;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: LambdaClientConfig;
}

/** Timeout of a replay in milliseconds, longer than fan-out may run (60 s). */
const longestReplayMs = 65_000;

const siblingSuffix = /-[^-]+$/;

/**
 * Returns the name of the stack's fan-out function from another function's name. Functions are
 * named `<stack>-<folder>`.
 */
export const fanOutNameBeside = (functionName: string): string => functionName.replace(siblingSuffix, '-fan-out');

/**
 * Returns a function that sends a record of the change stream, as JSON, to the deployed fan-out. It
 * rejects if fan-out cannot handle the record.
 */
export const connectReplay = ({ functionName, client = {} }: FanOutOptions): ((json: string) => Promise<void>) => {
  const lambda = bounded(new LambdaClient(client), limitOf(longestReplayMs));
  return async (json) => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(`{"Records":[${json}]}`) }),
    );
    const answer = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null') as { batchItemFailures?: unknown[] } | null;
    if (FunctionError !== undefined) throw new Error(`fan-out failed: ${FunctionError}`);
    if ((answer?.batchItemFailures ?? []).length > 0) throw new Error('fan-out could not handle the record now; it stays parked');
  };
};
