import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { deadLetterRetentionSeconds, workQueue } from '../../functions/event-sources.ts';
import { noticedPrefixes } from '../../shared/core/parking-keys.ts';
import { acknowledge, allow } from '../permissions.ts';

/** A queue that invokes a function, and its dead-letter queue. */
interface WorkQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/**
 * The delivery queue and its schedules. A retry waits minutes in the queue, or hours in a one-time
 * schedule.
 */
interface DeliveryQueue extends WorkQueue {
  readonly scheduleGroup: ScheduleGroup;
  readonly schedulerRole: Role;
}

/** All queues of a region. */
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
 * If an update replaces a queue, the old one stays with its messages, so that an operator can
 * redrive them. A queue is deleted if its creation failed.
 */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * Creates a dead-letter queue, which keeps messages for SQS's maximum of 14 days. Messages contain
 * ids only, so SQS's own free key suffices.
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
 * Creates a standard queue that invokes a function, with its dead-letter queue. Message groups make
 * it fair between accounts.
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
 * Creates a role that only EventBridge Scheduler may assume, for schedules of one group in this AWS
 * account.
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

/**
 * Parking for stream records that no retry can read. The bucket stores them whole; the queue has
 * a notice of each.
 */
interface ParkingLot {
  readonly bucket: Bucket;
  readonly notices: Queue;
}

const createParkingLot = (scope: Construct, key: Key | undefined): ParkingLot => {
  const here = new Construct(scope, 'ParkingLot');
  // The queue keeps the alarm on until an operator has handled each record. It also gets a notice
  // if Lambda parked the record.
  const notices = createDeadLetterQueue(here, 'Notices');
  const { account } = Stack.of(here);
  // The policy names the AWS account and not the bucket, because the bucket's notification needs
  // the policy before the bucket exists.
  notices.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [notices.queueArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  const bucket = new Bucket(here, 'Bucket', {
    // Parked records are whole items, so they use the table's customer-managed key, if there
    // is one. A bucket key saves a KMS call per object.
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    // As long as event bodies are kept. A later replay would have no use.
    lifecycleRules: [{ expiration: Duration.days(30), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  acknowledge(bucket, {
    'AwsSolutions-S1':
      'Holds rare records for 30 days, written and read by two functions: a second bucket of access logs would hold nothing CloudTrail data events do not.',
  });
  // Set on the resource itself, because the construct's notifications add a custom resource with
  // its own function and rights on the whole AWS account.
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = {
    queueConfigurations: noticedPrefixes.map((value) => ({
      event: 's3:ObjectCreated:*',
      queue: notices.queueArn,
      filter: { s3Key: { rules: [{ name: 'prefix', value }] } },
    })),
  };
  resource.node.addDependency(notices);
  return { bucket, notices };
};
