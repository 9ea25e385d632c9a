import { AsyncLocalStorage } from 'node:async_hooks';
import { Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';

/** An invocation without a response: its instance died or ran out of time. */
export class InvocationLost extends Error {
  override readonly name = 'InvocationLost';
}

/**
 * The accounts of an invocation, for all work that it started, even if it continues in the next
 * invocation; undefined means all.
 */
export const subject = new AsyncLocalStorage<ReadonlySet<string> | undefined>();

interface Instance<Handler> {
  readonly process: Process;
  readonly handler: Handler;
}

/** Number of an invocation's calls that met a fault, how often it was suspended, and its duration. */
export interface Met {
  readonly faults: number;
  readonly freezes: number;
  readonly ms: number;
}

export interface Invocation<Result> {
  readonly result: Result;
  /** Its name: `process/number`. */
  readonly by: string;
  /** Faults of its calls. */
  readonly met: Met;
}

/**
 * A function of Lambda. Each instance keeps its state between invocations and runs one at a time.
 */
export class LambdaFunction<Handler> {
  readonly name: string;
  /** Invocations that did not end, as `instance/number`. */
  readonly lost = new Set<string>();
  /** Faults of ended invocations. */
  readonly met = new Map<string, Met>();
  readonly #world: World;
  readonly #make: (process: Process) => Handler;
  readonly #timeoutMs: number;
  readonly #random: Random;
  #idle: Instance<Handler>[] = [];
  #started = 0;
  #asked = 0;

  constructor(name: string, world: World, timeoutMs: number, make: (process: Process) => Handler) {
    this.name = name;
    this.#world = world;
    this.#timeoutMs = timeoutMs;
    this.#make = make;
    this.#random = world.scheduler.stream(`instances of ${name}`);
  }

  /** Returns the last instance if it must be warm; otherwise a random warm one or a new one, as Lambda may. */
  #take(isWarm: boolean): Instance<Handler> {
    const random = this.#random;
    this.#idle = this.#idle.filter(({ process }) => process.isAlive);
    const last = isWarm ? this.#idle.pop() : undefined;
    if (last) return last;
    if (this.#idle.length > 0 && !random.chance(0.1)) {
      const [instance] = this.#idle.splice(random.below(this.#idle.length), 1);
      if (instance) return instance;
    }
    this.#started += 1;
    const process = new Process(`${this.name}#${this.#started}`, this.#world);
    return { process, handler: this.#make(process) };
  }

  /** Runs one invocation. `accounts` are its accounts; all of the region by default. */
  invoke<Result>(work: (handler: Handler) => Promise<Result>, accounts?: ReadonlySet<string>, isWarm = false): Promise<Invocation<Result>> {
    const { scheduler, faults } = this.#world;
    this.#asked += 1;
    if (faults.befalls('function throttled', `${this.name}/${this.#asked}`, faults.level.throttledInvocations, this.#random))
      return scheduler.sleep(50).then(() => {
        throw new InvocationLost(`${this.name} is throttled`);
      });
    const instance = this.#take(isWarm);
    const { process } = instance;
    const before = { faults: process.faults, freezes: process.freezes };
    const begunMs = scheduler.now();
    process.invocations += 1;
    process.invokedMs = scheduler.now();
    process.resume();
    return new Promise((resolve, reject) => {
      const timeout = scheduler.after(this.#timeoutMs, () => process.kill('runs out of time'));
      const name = `${process.name}/${process.invocations}`;
      process.whenItDies((why) => {
        timeout.cancel();
        this.lost.add(name);
        reject(new InvocationLost(`${process.name} ${why}`));
      });
      const end = (tell: () => void) => {
        if (!process.isAlive) return;
        timeout.cancel();
        process.suspend();
        this.#idle.push(instance);
        tell();
      };
      subject
        .run(accounts, () => work(instance.handler))
        .then(
          (result) => {
            const ms = scheduler.now() - begunMs;
            const met: Met = { faults: process.faults - before.faults, freezes: process.freezes - before.freezes, ms };
            this.met.set(name, met);
            end(() => resolve({ result, by: name, met }));
          },
          (error: unknown) => end(() => reject(error)),
        );
    });
  }
}
