import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../shared/core/clock.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { LocalQueue, ReceivedMessage } from '../engine/queue.ts';
import { alarmClock } from '../engine/scheduler.ts';
import { invocationContext, withTimeout } from '../lambda.ts';

/** Feeds a function from a queue, as Lambda's event source with ReportBatchItemFailures does. */
export interface QueuePoller {
  /** Lets running invocations end for at most `graceMs`; what is still in flight comes back at the next start. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when the last invocation has ended, at the latest after `graceMs`. */
  ended(graceMs: number): Promise<void>;
}

export type QueueFunction = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | undefined>;

export interface QueuePollerOptions {
  readonly queue: LocalQueue;
  readonly invoke: QueueFunction;
  readonly clock: Clock;
  readonly log: Log;
  readonly maximumConcurrency?: number;
  /** Invocations one message group may hold at a time. */
  readonly groupConcurrency?: number;
  /** How long a group waits before it takes one more invocation beside those it holds. */
  readonly groupRampMs?: number;
  readonly functionTimeoutMs?: number;
  readonly recheckMs?: number;
}

const toRecord = (queueName: string, message: ReceivedMessage): SQSRecord => ({
  messageId: message.id,
  receiptHandle: `${message.id}#${message.receiveCount}`,
  body: message.body,
  attributes: {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentMs),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedMs),
    MessageGroupId: message.groupId,
  },
  messageAttributes: {},
  md5OfBody: createHash('md5').update(message.body).digest('hex'),
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:local:000000000000:${queueName}`,
  awsRegion: 'local',
});

const retryMs = 1000;

/** Lambda's rule: no list or an empty one is success, an unknown id fails the whole batch. */
const failedOf = (batch: readonly ReceivedMessage[], response: SQSBatchResponse | undefined): readonly ReceivedMessage[] => {
  const failedIds = new Set((response?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier));
  const failed = batch.filter((message) => failedIds.has(message.id));
  return failed.length === failedIds.size ? failed : batch;
};

/**
 * Fair between message groups: a batch holds one group's messages, free invocations go to the group that holds fewest, and
 * the last quarter of them only to groups that hold none, so that a backlog of hanging deliveries never takes every place.
 * A group takes further invocations one by one: batches that end at once need not compete for their endpoint's slots.
 */
export const startQueuePoller = ({
  queue,
  invoke,
  clock,
  log,
  maximumConcurrency = 32,
  groupConcurrency = 8,
  groupRampMs = 250,
  functionTimeoutMs = 60_000,
  recheckMs,
}: QueuePollerOptions): QueuePoller => {
  const heldBy = new Map<string, number>();
  const lastStartMs = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const reserved = Math.floor(maximumConcurrency / 4);
  let stopped = false;

  const held = (group: string) => heldBy.get(group) ?? 0;
  const hold = (group: string, change: 1 | -1) => {
    const count = held(group) + change;
    if (count === 0) heldBy.delete(group);
    else heldBy.set(group, count);
    if (change === 1) lastStartMs.set(group, performance.now());
    else if (count === 0) lastStartMs.delete(group);
  };
  const mayTake = (group: string): boolean => {
    const free = maximumConcurrency - running.size;
    if (held(group) === 0) return free > 0;
    return free > reserved && held(group) < groupConcurrency;
  };
  const isRamping = (group: string): boolean => performance.now() - (lastStartMs.get(group) ?? Number.NEGATIVE_INFINITY) < groupRampMs;
  const nextGroup = (): string | undefined => {
    const takers = queue.waitingGroups().filter(mayTake);
    const [first, ...others] = takers.filter((group) => !isRamping(group));
    if (first === undefined && takers.length > 0 && !stopped) rampTimer ??= setTimeout(afterRamp, groupRampMs);
    return first && others.reduce((best, group) => (held(group) < held(best) ? group : best), first);
  };

  const run = async (batch: readonly ReceivedMessage[]) => {
    let failed = batch;
    try {
      const records = batch.map((message) => toRecord(queue.name, message));
      const response = await withTimeout(functionTimeoutMs, () =>
        invoke({ Records: records }, invocationContext(queue.name, functionTimeoutMs)),
      );
      failed = failedOf(batch, response);
    } catch (error) {
      log({ message: 'invocation failed', source: queue.name, error: describeError(error) });
    }
    await settle(batch, failed);
  };

  /** Records the result of a batch. If that fails, as on a full disk, it tries again: unrecorded messages would stay in flight. */
  const settle = async (batch: readonly ReceivedMessage[], failed: readonly ReceivedMessage[]): Promise<void> => {
    while (!closed) {
      try {
        queue.remove(batch.filter((message) => !failed.includes(message)));
        if (failed.length > 0) queue.release(failed);
        return;
      } catch (error) {
        log({ message: 'queue failed', source: queue.name, error: describeError(error) });
        await wait(retryMs);
      }
    }
  };

  let closed = false;
  let rampTimer: NodeJS.Timeout | undefined;
  const afterRamp = () => {
    rampTimer = undefined;
    pump();
  };
  /** Never throws: it runs in timers and in the senders' own calls. */
  const pump = () => {
    try {
      handOut();
    } catch (error) {
      log({ message: 'queue failed', source: queue.name, error: describeError(error) });
      if (!stopped) alarm.set(clock.now() + retryMs);
    }
  };
  const handOut = () => {
    for (let group = nextGroup(); !stopped && group !== undefined; group = nextGroup()) {
      const name = group;
      const batch = queue.receive(name);
      if (batch.length === 0) continue; // all of them went to the dead-letter queue
      hold(name, 1);
      const invocation: Promise<void> = run(batch).finally(() => {
        hold(name, -1);
        running.delete(invocation);
        pump();
      });
      running.add(invocation);
    }
    const nextMs = stopped ? undefined : queue.nextVisibleMs();
    if (nextMs !== undefined) alarm.set(nextMs);
  };
  const alarm = alarmClock(clock, pump, recheckMs);
  queue.onChange(pump);
  pump();

  const ended = async (graceMs: number) => {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(running), grace]);
    clearTimeout(timer);
  };

  return {
    async stop(graceMs) {
      stopped = true;
      alarm.clear();
      clearTimeout(rampTimer);
      await ended(graceMs);
      closed = true;
    },
    ended,
  };
};
