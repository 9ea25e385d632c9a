import type { OperatedQueue, ReceivedMessage } from '../../../shared/providers/operated-queue.ts';
import type { Queue, QueuedMessage } from '../../../shared/providers/queue.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import { rejectIf, short, weighsMore, withRetries } from './calls.ts';
import { NoisyGroups } from './fair-queue.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly sentMs: number;
  visibleMs: number;
  receives: number;
  /** When it was received last. */
  takenMs: number;
  /** When it left the queue, done or as a dead letter. */
  goneMs: number | undefined;
  isDead: boolean;
}

/** A message to send. Messages of AWS services have no group. */
export type Sent = Omit<QueuedMessage, 'groupId'> & { readonly groupId?: string | undefined };

export interface QueueOptions {
  readonly world: World;
  readonly name: string;
  /** The queue of dead letters, and the most receives before a message goes there. */
  readonly redrive?: { readonly maxReceives: number; readonly to: QueueModel };
}

const batchSize = 10;
const longestRepeatMs = 30_000;
/**
 * With more messages, the queue repeats none. `deliver` sends a message that finds no slot back to the
 * queue every few seconds. If a tenth of those were repeated for an hour, their number would grow
 * without end, which says nothing about the service: SQS hardly ever repeats one.
 */
const mostRepeated = 500;
/** The visibility timeout of an operator's receive, and its wait for a message. */
const holdMs = 60_000;
const longPollMs = 1_000;

/**
 * A standard queue. Messages arrive in any order, after their delay, and sometimes twice. A
 * received message that is not removed becomes visible again. The model keeps the whole history.
 */
export class QueueModel {
  /** All messages that were ever sent. */
  readonly history: Message[] = [];
  /** Is called when a message may have become visible. */
  whenVisible: () => void = () => undefined;
  readonly #options: QueueOptions;
  readonly #messages = new Map<string, Message>();
  readonly #random: Random;
  readonly #groups = new NoisyGroups();
  #serial = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#random = options.world.scheduler.stream(options.name);
  }

  get name(): string {
    return this.#options.name;
  }

  /** Number of messages in the queue, waiting or in flight. */
  get size(): number {
    return this.#messages.size;
  }

  put({ body, groupId, delaySeconds = 0 }: Sent): void {
    const { scheduler } = this.#options.world;
    const copies = this.#repeats('message twice', `${this.name}-${this.#serial + 1}`) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.#serial += 1;
      const message: Message = {
        ...{ id: `${this.name}-${this.#serial}`, body, groupId, sentMs: scheduler.now(), receives: 0, takenMs: 0 },
        ...{ goneMs: undefined, isDead: false },
        visibleMs: scheduler.now() + delaySeconds * 1000 + this.#random.below(copy === 0 ? 40 : longestRepeatMs),
      };
      this.#messages.set(message.id, message);
      this.history.push(message);
      this.#wakeFor(message);
    }
  }

  #repeats(how: 'message twice' | 'removal forgotten', name: string): boolean {
    const { faults } = this.#options.world;
    return this.size < mostRepeated && faults.befalls(how, name, faults.level.repeats, this.#random);
  }

  #wakeFor(message: Message): void {
    const { scheduler } = this.#options.world;
    scheduler.after(message.visibleMs - scheduler.now(), () => this.whenVisible());
  }

  get visible(): readonly Message[] {
    const nowMs = this.#options.world.scheduler.now();
    return [...this.#messages.values()].filter(({ visibleMs }) => visibleMs <= nowMs);
  }

  /** Messages in flight. */
  get inFlight(): readonly Message[] {
    const nowMs = this.#options.world.scheduler.now();
    return [...this.#messages.values()].filter(({ receives, visibleMs }) => receives > 0 && visibleMs > nowMs);
  }

  /** Returns the groups that the queue serves after all others, as a fair queue does. */
  noisyGroups(): ReadonlySet<string | undefined> {
    const waiting = new Set(this.visible.map(({ groupId }) => groupId));
    return this.#groups.judge(waiting, this.inFlight, this.#options.world.scheduler.now());
  }

  /**
   * Receives a message for a while. Returns false if it was received too often and is now a dead
   * letter.
   */
  take(message: Message, forMs: number): boolean {
    const { world, redrive } = this.#options;
    if (redrive && message.receives === redrive.maxReceives) {
      this.remove(message);
      message.isDead = true;
      redrive.to.put({ body: message.body, groupId: message.groupId });
      world.scheduler.note(this.name, () => short(`${message.body} is a dead letter`));
      return false;
    }
    // Until now it was visible again after its last receive.
    if (message.receives > 0) this.#groups.end(message, message.visibleMs);
    message.receives += 1;
    message.takenMs = world.scheduler.now();
    message.visibleMs = world.scheduler.now() + forMs;
    this.#wakeFor(message);
    return true;
  }

  show(message: Message): void {
    message.visibleMs = this.#options.world.scheduler.now();
    this.#wakeFor(message);
  }

  /** Removes a handled message. Sometimes the removal is lost. */
  finish(message: Message): void {
    const { scheduler } = this.#options.world;
    if (this.#repeats('removal forgotten', message.id)) {
      message.visibleMs = scheduler.now() + this.#random.below(longestRepeatMs);
      this.#wakeFor(message);
    } else this.remove(message);
  }

  remove(message: Message): void {
    if (this.#messages.delete(message.id) && message.receives > 0)
      this.#groups.end(message, Math.min(message.visibleMs, this.#options.world.scheduler.now()));
    message.goneMs ??= this.#options.world.scheduler.now();
  }

  /** Returns the queue for a process that sends. */
  from(process: Process): Queue {
    return {
      send: (messages) =>
        this.#inBatches(
          process,
          'send to',
          messages,
          (message) => this.put(message),
          ({ body, delaySeconds = 0 }) => `${body} in ${delaySeconds} s`,
        ),
    };
  }

  /** Returns the queue for a process that operates it. */
  operatedBy(process: Process): OperatedQueue {
    const known = ({ id }: ReceivedMessage): Message | undefined => this.#messages.get(id);
    const idOf = ({ id }: ReceivedMessage): string => id;
    return {
      ...this.from(process),
      depth: () =>
        this.#ask(process, 'count', () => {
          const nowMs = this.#options.world.scheduler.now();
          const hidden = [...this.#messages.values()].filter(({ visibleMs }) => visibleMs > nowMs);
          const in_flight = hidden.filter(({ receives }) => receives > 0).length;
          return { waiting: this.size - hidden.length, in_flight, delayed: hidden.length - in_flight };
        }),
      receive: () =>
        this.#ask(
          process,
          'receive from',
          () => this.#hold(),
          (received) => (received.length > 0 ? 5 : longPollMs),
        ),
      remove: (messages) =>
        this.#inBatches(
          process,
          'remove from',
          messages,
          (message) => {
            const found = known(message);
            if (found) this.remove(found);
          },
          idOf,
        ),
      release: (messages) =>
        this.#inBatches(
          process,
          'release to',
          messages,
          (message) => {
            const found = known(message);
            if (found) this.show(found);
          },
          idOf,
        ),
    };
  }

  #hold(): readonly ReceivedMessage[] {
    const visible = [...this.visible];
    const count = 1 + this.#random.below(batchSize);
    const taken: Message[] = [];
    while (taken.length < count && visible.length > 0) taken.push(...visible.splice(this.#random.below(visible.length), 1));
    return taken
      .filter((message) => this.take(message, holdMs))
      .map(({ id, body, groupId, sentMs, receives }) => ({
        id,
        receipt: `${id}/${receives}`,
        body,
        groupId,
        sentMs,
        receiveCount: receives,
      }));
  }

  #ask<Result>(process: Process, what: string, carry: () => Result, tookMs?: (result: Result) => number): Promise<Result> {
    return withRetries(process, {
      what: `${what} ${this.name}`,
      faults: [...connectionFates, 'throttled', 'unavailable'],
      carry: (rejection) => {
        rejectIf(rejection, 'SQS');
        return carry();
      },
      ...(tookMs && { tookMs }),
    });
  }

  /** Makes a call per ten entries. A call that is executed in part leaves out its last entry. */
  async #inBatches<Entry>(
    process: Process,
    what: string,
    entries: readonly Entry[],
    carry: (entry: Entry) => void,
    tell: (entry: Entry) => string,
  ): Promise<void> {
    for (let start = 0; start < entries.length; start += batchSize) {
      const batch = entries.slice(start, start + batchSize);
      await withRetries(process, {
        what: () => short(`${what} ${this.name}: ${batch.map(tell).join(', ')}`),
        faults: [...connectionFates, 'throttled', 'unavailable', 'in part', 'late'],
        carry: (rejection) => {
          const inPart = rejection === 'in part';
          if (!inPart) rejectIf(rejection, 'SQS');
          for (const entry of inPart ? batch.slice(0, -1) : batch) carry(entry);
          if (!inPart) return;
          weighsMore(process);
          throw new Error('1 message refused by SQS: InternalError');
        },
      });
    }
  }
}
