import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../shared/core/clock.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { batchSize, type LocalQueue, type ReceivedMessage } from '../engine/queue.ts';
import { alarmClock } from '../engine/scheduler.ts';
import { invocationContext, withTimeout } from '../lambda.ts';
import { createTurns, groupRampMs } from './turns.ts';

export type QueueFunction = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | undefined>;

export interface QueuePollerOptions {
  readonly queue: LocalQueue;
  readonly invoke: QueueFunction;
  readonly clock: Clock;
  readonly log: Log;
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

/** Feeds a function from a queue, like Lambda's event source with ReportBatchItemFailures. */
export const startQueuePoller = (options: QueuePollerOptions) => {
  const { queue, clock, log } = options;
  const turns = createTurns(() => performance.now());
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
