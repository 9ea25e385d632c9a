import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { deadLetterRetentionSeconds, workQueue } from '../event-sources.ts';
import { acknowledge, allow } from '../permissions.ts';

/** A queue that feeds a function, and what it gave up. */
interface WorkQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** A delivery waits minutes in the queue, and hours in one-time schedules. */
export interface DeliveryQueue extends WorkQueue {
  readonly scheduleGroup: ScheduleGroup;
  readonly schedulerRole: Role;
}

/** Everything that waits in a region: for its function, or for an operator. */
export interface Queues {
  readonly delivery: DeliveryQueue;
  /**
   * Queue of changed products, apart from deliveries, so that a slow search engine never delays
   * webhooks.
   */
  readonly search: WorkQueue;
  readonly parking: ParkingLot;
  readonly sweepFailures: Queue;
}

export function createQueues(scope: Construct, key: Key | undefined): Queues {
  return {
    delivery: createDeliveryQueue(scope),
    search: createWorkQueue(new Construct(scope, 'SearchQueue')),
    parking: createParkingLot(scope, key),
    sweepFailures: createDeadLetterQueue(scope, 'SweepFailures'),
  };
}

/**
 * A queue that an update would replace stays with its messages, to be redriven by hand. A queue
 * that was not created completely is deleted.
 */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * A dead-letter queue: messages stay for the 14 days SQS can keep them. Messages carry ids only, so
 * the key is SQS's own and free.
 */
const createDeadLetterQueue = (scope: Construct, id: string): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.seconds(deadLetterRetentionSeconds),
    removalPolicy,
  });
  acknowledge(queue, { 'AwsSolutions-SQS3': 'The end of the line: what lies here waits for a person, and an alarm calls one.' });
  return queue;
};

/**
 * A standard queue that feeds a function, fair between tenants by the message group of each
 * message, and its dead letters.
 */
const createWorkQueue = (here: Construct): WorkQueue => {
  const deadLetters = createDeadLetterQueue(here, 'DeadLetters');
  const queue = new Queue(here, 'Queue', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(workQueue.visibilitySeconds),
    retentionPeriod: Duration.seconds(workQueue.retentionSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: workQueue.maxReceives },
    removalPolicy,
  });
  return { queue, deadLetters };
};

/**
 * A role that only EventBridge Scheduler may assume, for schedules of one group of this account.
 */
export const createSchedulerRole = (scope: Construct, id: string, group: ScheduleGroup, statement: PolicyStatement): Role => {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': group.scheduleGroupArn } },
    }),
  });
  role.addToPolicy(statement);
  return role;
};

const createDeliveryQueue = (scope: Construct): DeliveryQueue => {
  const here = new Construct(scope, 'DeliveryQueue');
  const { queue, deadLetters } = createWorkQueue(here);
  const scheduleGroup = new ScheduleGroup(here, 'Schedules', {
    scheduleGroupName: `${Stack.of(here).stackName}-deliveries`,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const schedulerRole = createSchedulerRole(here, 'SchedulerRole', scheduleGroup, allow(['sqs:SendMessage'], queue.queueArn));
  return { queue, deadLetters, scheduleGroup, schedulerRole };
};

/** Stream records that no retry can make readable, whole, and a notice of each. */
interface ParkingLot {
  readonly bucket: Bucket;
  readonly notices: Queue;
}

const createParkingLot = (scope: Construct, key: Key | undefined): ParkingLot => {
  const here = new Construct(scope, 'ParkingLot');
  // A queue keeps the alarm on until an operator has handled each record, whether fan-out or Lambda
  // quarantined it.
  const notices = createDeadLetterQueue(here, 'Notices');
  const { account } = Stack.of(here);
  // By account, not by bucket: the bucket's notification needs this policy first.
  notices.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [notices.queueArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  const bucket = new Bucket(here, 'Bucket', {
    // Quarantined records are whole items: the table's key if it has one, with one data key per
    // bucket and day instead of one per object.
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    // As long as event bodies are kept: afterwards there is nothing left to replay into.
    lifecycleRules: [{ expiration: Duration.days(30), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  acknowledge(bucket, {
    'AwsSolutions-S1':
      'Holds rare records for 30 days, written and read by two functions: a second bucket of access logs would hold nothing CloudTrail data events do not.',
  });
  // Set on the resource itself: the construct’s notifications bring a custom resource with its own
  // function and account-wide rights.
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = { queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: notices.queueArn }] };
  resource.node.addDependency(notices);
  return { bucket, notices };
};
