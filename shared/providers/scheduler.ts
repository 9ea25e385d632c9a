import { ConflictException, CreateScheduleCommand, SchedulerClient, type SchedulerClientConfig } from '@aws-sdk/client-scheduler';
import { bounded, callLimits } from '../core/aws-calls.ts';

/** One message to put on the delivery queue at a later time. */
export interface ScheduledMessage {
  /**
   * Deterministic, at most 64 characters of `[0-9A-Za-z_.-]`: scheduling the same attempt twice is
   * one schedule.
   */
  readonly name: string;
  readonly atMs: number;
  readonly body: string;
  readonly groupId: string;
}

export interface Scheduler {
  /** Resolves when the schedule exists, made now or before. */
  schedule(message: ScheduledMessage): Promise<void>;
}

interface SchedulerOptions {
  readonly queueUrl: string;
  readonly groupName: string;
  readonly roleArn: string;
  /** Endpoint, region and credentials, unless they are those of the function. */
  readonly client?: SchedulerClientConfig;
}

/**
 * One-time EventBridge schedules that delete themselves; the universal target carries the message
 * group.
 */
export const connectScheduler = ({ queueUrl, groupName, roleArn, client = {} }: SchedulerOptions): Scheduler => {
  const schedules = bounded(new SchedulerClient({ ...callLimits, ...client }));
  return {
    async schedule({ name, atMs, body, groupId }) {
      try {
        await schedules.send(
          new CreateScheduleCommand({
            Name: name,
            GroupName: groupName,
            // Schedules have whole seconds; delays are minimums, so round up.
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
