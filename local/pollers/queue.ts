import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../shared/core/clock.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { batchSize, type LocalQueue, type ReceivedMessage } from '../engine/queue.ts';
import { alarmClock } from '../engine/scheduler.ts';
import { invocationContext, withTimeout } from '../lambda.ts';

export type QueueFunction = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | undefined>;

export interface QueuePollerOptions {
  readonly queue: LocalQueue;
  readonly invoke: QueueFunction;
  readonly clock: Clock;
  readonly log: Log;
  readonly maximumConcurrency?: number;
  /** Maximum concurrent invocations of one message group. */
  readonly groupConcurrency?: number;
  readonly functionTimeoutMs?: number;
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
/** Delay before a group takes an additional invocation. */
const groupRampMs = 250;

/**
 * Returns the failed messages by Lambda's rule: without a list or with an empty list the batch
 * succeeded; an unknown id fails the whole batch.
 */
const failedOf = (batch: readonly ReceivedMessage[], response: SQSBatchResponse | undefined): readonly ReceivedMessage[] => {
  const failedIds = new Set((response?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier));
  const failed = batch.filter((message) => failedIds.has(message.id));
  return failed.length === failedIds.size ? failed : batch;
};

/** Invokes the function with a batch. Returns the failed messages; never rejects. */
const invokeWith = async (
  { queue, invoke, log, functionTimeoutMs = 60_000 }: QueuePollerOptions,
  batch: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> => {
  try {
    const Records = batch.map((message) => toRecord(queue.name, message));
    const context = invocationContext(queue.name, functionTimeoutMs);
    return failedOf(batch, await withTimeout(functionTimeoutMs, () => invoke({ Records }, context)));
  } catch (error) {
    log({ message: 'invocation failed', source: queue.name, error: describeError(error) });
    return batch;
  }
};

/**
 * Stores the result of a batch. If that fails, for example on a full disk, tries again, because the
 * messages would stay in flight.
 */
const settle = async (
  { queue, log }: QueuePollerOptions,
  batch: readonly ReceivedMessage[],
  failed: readonly ReceivedMessage[],
  isClosed: () => boolean,
): Promise<void> => {
  while (!isClosed()) {
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

/**
 * Shares invocations fairly between message groups. A free invocation goes to the group with the
 * fewest running ones; as in SQS, messages of other groups fill its batch. The last quarter of the
 * invocations is only for groups without any, so that a backlog of hanging deliveries cannot take
 * all. A group adds invocations one by one, so that short batches do not compete for their
 * endpoint's slots.
 */
const createTurns = ({ maximumConcurrency = 32, groupConcurrency = 8 }: QueuePollerOptions) => {
  const holders = new Map<string, { readonly count: number; readonly lastStartMs: number }>();
  const reserved = Math.floor(maximumConcurrency / 4);
  let free = maximumConcurrency;

  const runningCount = (group: string): number => holders.get(group)?.count ?? 0;
  const mayTake = (group: string): boolean =>
    runningCount(group) === 0 ? free > 0 : free > reserved && runningCount(group) < groupConcurrency;
  const isRamping = (group: string): boolean =>
    performance.now() - (holders.get(group)?.lastStartMs ?? Number.NEGATIVE_INFINITY) < groupRampMs;

  return {
    /** Returns the next group to serve. `isRamping`: every eligible group must wait first. */
    next(waiting: readonly string[]): { readonly group: string | undefined; readonly isRamping: boolean } {
      const takers = waiting.filter(mayTake);
      const [first, ...others] = takers.filter((group) => !isRamping(group));
      const group = first && others.reduce((best, other) => (runningCount(other) < runningCount(best) ? other : best), first);
      return { group, isRamping: first === undefined && takers.length > 0 };
    },
    /** Whether messages of the group may fill the batch of another. */
    mayJoin: (group: string): boolean => runningCount(group) < groupConcurrency && !isRamping(group),
    take(groups: Iterable<string>) {
      free--;
      for (const group of groups) holders.set(group, { count: runningCount(group) + 1, lastStartMs: performance.now() });
    },
    giveBack(groups: Iterable<string>) {
      free++;
      for (const group of groups) {
        const { count = 1, lastStartMs = 0 } = holders.get(group) ?? {};
        if (count === 1) holders.delete(group);
        else holders.set(group, { count: count - 1, lastStartMs });
      }
    },
  };
};

/** Feeds a function from a queue, like Lambda's event source with ReportBatchItemFailures. */
export const startQueuePoller = (options: QueuePollerOptions) => {
  const { queue, clock, log } = options;
  const turns = createTurns(options);
  const running = new Set<Promise<void>>();
  let stopped = false;
  let closed = false;
  let rampTimer: NodeJS.Timeout | undefined;

  /** Receives a batch that begins with messages of the group. */
  const receiveFrom = (group: string): readonly ReceivedMessage[] => {
    const batch = [...queue.receive(group)];
    for (const other of batch.length > 0 ? queue.waitingGroups() : []) {
      if (batch.length === batchSize) break;
      if (other !== group && turns.mayJoin(other)) batch.push(...queue.receive(other, batchSize - batch.length));
    }
    return batch;
  };

  const handOut = () => {
    while (!stopped) {
      const { group, isRamping } = turns.next(queue.waitingGroups());
      if (isRamping)
        rampTimer ??= setTimeout(() => {
          rampTimer = undefined;
          pump();
        }, groupRampMs);
      if (group === undefined) break;
      const batch = receiveFrom(group);
      if (batch.length === 0) continue; // all of them moved to the dead-letter queue
      const groups = new Set(batch.map(({ groupId }) => groupId));
      turns.take(groups);
      const invocation: Promise<void> = invokeWith(options, batch)
        .then((failed) => settle(options, batch, failed, () => closed))
        .finally(() => {
          turns.giveBack(groups);
          running.delete(invocation);
          pump();
        });
      running.add(invocation);
    }
    const nextMs = stopped ? undefined : queue.nextVisibleMs();
    if (nextMs !== undefined) alarm.set(nextMs);
  };
  /** Never throws, because timers and senders call it. */
  const pump = () => {
    try {
      handOut();
    } catch (error) {
      log({ message: 'queue failed', source: queue.name, error: describeError(error) });
      if (!stopped) alarm.set(clock.now() + retryMs);
    }
  };
  const alarm = alarmClock(clock, pump);
  queue.onChange(pump);
  pump();

  const ended = async (graceMs: number): Promise<void> => {
    await withTimeout(graceMs, () => Promise.all(running)).catch(() => undefined);
  };

  return {
    /**
     * Waits up to `graceMs` for running invocations. Messages still in flight return at the next
     * start.
     */
    async stop(graceMs: number): Promise<void> {
      stopped = true;
      alarm.clear();
      clearTimeout(rampTimer);
      await ended(graceMs);
      closed = true;
    },
    /** Resolves when the last invocation ends, at most `graceMs` later. */
    ended,
  };
};

export type QueuePoller = ReturnType<typeof startQueuePoller>;
