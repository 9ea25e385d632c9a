import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { awsRegions, type Region } from '../shared/core/config.ts';
import { type ActionEvent, failure, parseResponse, reasonOf, resultOf } from './response.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the AWS region: AWS_REGION if set, otherwise the default of the service region. */
export const awsRegionOf = (region: Region, env: Env): string => env['AWS_REGION'] || awsRegions[region];

/** Invokes `<stack>-actions` with the environment's AWS credentials. */
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
          `${functionName} could not be invoked: ${reasonOf(error)}. If the call may have run, repeat it with --token ${event.token}`,
          error,
        );
      });
    if (FunctionError !== undefined) throw failure(`${functionName} failed (${FunctionError}). Its log says why.`);
    return resultOf(parseResponse(Buffer.from(Payload ?? []).toString('utf8'), functionName), functionName);
  } finally {
    client.destroy();
  }
};

const loadCloudFormation = () =>
  import('@aws-sdk/client-cloudformation').catch((error: unknown) => {
    throw failure('Reading a stack needs @aws-sdk/client-cloudformation, which is not installed. Run: npm ci --include=dev', error);
  });

/** Returns an output of the stack. Needs the right `cloudformation:DescribeStacks`. */
export const stackOutput = async (stack: string, region: Region, name: string, env: Env, abortSignal?: AbortSignal): Promise<string> => {
  const { CloudFormationClient, DescribeStacksCommand } = await loadCloudFormation();
  const client = new CloudFormationClient({ region: awsRegionOf(region, env) });
  try {
    const { Stacks = [] } = await client
      .send(new DescribeStacksCommand({ StackName: stack }), { ...(abortSignal && { abortSignal }) })
      .catch((error: unknown) => {
        const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
        const status = $metadata?.httpStatusCode === undefined ? '' : ` with ${$metadata.httpStatusCode}`;
        throw failure(`cloudformation:DescribeStacks failed${status}: ${reasonOf(error)}. The credentials need this right.`, error);
      });
    const value = Stacks.flatMap(({ Outputs = [] }) => Outputs).find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (!value) throw failure(`The stack ${stack} has no output ${name}.`);
    return value;
  } finally {
    client.destroy();
  }
};
