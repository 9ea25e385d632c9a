import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Call, Client } from '../shared/aws/client.ts';
import { awsRegions, type Region } from '../shared/core/regions.ts';
import { type ActionEvent, failure, parseAnswer, reasonOf, resultOf } from './answer.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A region set in the environment wins over the usual one. */
const awsRegionOf = (region: Region, env: Env): string => env['AWS_REGION'] || awsRegions[region];

/** Invokes `<stack>-actions` with the usual AWS credentials. */
export const invokeDeployed = async (
  stack: string,
  region: Region,
  event: ActionEvent,
  env: Env,
  abortSignal?: AbortSignal,
): Promise<unknown> => {
  const functionName = `${stack}-actions`;
  const client = new LambdaClient({ region: awsRegionOf(region, env) });
  try {
    const { FunctionError, Payload } = await client
      .send(new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) }), {
        ...(abortSignal && { abortSignal }),
      })
      .catch((error: unknown) => {
        throw failure(
          `${functionName} could not be invoked: ${reasonOf(error)}. If it may have worked, repeat it with --token ${event.token}`,
          error,
        );
      });
    if (FunctionError !== undefined) throw failure(`${functionName} failed (${FunctionError}); its log says why.`);
    return resultOf(parseAnswer(Buffer.from(Payload ?? []).toString('utf8'), functionName), functionName);
  } finally {
    client.destroy();
  }
};

/** Calls of a service that needs no client of its own here, with the credentials that the SDK finds as people have them. */
const callerOf = (name: string, variable: string, region: Region, env: Env) => {
  const awsRegion = awsRegionOf(region, env);
  const { credentials } = new LambdaClient({ region: awsRegion }).config;
  const config = {
    region: awsRegion,
    credentials: () => credentials(),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000 },
  };
  const client = new Client({ name, variable, retryBaseMs: 100, errors: {} }, config);
  return async (operation: string, call: Call): Promise<string> => {
    const answer = await client.call(call).catch((error: unknown) => {
      const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode === undefined ? '' : ` with ${$metadata.httpStatusCode}`;
      throw failure(`${name}:${operation} was refused${status}: ${reasonOf(error)}. The credentials need this right.`, error);
    });
    return answer.body.toString('utf8');
  };
};

/** One output of the stack; needs `cloudformation:DescribeStacks`. */
export const stackOutput = async (stack: string, region: Region, name: string, env: Env): Promise<string> => {
  const call = callerOf('cloudformation', 'CLOUDFORMATION', region, env);
  const body = new URLSearchParams({ Action: 'DescribeStacks', Version: '2010-05-15', StackName: stack }).toString();
  const xml = await call('DescribeStacks', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
  const outputs = [...xml.matchAll(/<OutputKey>([^<]*)<\/OutputKey>\s*<OutputValue>([^<]*)<\/OutputValue>/g)];
  const value = outputs.find(([, key]) => key === name)?.[2];
  if (!value) throw failure(`The stack ${stack} has no output ${name}.`);
  return value;
};

/** One line of a log group. */
export interface LogEvent {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly message: string;
}

/** Reads a log group; needs `logs:FilterLogEvents` on it. `pattern` is CloudWatch's filter pattern. */
export const logReader = (group: string, region: Region, env: Env) => {
  const call = callerOf('logs', 'CLOUDWATCH_LOGS', region, env);
  /** All that match since the moment, in milliseconds since 1970. */
  return async (pattern: string, startTime: number): Promise<readonly LogEvent[]> => {
    const found: LogEvent[] = [];
    let nextToken: string | undefined;
    do {
      const text = await call('FilterLogEvents', {
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Logs_20140328.FilterLogEvents' },
        body: JSON.stringify({ logGroupName: group, filterPattern: pattern, startTime, ...(nextToken && { nextToken }) }),
      });
      const page = JSON.parse(text) as { events?: readonly LogEvent[]; nextToken?: string };
      found.push(...(page.events ?? []));
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    return found;
  };
};
