import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { accountInFindings, allow, everyObjectOf, keyStatements, serviceHost } from '../permissions.ts';
import type { Queues } from './queues.ts';
import { apiLogGroupName, createServiceFunction, type FunctionContext } from './service-function.ts';

/**
 * Creates the function of dashboard actions. Callers need lambda:InvokeFunction; it has no URL. The
 * sweep is one of them: it continues erasures.
 */
export const createDashboardActions = (
  scope: Construct,
  context: FunctionContext,
  { delivery, search, sweepFailures, parking }: Queues,
  { fanOut, sweep }: { readonly fanOut: LambdaFunction; readonly sweep: LambdaFunction },
): LambdaFunction => {
  const here = new Construct(scope, 'DashboardActions');
  const { bucket } = parking;
  const worked = [delivery.queue, search.queue].map(({ queueArn }) => queueArn);
  // Queues from which only operators receive.
  const ends = [delivery.deadLetters, search.deadLetters, sweepFailures, parking.notices].map(({ queueArn }) => queueArn);
  const stack = Stack.of(here);
  const apiLogs = stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${apiLogGroupName(stack.stackName)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const actions = createServiceFunction(here, 'actions', context, {
    statements: [
      allow(['sqs:SendMessage'], ...worked),
      allow(['sqs:GetQueueAttributes'], ...worked, ...ends),
      allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'], ...ends),
      allow(['s3:GetObject'], bucket.arnForObjects('*')),
      // Without this right, S3 returns 403 instead of 404 for a missing object.
      allow(['s3:ListBucket'], bucket.bucketArn),
      allow(['lambda:InvokeFunction'], fanOut.functionArn),
      allow(['logs:StartQuery'], apiLogs),
      allow(['logs:GetQueryResults', 'logs:StopQuery'], '*'),
      ...keyStatements(context.data.key, 'read', serviceHost(Stack.of(here), 's3')),
    ],
    reasons: {
      [everyObjectOf(bucket)]: 'Operators replay parked records by the names the records got when they were parked.',
      'AwsSolutions-IAM5[Resource::*]': 'Queries of logs have no resources to name: GetQueryResults and StopQuery only exist on "*".',
      [`AwsSolutions-IAM5[Resource::arn:aws:logs:${stack.region}:${accountInFindings(stack)}:log-group:${apiLogGroupName(stack.stackName)}:*]`]:
        'StartQuery names a log group with its streams.',
    },
  });
  // Actions return results, so callers invoke them synchronously, except for the sweep, which comes
  // again. Lambda must not repeat one.
  actions.configureAsyncInvoke({ retryAttempts: 0 });
  sweep.addToRolePolicy(allow(['lambda:InvokeFunction'], actions.functionArn));
  return actions;
};
