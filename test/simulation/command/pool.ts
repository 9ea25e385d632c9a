import { Worker } from 'node:worker_threads';
import { scenarioEnds } from '../invariants/invariant.ts';
import type { Message, Outcome, Task } from './task.ts';

export interface PoolOptions {
  readonly workers: number;
  /** The mutant that the source has in all scenarios. */
  readonly mutant?: string | undefined;
  /** The most real time for one scenario, in milliseconds. */
  readonly patienceMs: number;
  readonly file?: URL;
}

const workerFile = new URL('worker.ts', import.meta.url);

/**
 * Threads that each play one scenario at a time. A scenario that does not end is stopped and counts
 * as broken.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #idle: Thread[] = [];
  readonly #waiting: (() => void)[] = [];
  #places: number;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = options.workers;
  }

  get workers(): number {
    return this.#options.workers;
  }

  /** Plays a scenario. Never rejects: an error of the scenario is its outcome. */
  async play(task: Task): Promise<Outcome> {
    if (this.#places === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#places -= 1;
    const thread = this.#idle.pop() ?? new Thread(this.#options);
    const outcome = await thread.play({ mutant: this.#options.mutant, ...task });
    if (thread.ended === undefined) this.#idle.push(thread);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#places += 1;
    return outcome;
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map((thread) => thread.end()));
  }
}

const nothing = { actions: [], met: [], calls: 0, virtualMs: 0, faults: {}, invariants: {}, figures: {} };

class Thread {
  /** Why the worker has stopped; undefined while it plays. */
  ended: string | undefined;
  readonly #worker: Worker;
  readonly #patienceMs: number;
  #hear: (message: Message) => void = () => undefined;
  #giveUp: (why: string) => void = () => undefined;

  constructor({ file = workerFile, patienceMs }: PoolOptions) {
    this.#patienceMs = patienceMs;
    this.#worker = new Worker(file);
    this.#worker.on('message', (message: Message) => this.#hear(message));
    const fail = (why: string): void => {
      this.ended ??= why;
      this.#giveUp(why);
    };
    this.#worker.on('error', (error) => fail(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    this.#worker.on('exit', () => fail('Its thread ended.'));
  }

  play(task: Task): Promise<Outcome> {
    const trace: string[] = [];
    return new Promise((resolve) => {
      const end = (outcome: Omit<Outcome, 'trace'>): void => {
        clearTimeout(timer);
        this.#giveUp = () => undefined;
        resolve({ ...outcome, trace });
      };
      this.#giveUp = (why) => {
        this.ended ??= why;
        end({ ...nothing, seed: task.seed, breach: { invariant: scenarioEnds, sentences: [why] } });
        void this.end();
      };
      this.#hear = (message) => {
        if ('line' in message) trace.push(message.line);
        else end(message.outcome);
      };
      const timer = setTimeout(
        () => this.#giveUp(`It was still at work after ${this.#patienceMs / 1000} seconds of real time.`),
        this.#patienceMs,
      );
      // An earlier scenario may have stopped the worker meanwhile. Then this one was not played.
      if (this.ended === undefined) this.#worker.postMessage(task);
      else this.#giveUp(this.ended);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
