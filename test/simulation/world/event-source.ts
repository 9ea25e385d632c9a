import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { workQueue } from '../../../functions/event-sources.ts';
import type { World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import type { Invocation } from './functions.ts';
import type { Message, QueueModel } from './queue.ts';

const recordOf = ({ id, body, groupId, sentMs, receives }: Message): SQSRecord => ({
  messageId: id,
  receiptHandle: `${id}/${receives}`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sentMs),
    SenderId: 'simulated',
    ApproximateFirstReceiveTimestamp: String(sentMs),
    ...(groupId === undefined ? {} : { MessageGroupId: groupId }),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:simulated',
  awsRegion: 'us-east-1',
});

export interface EventSourceOptions {
  readonly world: World;
  readonly queue: QueueModel;
  /** The most invocations at a time. */
  readonly concurrency: number;
  /** Invokes the function with a batch. Rejects if the invocation did not end. */
  readonly invoke: (event: SQSEvent) => Promise<Invocation<SQSBatchResponse>>;
}

/** A message that was given to an invocation. */
export interface HandedOut {
  readonly body: string;
  readonly visibleMs: number;
  readonly atMs: number;
  /** How often it was received, this time included. */
  readonly receives: number;
  /** The invocation, if it ended. */
  by?: string;
  /** When the invocation ended or died; undefined while it runs. */
  endedMs?: number;
  /** When the message was no longer in flight: removed, or visible again. */
  untilMs?: number;
}

/**
 * Delivers a queue's messages to a function. Batches mix groups: any message of a quiet group comes
 * first, then those of the noisy group with the fewest messages in flight. Unhandled messages are
 * visible again after their timeout.
 */
export class EventSource {
  readonly handedOut: HandedOut[] = [];
  readonly #options: EventSourceOptions;
  readonly #random: Random;
  #running = 0;

  constructor(options: EventSourceOptions) {
    this.#options = options;
    this.#random = options.world.scheduler.stream(`source of ${options.queue.name}`);
    options.queue.whenVisible = () => this.#receive();
  }

  /** Receives visible messages while fewer than `concurrency` invocations run. */
  #receive(): void {
    const { queue, concurrency, world } = this.#options;
    while (this.#running < concurrency) {
      const chosen = this.#choose();
      if (chosen.length === 0) return;
      const batch: Message[] = [];
      const handed: HandedOut[] = [];
      for (const message of chosen) {
        const { body, visibleMs } = message;
        if (!queue.take(message, workQueue.visibilitySeconds * 1000)) continue;
        batch.push(message);
        handed.push({ body, visibleMs, atMs: world.scheduler.now(), receives: message.receives });
      }
      this.handedOut.push(...handed);
      if (batch.length > 0) void this.#work(batch, handed);
    }
  }

  #choose(): readonly Message[] {
    const { queue } = this.#options;
    const waiting = new Map<string | undefined, Message[]>();
    for (const message of queue.visible) {
      const group = waiting.get(message.groupId) ?? [];
      group.push(message);
      waiting.set(message.groupId, group);
    }
    if (waiting.size === 0) return [];
    const noisy = queue.noisyGroups();
    const inFlightByGroup = new Map<string | undefined, number>();
    for (const { groupId } of queue.inFlight) inFlightByGroup.set(groupId, (inFlightByGroup.get(groupId) ?? 0) + 1);
    const chosen: Message[] = [];
    for (let remaining = 1 + this.#random.below(workQueue.batchSize); remaining > 0 && waiting.size > 0; remaining--) {
      const quiet = [...waiting.keys()].filter((group) => !noisy.has(group));
      const fewest = Math.min(...[...waiting.keys()].map((group) => inFlightByGroup.get(group) ?? 0));
      const groups = quiet.length > 0 ? quiet : [...waiting.keys()].filter((group) => (inFlightByGroup.get(group) ?? 0) === fewest);
      const messages = this.#random.pick(groups.flatMap((group) => [waiting.get(group) ?? []]));
      const [message] = messages.splice(this.#random.below(messages.length), 1);
      if (message === undefined) break;
      chosen.push(message);
      inFlightByGroup.set(message.groupId, (inFlightByGroup.get(message.groupId) ?? 0) + 1);
      if (messages.length === 0) waiting.delete(message.groupId);
    }
    return chosen;
  }

  async #work(batch: readonly Message[], handed: readonly HandedOut[]): Promise<void> {
    const { queue, invoke, world } = this.#options;
    this.#running += 1;
    try {
      const { result, by } = await invoke({ Records: batch.map(recordOf) });
      const { batchItemFailures } = result;
      for (const one of handed) one.by = by;
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const message of batch) if (!failed.has(message.id)) queue.finish(message);
    } catch {
      // The whole batch becomes visible again.
    }
    for (const [i, { goneMs, visibleMs }] of batch.entries())
      Object.assign(handed[i] as HandedOut, { endedMs: world.scheduler.now(), untilMs: goneMs ?? visibleMs });
    this.#running -= 1;
    this.#receive();
  }
}
