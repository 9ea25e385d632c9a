import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Queue, QueuedMessage } from '../../../shared/providers/queue.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import { short, withRetries } from './calls.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly groupId: string;
  readonly sentMs: number;
  visibleMs: number;
  receives: number;
}

const visibilityMs = 360_000;
const maxReceives = 5;
const batchSize = 10;
const longestRepeatMs = 30_000;

const recordOf = ({ id, body, groupId, sentMs, receives }: Message): SQSRecord => ({
  messageId: id,
  receiptHandle: `${id}/${receives}`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sentMs),
    SenderId: 'simulated',
    ApproximateFirstReceiveTimestamp: String(sentMs),
    MessageGroupId: groupId,
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:simulated',
  awsRegion: 'us-east-1',
});

export interface QueueOptions {
  readonly world: World;
  readonly name: string;
  /** Invocations at a time. */
  readonly concurrency: number;
  /** Hands a batch to the function; rejects where the invocation was lost. */
  readonly invoke: (event: SQSEvent) => Promise<SQSBatchResponse>;
}

/**
 * A standard queue and its event source: messages come in any order, now and then twice, each with its delay; what an invocation did not
 * do is visible again after six minutes; the fifth time in vain it goes to the dead letters. Nothing else is lost.
 */
export class QueueModel {
  readonly deadLetters: QueuedMessage[] = [];
  /** Of everything that was ever sent. */
  readonly bodies = new Set<string>();
  readonly #options: QueueOptions;
  readonly #messages = new Map<string, Message>();
  readonly #random: Random;
  #serial = 0;
  #running = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#random = options.world.scheduler.stream(options.name);
  }

  /** Messages that wait or are being worked on. */
  get size(): number {
    return this.#messages.size;
  }

  put({ body, groupId, delaySeconds = 0 }: QueuedMessage): void {
    this.bodies.add(body);
    const { scheduler, accidents } = this.#options.world;
    const copies = accidents.befalls('message twice', `${this.#options.name}-${this.#serial + 1}`, accidents.level.repeats, this.#random)
      ? 2
      : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.#serial += 1;
      const visibleMs = scheduler.now() + delaySeconds * 1000 + this.#random.below(copy === 0 ? 40 : longestRepeatMs);
      const message: Message = {
        id: `${this.#options.name}-${this.#serial}`,
        body,
        groupId,
        sentMs: scheduler.now(),
        visibleMs,
        receives: 0,
      };
      this.#messages.set(message.id, message);
      this.#wakeFor(message);
    }
  }

  /** The queue as a process sends to it. */
  from(process: Process): Queue {
    const { name } = this.#options;
    return {
      send: async (messages) => {
        for (let start = 0; start < messages.length; start += batchSize) {
          const batch = messages.slice(start, start + batchSize);
          await withRetries(process, {
            what: () => short(`send to ${name}: ${batch.map(({ body, delaySeconds = 0 }) => `${body} in ${delaySeconds} s`).join(', ')}`),
            accidents: [...connectionFates, 'throttled', 'unavailable', 'in part', 'late'],
            carry: (accident) => {
              if (accident === 'throttled' || accident === 'unavailable')
                throw Object.assign(new Error(`SQS is ${accident}.`), { name: 'ThrottlingException' });
              const stored = accident === 'in part' ? batch.slice(0, -1) : batch;
              for (const message of stored) this.put(message);
              if (stored.length < batch.length) throw new Error('1 message refused by SQS: InternalError');
            },
          });
        }
      },
    };
  }

  #wakeFor(message: Message): void {
    const { scheduler } = this.#options.world;
    scheduler.after(message.visibleMs - scheduler.now(), () => this.#receive());
  }

  /** Takes what is visible, in any order, as long as invocations are free. */
  #receive(): void {
    const { world, concurrency } = this.#options;
    const random = this.#random;
    while (this.#running < concurrency) {
      const visible = [...this.#messages.values()].filter(({ visibleMs }) => visibleMs <= world.scheduler.now());
      if (visible.length === 0) return;
      const wanted = 1 + random.below(batchSize);
      const batch: Message[] = [];
      while (batch.length < wanted && visible.length > 0) batch.push(...visible.splice(random.below(visible.length), 1));
      const received = batch.filter((message) => this.#take(message));
      if (received.length > 0) void this.#work(received);
    }
  }

  /** False where the message has come too often. */
  #take(message: Message): boolean {
    const { scheduler } = this.#options.world;
    if (message.receives === maxReceives) {
      this.#messages.delete(message.id);
      this.deadLetters.push(message);
      scheduler.note(this.#options.name, () => short(`${message.body} is a dead letter`));
      return false;
    }
    message.receives += 1;
    message.visibleMs = scheduler.now() + visibilityMs;
    return true;
  }

  async #work(batch: readonly Message[]): Promise<void> {
    const { world, invoke } = this.#options;
    const { scheduler, accidents } = world;
    this.#running += 1;
    let failed = new Set(batch.map(({ id }) => id));
    try {
      const { batchItemFailures } = await invoke({ Records: batch.map(recordOf) });
      failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    } catch {
      // The whole batch comes again.
    }
    this.#running -= 1;
    for (const message of batch) {
      if (failed.has(message.id)) this.#wakeFor(message);
      else if (accidents.befalls('removal forgotten', message.id, accidents.level.repeats, this.#random)) {
        // Its removal was forgotten.
        message.visibleMs = scheduler.now() + this.#random.below(longestRepeatMs);
        this.#wakeFor(message);
      } else this.#messages.delete(message.id);
    }
    this.#receive();
  }
}
