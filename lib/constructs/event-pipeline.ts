import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Concurrency, changeStream, deliveryWindowSeconds, sweepSchedule, workQueue } from '../../functions/event-sources.ts';
import { streamFilters } from '../../shared/table/schema.ts';
import { accountInFindings, allow, everyObjectOf, keyStatements, serviceHost } from '../permissions.ts';
import { createSchedulerRole, type Queues } from './queues.ts';
import { createServiceFunction, type FunctionContext } from './service-function.ts';

type EventPipeline = Readonly<Record<'fanOut' | 'deliver' | 'sweep' | 'searchSync', LambdaFunction>>;

/** Concurrency and batching of the event sources. */
interface Sources extends Concurrency {
  readonly batchDeliveries: boolean;
}

/**
 * Creates the path of events: change stream → fan-out → queues → `deliver` and `search-sync`. The
 * sweep finds deliveries with a lost message or schedule.
 */
export function createEventPipeline(scope: Construct, context: FunctionContext, sources: Sources, queues: Queues): EventPipeline {
  const here = new Construct(scope, 'EventPipeline');
  return {
    fanOut: createFanOut(here, context, sources, queues),
    deliver: createDeliver(here, context, sources, queues),
    sweep: createSweep(here, context, queues),
    searchSync: createSearchSync(new Construct(scope, 'SearchSync'), context, sources, queues),
  };
}

const sendTo = ({ queueArn }: Queue): PolicyStatement => allow(['sqs:SendMessage'], queueArn);

const receive = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Connects a function to a queue, with batches. The messages of a batch fail separately. */
function feed(
  here: Construct,
  id: string,
  target: LambdaFunction,
  queue: Queue,
  maxConcurrency: number,
  windowSeconds = 0,
): LambdaFunction {
  new EventSourceMapping(here, id, {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: workQueue.batchSize,
    maxBatchingWindow: Duration.seconds(windowSeconds),
    reportBatchItemFailures: true,
    maxConcurrency,
  });
  return target;
}

/**
 * Creates the function of the change stream. Transient failures are repeated until the record is 20
 * h old; then Lambda parks it whole.
 */
function createFanOut(here: Construct, context: FunctionContext, { perShard }: Sources, queues: Queues): LambdaFunction {
  const { table, key } = context.data;
  const { bucket } = queues.parking;
  const streamArn = table.tableStreamArn;
  if (streamArn === undefined) throw new Error('The data table has no stream');
  const fanOut = createServiceFunction(here, 'fan-out', context, {
    statements: [
      allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'], streamArn),
      sendTo(queues.delivery.queue),
      sendTo(queues.search.queue),
      allow(['s3:PutObject'], bucket.arnForObjects('*')),
      allow(['s3:ListBucket'], bucket.bucketArn),
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
    // Batches of a shard are split by partition key, which begins with kind and account. So one
    // account's import does not delay the others.
    parallelizationFactor: perShard,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: -1,
    maxRecordAge: Duration.seconds(changeStream.maxRecordAgeSeconds),
    supportS3OnFailureDestination: true,
    // The destination is a bucket, because a queue would get only the record's position, which is
    // useless once the stream has dropped the record.
    onFailure: { bind: () => ({ destination: bucket.bucketArn }) },
  });
  return fanOut;
}

function createDeliver(here: Construct, context: FunctionContext, sources: Sources, { delivery }: Queues): LambdaFunction {
  const { queue, scheduleGroup, schedulerRole } = delivery;
  const anySchedule = Stack.of(here).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${scheduleGroup.scheduleGroupName}/*`,
  });
  const passRole = allow(['iam:PassRole'], schedulerRole.roleArn);
  passRole.addCondition('StringEquals', { 'iam:PassedToService': 'scheduler.amazonaws.com' });
  const deliver = createServiceFunction(here, 'deliver', context, {
    sendsToItself: true,
    statements: [allow([...receive, 'sqs:SendMessage'], queue.queueArn), allow(['scheduler:CreateSchedule'], anySchedule), passRole],
    reasons: {
      [`AwsSolutions-IAM5[Resource::arn:aws:scheduler:${Stack.of(here).region}:${accountInFindings(Stack.of(here))}:schedule/${scheduleGroup.scheduleGroupName}/*]`]:
        'Schedules get their names, one an attempt, when they are made; the group holds nothing else but the sweep.',
    },
  });
  // Each invocation makes up to ten deliveries. If every receiver hangs, the API still has the rest
  // of the account's concurrency.
  return feed(here, 'Deliveries', deliver, queue, sources.deliver, sources.batchDeliveries ? deliveryWindowSeconds : 0);
}

/** Creates the path from the search queue to the accounts' search engines. */
function createSearchSync(here: Construct, context: FunctionContext, sources: Sources, { search: { queue } }: Queues): LambdaFunction {
  const searchSync = createServiceFunction(here, 'search-sync', context, { statements: [allow(receive, queue.queueArn)] });
  return feed(here, 'Products', searchSync, queue, sources.searchSync);
}

/**
 * Creates the sweep. A failed run is not repeated, because the next run finds the same work. Its
 * event is kept for operators.
 */
function createSweep(here: Construct, context: FunctionContext, { delivery, sweepFailures: failures }: Queues): LambdaFunction {
  const { queue, scheduleGroup } = delivery;
  const bus = Stack.of(here).formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' });
  const sweep = createServiceFunction(here, 'sweep', context, {
    statements: [sendTo(queue), sendTo(failures), ...(context.notices ? [allow(['events:PutEvents'], bus)] : [])],
  });
  sweep.configureAsyncInvoke({
    retryAttempts: 0,
    maxEventAge: Duration.minutes(5),
    onFailure: { bind: () => ({ destination: failures.queueArn }) },
  });
  const role = createSchedulerRole(here, 'SweepRole', scheduleGroup, allow(['lambda:InvokeFunction'], sweep.functionArn));
  role.addToPolicy(sendTo(failures));
  const { everyMinutes, everyMinutesWithNotices } = sweepSchedule;
  new CfnSchedule(here, 'SweepSchedule', {
    groupName: scheduleGroup.scheduleGroupName,
    description: 'Overdue deliveries back to the queue',
    scheduleExpression: context.notices ? `rate(${everyMinutesWithNotices} minute)` : `rate(${everyMinutes} minutes)`,
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
}
