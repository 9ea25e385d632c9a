import type { DynamoDBBatchResponse, DynamoDBRecord, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { deliver } from '../../functions/deliver/app.ts';
import { fanOut } from '../../functions/fan-out/app.ts';
import { sweep } from '../../functions/sweep/app.ts';
import { matchesAny } from '../../local/pollers/stream.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue, QueuedMessage } from '../../shared/providers/queue.ts';
import type { ScheduledMessage, Scheduler } from '../../shared/providers/scheduler.ts';
import type { ActionCall } from '../../shared/providers/siblings.ts';
import { streamFilters } from '../../shared/table/schema.ts';
import { createSender, type Sender } from '../../shared/webhooks/sender.ts';
import type { World } from './world.ts';

/** A waiting message, with the time from which it is visible. */
export interface WaitingMessage extends QueuedMessage {
  readonly id: string;
  readonly visibleMs: number;
  /** Number of receives. */
  readonly receives?: number;
}

/** The kinds of calls that the pipeline makes to other services. */
export type Step = 'queue' | 'searchQueue' | 'scheduler' | 'sender' | 'parking';
/** Runs before a step. It may throw, wait or never resolve. */
export type Gate = (step: Step, run: () => Promise<unknown>) => Promise<unknown>;

/**
 * fan-out, deliver and sweep on a world's store, with a queue and schedules that belong to the
 * test.
 */
export interface Pipeline {
  readonly queue: Queue;
  /** Messages that wait, in the order they were sent. */
  readonly waiting: readonly WaitingMessage[];
  readonly schedules: ReadonlyMap<string, ScheduledMessage>;
  readonly parked: ReadonlyMap<string, string>;
  /** Messages on the search queue. */
  readonly searches: readonly QueuedMessage[];
  gate(gate: Gate | undefined): void;
  /** Returns new records of the change stream, in Lambda's format. */
  changes(): Promise<DynamoDBRecord[]>;
  fanOut(records: readonly DynamoDBRecord[]): Promise<DynamoDBBatchResponse>;
  /** Fires due schedules and receives up to `limit` visible messages. */
  receive(limit?: number): readonly WaitingMessage[];
  /** Runs one invocation. Unfinished messages become visible again after the visibility timeout. */
  deliver(messages: readonly WaitingMessage[]): Promise<SQSBatchResponse>;
  /** Returns messages to the queue, as SQS does if an invocation never ends. */
  putBack(messages: readonly WaitingMessage[]): void;
  /** Processes changes and messages until none is due. */
  drain(): Promise<void>;
  sweep(): Promise<{ requeued: number }>;
  /** Removes all messages, schedules, parked records and changes before a test. */
  clear(): Promise<void>;
  close(): void;
}

export const visibilityTimeoutMs = 360_000;
const batchSize = 10;

const recordOf = ({ id, body, groupId, receives }: WaitingMessage): SQSRecord => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives ?? 1),
    SentTimestamp: '0',
    SenderId: 'test',
    ApproximateFirstReceiveTimestamp: '0',
    MessageGroupId: groupId,
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:deliveries',
  awsRegion: 'us-east-1',
});

/** `act` carries out the dashboard actions that the sweep starts; without it, none may be due. */
export const createPipeline = (
  { services: worldServices, clock, policy, engine, tables }: World,
  act = async (call: ActionCall): Promise<void> => Promise.reject(new Error(`An unexpected call: ${call.action}`)),
): Pipeline => {
  let waiting: WaitingMessage[] = [];
  const schedules = new Map<string, ScheduledMessage>();
  const parked = new Map<string, string>();
  const http = createSender({ policy });
  let position = 0;
  let sent = 0;
  let gate: Gate = (_step, run) => run();

  const enqueue = (message: QueuedMessage): void => {
    sent += 1;
    waiting.push({ ...message, id: `message-${sent}`, visibleMs: clock.now() + (message.delaySeconds ?? 0) * 1000 });
  };
  const queue: Queue = {
    send: (messages) => gate('queue', async () => messages.forEach(enqueue)) as Promise<void>,
  };
  const searches: QueuedMessage[] = [];
  const searchQueue: Queue = {
    // An empty batch makes no call, as with SQS.
    async send(messages) {
      if (messages.length > 0) await gate('searchQueue', async () => void searches.push(...messages));
    },
  };
  const scheduler: Scheduler = {
    schedule: (message) =>
      gate('scheduler', async () => {
        if (!schedules.has(message.name)) schedules.set(message.name, message);
      }) as Promise<void>,
  };
  const sender: Sender = {
    send: (delivery) => gate('sender', () => http.send(delivery)) as ReturnType<Sender['send']>,
    close: () => http.close(),
  };
  const parking: ParkingLot = {
    park: (key, json) => gate('parking', async () => void parked.set(key, json)) as Promise<void>,
    fetch: async (key) => parked.get(key),
  };
  const services = { ...worldServices, policy, queue, searchQueue, parking, scheduler, sender };
  const toFanOut = fanOut(services);
  const toDeliver = deliver(services);
  const toSweep = sweep({ ...services, startAction: act });

  const pipeline: Pipeline = {
    queue,
    get waiting() {
      return waiting;
    },
    schedules,
    parked,
    searches,
    gate: (next) => {
      gate = next ?? ((_step, run) => run());
    },
    async changes() {
      const found: DynamoDBRecord[] = [];
      for (;;) {
        const records = await engine.changes(tables.tableName, position, 100);
        position = Number(records.at(-1)?.dynamodb?.SequenceNumber ?? position);
        if (records.length === 0) break;
        found.push(...records);
      }
      return found.filter((record) => matchesAny(streamFilters, record));
    },
    fanOut: (records) => toFanOut({ Records: [...records] }),
    receive(limit = batchSize) {
      for (const [name, message] of schedules) {
        if (message.atMs > clock.now()) continue;
        schedules.delete(name);
        enqueue(message);
      }
      const visible = waiting.filter(({ visibleMs }) => visibleMs <= clock.now()).slice(0, limit);
      waiting = waiting.filter((message) => !visible.includes(message));
      return visible.map((message) => ({ ...message, receives: (message.receives ?? 0) + 1 }));
    },
    async deliver(messages) {
      const response = await toDeliver({ Records: messages.map(recordOf) });
      const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      pipeline.putBack(messages.filter(({ id }) => failed.has(id)));
      return response;
    },
    putBack(messages) {
      waiting.push(...messages.map((message) => ({ ...message, visibleMs: clock.now() + visibilityTimeoutMs })));
    },
    async drain() {
      const records = await pipeline.changes();
      if (records.length > 0) await pipeline.fanOut(records);
      for (let batch = pipeline.receive(); batch.length > 0; batch = pipeline.receive()) await pipeline.deliver(batch);
    },
    sweep: () => toSweep(),
    async clear() {
      await pipeline.changes();
      waiting = [];
      schedules.clear();
      parked.clear();
      searches.length = 0;
      pipeline.gate(undefined);
    },
    close() {
      http.close();
    },
  };
  return pipeline;
};
