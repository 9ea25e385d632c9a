import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { streamFilters } from '../../shared/table/schema.ts';
import { type Concurrency, changeStream, deliveryWindowSeconds, sweepSchedule, workQueue } from '../event-sources.ts';
import { everyObjectOf, keyStatements } from '../permissions.ts';
import { createSchedulerRole, type DeliveryQueue } from './delivery-queue.ts';
import type { ParkingLot } from './parking-lot.ts';
import type { SearchQueue } from './search-sync.ts';
import { createServiceFunction, type FunctionContext, serviceHost } from './service-function.ts';

export interface EventPipeline {
  readonly fanOut: LambdaFunction;
  readonly deliver: LambdaFunction;
  readonly sweep: LambdaFunction;
}

const sendTo = (queue: Queue): PolicyStatement => new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });

/** The change stream: transient failures come back until the record is 20 h old, then Lambda parks it whole. */
const createFanOut = (
  here: Construct,
  context: FunctionContext,
  concurrency: Concurrency,
  queues: readonly Queue[],
  { bucket }: ParkingLot,
): LambdaFunction => {
  const { table, key } = context.data;
  const streamArn = table.tableStreamArn;
  if (streamArn === undefined) throw new Error('The data table has no stream');
  const fanOut = createServiceFunction(here, 'fan-out', context, {
    statements: [
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
        resources: [streamArn],
      }),
      ...queues.map(sendTo),
      new PolicyStatement({ actions: ['s3:PutObject'], resources: [bucket.arnForObjects('*')] }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      ...keyStatements(key, 'write', serviceHost(Stack.of(here), 's3')),
    ],
    reasons: { [everyObjectOf(bucket)]: 'Parked records get their names when they are parked.' },
  });
  new EventSourceMapping(here, 'Stream', {
    target: fanOut,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: streamFilters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
    batchSize: changeStream.batchSize,
    maxBatchingWindow: Duration.seconds(0),
    // Batches of one shard split by partition key, which begins with kind and account: one tenant's import does not hold up the others.
    parallelizationFactor: concurrency.perShard,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: -1,
    maxRecordAge: Duration.seconds(changeStream.maxRecordAgeSeconds),
    supportS3OnFailureDestination: true,
    // A queue would get the record's position only, and the position is gone with the stream.
    onFailure: { bind: () => ({ destination: bucket.bucketArn }) },
  });
  return fanOut;
};

/** How deliver takes messages from its queue. */
interface DeliverySource extends Concurrency {
  readonly batchDeliveries: boolean;
}

const createDeliver = (here: Construct, context: FunctionContext, source: DeliverySource, delivery: DeliveryQueue): LambdaFunction => {
  const { queue, scheduleGroup, schedulerRole } = delivery;
  const anySchedule = Stack.of(here).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${scheduleGroup.scheduleGroupName}/*`,
  });
  const deliver = createServiceFunction(here, 'deliver', context, {
    sendsToItself: true,
    statements: [
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:SendMessage'],
        resources: [queue.queueArn],
      }),
      new PolicyStatement({ actions: ['scheduler:CreateSchedule'], resources: [anySchedule] }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [schedulerRole.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    ],
    reasons: {
      [`AwsSolutions-IAM5[Resource::arn:aws:scheduler:${Stack.of(here).region}:<AWS::AccountId>:schedule/${scheduleGroup.scheduleGroupName}/*]`]:
        'Schedules get their names, one an attempt, when they are made; the group holds nothing else but the sweep.',
    },
  });
  new EventSourceMapping(here, 'Deliveries', {
    target: deliver,
    eventSourceArn: queue.queueArn,
    batchSize: workQueue.batchSize,
    maxBatchingWindow: Duration.seconds(source.batchDeliveries ? deliveryWindowSeconds : 0),
    reportBatchItemFailures: true,
    // Ten deliveries each; the rest of the account's concurrency stays with the API when every receiver hangs.
    maxConcurrency: source.deliver,
  });
  return deliver;
};

/** Runs that fail are not repeated: the next one, five minutes later, finds the same and more. Their events are kept to be looked at. */
const createSweep = (
  here: Construct,
  context: FunctionContext,
  { queue, scheduleGroup }: DeliveryQueue,
  failures: Queue,
): LambdaFunction => {
  const sweep = createServiceFunction(here, 'sweep', context, { statements: [sendTo(queue), sendTo(failures)] });
  sweep.configureAsyncInvoke({
    retryAttempts: 0,
    maxEventAge: Duration.minutes(5),
    onFailure: { bind: () => ({ destination: failures.queueArn }) },
  });
  const role = createSchedulerRole(
    here,
    'SweepRole',
    scheduleGroup,
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [sweep.functionArn] }),
  );
  role.addToPolicy(sendTo(failures));
  new CfnSchedule(here, 'SweepSchedule', {
    groupName: scheduleGroup.scheduleGroupName,
    description: 'Overdue deliveries back to the queue',
    scheduleExpression: `rate(${sweepSchedule.everyMinutes} minutes)`,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: sweep.functionArn,
      roleArn: role.roleArn,
      input: '{}',
      retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 240 },
      deadLetterConfig: { arn: failures.queueArn },
    },
  }).node.addDependency(role);
  return sweep;
};

/** Change stream → fan-out → queue → deliver, with sweep to catch what a lost message or schedule left behind. */
export const createEventPipeline = (
  scope: Construct,
  context: FunctionContext,
  source: DeliverySource,
  delivery: DeliveryQueue,
  search: SearchQueue,
  parking: ParkingLot,
  sweepFailures: Queue,
): EventPipeline => {
  const here = new Construct(scope, 'EventPipeline');
  return {
    fanOut: createFanOut(here, context, source, [delivery.queue, search.queue], parking),
    deliver: createDeliver(here, context, source, delivery),
    sweep: createSweep(here, context, delivery, sweepFailures),
  };
};
