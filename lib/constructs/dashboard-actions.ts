import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { allow, everyObjectOf, keyStatements } from '../permissions.ts';
import type { Queues } from './queues.ts';
import { createServiceFunction, type FunctionContext, serviceHost } from './service-function.ts';

/**
 * The function of the dashboard and the operators. Callers need lambda:InvokeFunction; it has no
 * URL.
 */
export const createDashboardActions = (
  scope: Construct,
  context: FunctionContext,
  { delivery, search, sweepFailures, parking }: Queues,
  fanOut: LambdaFunction,
): LambdaFunction => {
  const here = new Construct(scope, 'DashboardActions');
  const { bucket } = parking;
  const worked = [delivery.queue, search.queue].map(({ queueArn }) => queueArn);
  // Only operators receive from these queues.
  const ends = [delivery.deadLetters, search.deadLetters, sweepFailures, parking.notices].map(({ queueArn }) => queueArn);
  const actions = createServiceFunction(here, 'actions', context, {
    statements: [
      allow(['sqs:SendMessage'], ...worked),
      allow(['sqs:GetQueueAttributes'], ...worked, ...ends),
      allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'], ...ends),
      allow(['s3:GetObject'], bucket.arnForObjects('*')),
      // Without it S3 returns 403 instead of 404 for a missing object.
      allow(['s3:ListBucket'], bucket.bucketArn),
      allow(['lambda:InvokeFunction'], fanOut.functionArn),
      ...keyStatements(context.data.key, 'read', serviceHost(Stack.of(here), 's3')),
    ],
    reasons: { [everyObjectOf(bucket)]: 'Operators replay parked records by the names the records got when they were parked.' },
  });
  // Answers are part of an action, so it is invoked synchronously; one that is not must at least not be applied twice.
  actions.configureAsyncInvoke({ retryAttempts: 0 });
  return actions;
};
