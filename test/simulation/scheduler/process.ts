import { Unsupported } from '../../../local/engine/commands/values.ts';
import type { Clock } from '../../../shared/core/clock.ts';
import type { Fate, FaultSource } from './faults.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** A broken connection. The call may have been executed. */
export class BrokenConnection extends Error {
  override readonly name = 'TimeoutError';
}

/** Fates that are errors of the called service. */
const rejections = ['throttled', 'unavailable', 'conflict', 'in part'] as const satisfies readonly Fate[];
type Rejection = (typeof rejections)[number];
const isRejection = (fate: Fate): fate is Rejection => (rejections as readonly Fate[]).includes(fate);

/** A call to a service, and the faults of this service in addition to those of any connection. */
export interface Outside<Result> {
  /** The call's text in the trace; a function if building it is slow. */
  readonly what: string | (() => string);
  /** Executes the call when it arrives. */
  readonly carry: (rejection?: Rejection) => Result;
  readonly faults: readonly Fate[];
  /** Returns the time from arrival to response; a few ms by default. */
  readonly tookMs?: (result: Result) => number;
}

/** Faults of every connection. */
export const connectionFates: readonly Fate[] = ['answer lost', 'never sent', 'dies before', 'dies after', 'freezes'];

const clientPatienceMs = 3_000;
const longestGhostMs = 10_000;
const longestFreezeMs = 100_000;

export interface World {
  readonly scheduler: Scheduler;
  readonly faults: FaultSource;
  /** Requests that the models do not support. Such a scenario proves nothing. */
  readonly notUnderstood: string[];
}

const textOf = (what: string | (() => string)): string => (typeof what === 'string' ? what : what());

/** One instance of a function. It calls services, is suspended, and dies. */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  /** Random numbers for the process and its faults. */
  readonly random: Random;
  /** Number of its calls that met a fault, and how often a call suspended it. */
  faults = 0;
  freezes = 0;
  /** Invocations so far. */
  invocations = 0;
  /** When the last invocation started. */
  invokedMs = 0;
  diedMs: number | undefined;
  #alive = true;
  #calls = 0;
  #frozenUntilMs = 0;
  #onDeath: (why: string) => void = () => undefined;
  /** Responses that wait until the process resumes; undefined while the process runs. */
  #suspended: (() => void)[] | undefined;
  readonly #world: World;

  constructor(name: string, world: World) {
    const { scheduler, faults } = world;
    this.name = name;
    this.random = scheduler.stream(name);
    this.#world = world;
    const skewMs = Math.round((this.random.fraction() - 0.5) * faults.level.skewMs);
    this.clock = { now: () => scheduler.now() + skewMs, sleep: (ms) => this.wait(ms) };
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** Calls `tell` when the process dies during the invocation. */
  whenItDies(tell: (why: string) => void): void {
    this.#onDeath = tell;
  }

  kill(why: string): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.diedMs = this.#world.scheduler.now();
    this.#world.scheduler.note(this.name, why);
    this.#onDeath(why);
  }

  /** Suspends the process. Lambda runs nothing between a response and the next invocation. */
  suspend(): void {
    this.#suspended ??= [];
  }

  /**
   * Starts an invocation. A process that takes one runs, even if a call of the last one was
   * suspended for longer.
   */
  resume(): void {
    const waiting = this.#suspended ?? [];
    this.#suspended = undefined;
    this.#frozenUntilMs = 0;
    for (const tell of waiting) this.#answer(0, tell);
  }

  /** Returns a latency: mostly short, sometimes long. */
  #hopMs(): number {
    const { random } = this;
    return random.chance(0.02) ? random.below(1_500) : 1 + random.below(12);
  }

  #fateOf(possible: readonly Fate[]): Fate {
    this.#calls += 1;
    const fate = this.#world.faults.fate(possible, `${this.name}/${this.#calls}`, this.#world.scheduler.now(), this.random);
    if (fate !== 'done') this.faults += 1;
    return fate;
  }

  /** Delivers a response when the process is not suspended; never if it is dead. */
  #answer(delayMs: number, tell: () => void): void {
    const { scheduler } = this.#world;
    scheduler.after(delayMs, () => {
      if (!this.#alive) return;
      if (this.#suspended) this.#suspended.push(tell);
      else if (this.#frozenUntilMs > scheduler.now()) this.#answer(this.#frozenUntilMs - scheduler.now(), tell);
      else tell();
    });
  }

  /** Makes a call. Its latency and fate are drawn from the seed. */
  call<Result>(outside: Outside<Result>): Promise<Result> {
    const { scheduler } = this.#world;
    if (!this.#alive) return new Promise(() => undefined); // a dead process never gets a response
    const fate = this.#fateOf(outside.faults);
    return new Promise<Result>((resolve, reject) => {
      scheduler.after(this.#hopMs(), () => {
        const arrive = (): void => this.#arrive(outside, fate, resolve, reject);
        // A sent call may still arrive after the process died or was suspended.
        const isGone = !this.#alive || this.#suspended !== undefined;
        if (!isGone || this.random.chance(0.5)) arrive();
        else if (this.#alive) this.#suspended?.push(arrive);
      });
    });
  }

  #arrive<Result>(outside: Outside<Result>, fate: Fate, resolve: (result: Result) => void, reject: (error: unknown) => void): void {
    const { scheduler } = this.#world;
    const { what } = outside;
    // The error contains no request data, as with a real client.
    const broken = () => reject(new BrokenConnection(`The connection broke: ${fate}.`));
    if (fate === 'dies before') {
      this.kill(`dies before ${textOf(what)}`);
      return;
    }
    scheduler.note(this.name, fate === 'done' ? what : () => `${textOf(what)}  [${fate}]`);
    if (fate === 'late') this.#haunt(outside);
    if (fate === 'late' || fate === 'never sent') {
      this.#answer(fate === 'late' ? clientPatienceMs : this.#hopMs(), broken);
      return;
    }
    try {
      const result = outside.carry(isRejection(fate) ? fate : undefined);
      if (fate === 'dies after') this.kill(`dies after ${textOf(what)}`);
      if (fate === 'freezes') {
        // Counted only now: the call may be one that an earlier invocation left behind.
        this.freezes += 1;
        this.#frozenUntilMs = scheduler.now() + this.random.below(longestFreezeMs);
      }
      this.#answer(outside.tookMs?.(result) ?? this.#hopMs(), fate === 'answer lost' ? broken : () => resolve(result));
    } catch (error) {
      if (error instanceof Unsupported) this.#world.notUnderstood.push(`${textOf(what)}: ${error.message}`);
      this.#answer(this.#hopMs(), () => reject(error));
    }
  }

  /** Executes a call after its caller gave up. */
  #haunt<Result>({ what, carry }: Outside<Result>): void {
    const { scheduler } = this.#world;
    scheduler.after(this.random.below(longestGhostMs), () => {
      scheduler.note(this.name, () => `${textOf(what)}  [carried out late]`);
      try {
        carry();
      } catch {
        // Nobody receives the result.
      }
    });
  }

  /** Waits. The process may be dead afterwards. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#answer(ms, resolve));
  }
}
