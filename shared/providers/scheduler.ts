import { ConflictException, CreateScheduleCommand, SchedulerClient, type SchedulerClientConfig } from '@aws-sdk/client-scheduler';
import { callLimits, withCallLimit } from '../core/aws-calls.ts';

/** A message to put on the delivery queue at a later time. */
export interface ScheduledMessage {
  /**
   * Name of the schedule: at most 64 characters of `[0-9A-Za-z_.-]`. Scheduling the same attempt
   * again uses the same name, so there is one schedule.
   */
  readonly name: string;
  readonly atMs: number;
  readonly body: string;
  readonly groupId: string;
}

export interface Scheduler {
  /** Resolves when the schedule exists, from this call or an earlier one. */
  schedule(message: ScheduledMessage): Promise<void>;
}

interface SchedulerOptions {
  readonly queueUrl: string;
  readonly groupName: string;
  readonly roleArn: string;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: SchedulerClientConfig;
}

/**
 * Makes one-time EventBridge schedules, which delete themselves. They use the universal target,
 * because only that can set the message group.
 */
export const connectScheduler = ({ queueUrl, groupName, roleArn, client = {} }: SchedulerOptions): Scheduler => {
  const schedules = withCallLimit(new SchedulerClient({ ...callLimits, ...client }));
  return {
    async schedule({ name, atMs, body, groupId }) {
      try {
        await schedules.send(
          new CreateScheduleCommand({
            Name: name,
            GroupName: groupName,
            // Schedules have whole seconds. Delays are minimums, so this rounds up.
            ScheduleExpression: `at(${new Date(Math.ceil(atMs / 1000) * 1000).toISOString().slice(0, 19)})`,
            FlexibleTimeWindow: { Mode: 'OFF' },
            ActionAfterCompletion: 'DELETE',
            Target: {
              Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
              RoleArn: roleArn,
              Input: JSON.stringify({ QueueUrl: queueUrl, MessageBody: body, MessageGroupId: groupId }),
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof ConflictException)) throw error;
      }
    },
  };
};
