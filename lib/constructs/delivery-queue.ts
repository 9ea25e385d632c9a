import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { deadLetterRetentionSeconds, workQueue } from '../event-sources.ts';
import { acknowledge } from '../permissions.ts';

/** Where a delivery waits: the queue for minutes, one-time schedules for hours. */
export interface DeliveryQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly scheduleGroup: ScheduleGroup;
  readonly schedulerRole: Role;
}

/** A queue that an update would replace stays with what lies in it, to be redriven by hand; one that was just made goes with a failed creation. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** A dead-letter queue: messages stay for the 14 days SQS can keep them. Messages carry ids only, so the key is SQS's own and free. */
export const createDeadLetterQueue = (scope: Construct, id: string): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.seconds(deadLetterRetentionSeconds),
    removalPolicy,
  });
  acknowledge(queue, { 'AwsSolutions-SQS3': 'The end of the line: what lies here waits for a person, and an alarm calls one.' });
  return queue;
};

/** A standard queue that feeds a function, fair between tenants by the message group of each message, and its dead letters. */
export const createWorkQueue = (here: Construct): { readonly queue: Queue; readonly deadLetters: Queue } => {
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

/** A role that EventBridge Scheduler may take for schedules of one group of this account, and nobody else for theirs. */
export const createSchedulerRole = (scope: Construct, id: string, group: ScheduleGroup, statement: PolicyStatement): Role => {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': group.scheduleGroupArn } },
    }),
  });
  role.addToPolicy(statement);
  return role;
};

export const createDeliveryQueue = (scope: Construct): DeliveryQueue => {
  const here = new Construct(scope, 'DeliveryQueue');
  const { queue, deadLetters } = createWorkQueue(here);
  const scheduleGroup = new ScheduleGroup(here, 'Schedules', {
    scheduleGroupName: `${Stack.of(here).stackName}-deliveries`,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const schedulerRole = createSchedulerRole(
    here,
    'SchedulerRole',
    scheduleGroup,
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
  );
  return { queue, deadLetters, scheduleGroup, schedulerRole };
};
