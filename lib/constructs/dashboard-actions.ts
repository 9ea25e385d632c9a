import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { everyObjectOf, keyStatements } from '../permissions.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { ParkingLot } from './parking-lot.ts';
import type { SearchQueue } from './search-sync.ts';
import { createServiceFunction, type FunctionContext, serviceHost } from './service-function.ts';

/** What operators look after. */
interface OperatedResources {
  readonly delivery: DeliveryQueue;
  readonly search: SearchQueue;
  readonly sweepFailures: Queue;
  readonly parking: ParkingLot;
}

/** The dashboard's and the operators' function: whoever holds lambda:InvokeFunction on it, and nobody by URL. */
export const createDashboardActions = (
  scope: Construct,
  context: FunctionContext,
  { delivery, search, sweepFailures, parking }: OperatedResources,
  fanOut: LambdaFunction,
): LambdaFunction => {
  const here = new Construct(scope, 'DashboardActions');
  const { bucket } = parking;
  const worked = [delivery.queue, search.queue];
  // Nobody but operators takes anything from these.
  const ends = [delivery.deadLetters, search.deadLetters, sweepFailures, parking.notices];
  const actions = createServiceFunction(here, 'actions', context, {
    statements: [
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: worked.map(({ queueArn }) => queueArn) }),
      new PolicyStatement({ actions: ['sqs:GetQueueAttributes'], resources: [...worked, ...ends].map(({ queueArn }) => queueArn) }),
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
        resources: ends.map(({ queueArn }) => queueArn),
      }),
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [bucket.arnForObjects('*')] }),
      // Without it S3 answers 403, not 404, for a record that is not there.
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [fanOut.functionArn] }),
      ...keyStatements(context.data.key, 'read', serviceHost(Stack.of(here), 's3')),
    ],
    reasons: { [everyObjectOf(bucket)]: 'Operators replay parked records by the names the records got when they were parked.' },
  });
  // Answers are part of an action, so it is invoked synchronously; one that is not must at least not be applied twice.
  actions.configureAsyncInvoke({ retryAttempts: 0 });
  return actions;
};
