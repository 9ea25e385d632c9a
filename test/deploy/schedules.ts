import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import type { Region } from '../../shared/core/config.ts';
import { clientOf, type Emulator } from './emulator.ts';

/** The message of a schedule's target. */
export type Scheduled = SendMessageCommandInput;

export interface Schedules {
  /** Messages sent so far. */
  readonly sent: readonly Scheduled[];
  stop(): Promise<void>;
}

const everyMs = 500;
const sendMessage = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage';

/**
 * MiniStack keeps, fires and deletes one-time schedules, but does not call a universal target.
 * This sends the message of each schedule that has disappeared, with the schedule's own input, as
 * the Scheduler would.
 */
export const carryOutSchedules = (emulator: Emulator, region: Region, stack: string): Schedules => {
  const client = clientOf(emulator, region);
  const [scheduler, sqs] = [new SchedulerClient(client), new SQSClient(client)];
  const GroupName = `${stack}-deliveries`;
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
      // A schedule may fire between list and read; the next read treats it as fired.
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
