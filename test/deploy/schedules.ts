import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { awsRegions, type Region } from '../../shared/core/regions.ts';
import { stackName } from './deploy.ts';
import type { Emulator } from './emulator.ts';

/** Message that a schedule sends. */
export type Scheduled = SendMessageCommandInput;

export interface Schedules {
  /** Messages sent so far. */
  readonly sent: readonly Scheduled[];
  stop(): Promise<void>;
}

const everyMs = 500;
const sendMessage = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage';

/**
 * MiniStack keeps one-time schedules, fires and deletes them, but makes no call of a universal target. This makes it: the message of a
 * schedule that was there and is gone is sent, as the Scheduler would, with the schedule's own input.
 */
export const carryOutSchedules = (emulator: Emulator, region: Region): Schedules => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = emulator.env;
  const client = { region: awsRegions[region], endpoint: emulator.url, credentials: { accessKeyId, secretAccessKey } };
  const [scheduler, sqs] = [new SchedulerClient(client), new SQSClient(client)];
  const GroupName = `${stackName(region)}-deliveries`;
  /** By name; undefined if the target is another. */
  const waiting = new Map<string, Scheduled | undefined>();
  const sent: Scheduled[] = [];
  const stopping = new AbortController();

  const look = async (): Promise<void> => {
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ GroupName }));
    const names = new Set(Schedules.map(({ Name = '' }) => Name));
    for (const Name of names) {
      if (waiting.has(Name)) continue;
      const { Target } = await scheduler.send(new GetScheduleCommand({ GroupName, Name }));
      waiting.set(Name, Target?.Arn === sendMessage ? (JSON.parse(Target.Input ?? '') as Scheduled) : undefined);
    }
    for (const [name, message] of [...waiting]) {
      if (names.has(name)) continue;
      waiting.delete(name);
      if (!message) continue;
      await sqs.send(new SendMessageCommand(message));
      sent.push(message);
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A schedule that fires between list and read is no failure: the next look finds it gone.
      await look().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const watching = watch();
  return {
    sent,
    async stop() {
      stopping.abort();
      await watching;
      scheduler.destroy();
      sqs.destroy();
    },
  };
};
