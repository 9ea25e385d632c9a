import type { Clock } from '../../../shared/core/clock.ts';
import { Unsupported } from '../engine/values.ts';
import type { Fate, FaultSource } from './faults.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** A connection that broke: the call may have been carried out. */
export class BrokenConnection extends Error {
  override readonly name = 'TimeoutError';
}

/** Fates that the service itself deals out. */
const refusals = ['throttled', 'unavailable', 'conflict', 'in part'] as const satisfies readonly Fate[];
type Refusal = (typeof refusals)[number];
const isRefusal = (fate: Fate): fate is Refusal => (refusals as readonly Fate[]).includes(fate);

/**
 * How a call is carried out, and the faults of its service in addition to those of any connection.
 */
export interface Outside<Answer> {
  /** The call in the trace; a function if building the text takes work. */
  readonly what: string | (() => string);
  /** Carries the call out, at the moment it arrives. */
  readonly carry: (refusal?: Refusal) => Answer;
  readonly faults: readonly Fate[];
  /** From its arrival to the response; a few ms where absent. */
  readonly tookMs?: (answer: Answer) => number;
}

/** Faults of every call. */
export const connectionFates: readonly Fate[] = ['answer lost', 'never sent', 'dies before', 'dies after', 'freezes'];

const clientPatienceMs = 3_000;
const longestGhostMs = 10_000;
const longestFreezeMs = 100_000;

export interface World {
  readonly scheduler: Scheduler;
  readonly faults: FaultSource;
  /** Requests that the models do not know: nothing that follows proves anything. */
  readonly notUnderstood: string[];
}

const told = (what: string | (() => string)): string => (typeof what === 'string' ? what : what());

/** One instance of a function: it calls the outside, stands still, and dies. */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  /** Random numbers of the process, and of its faults. */
  readonly random: Random;
  /** How many of its calls met a fault, and how many of these stood still. */
  faults = 0;
  freezes = 0;
  /** Invocations so far. */
  invocations = 0;
  /** When the last of them began. */
  invokedMs = 0;
  diedMs: number | undefined;
  #alive = true;
  #calls = 0;
  #frozenUntilMs = 0;
  #onDeath: (why: string) => void = () => undefined;
  /** Responses that wait until the process resumes; undefined while it runs. */
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

  /** Calls back when the invocation's process dies. */
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

  /** Lambda lets nothing go on between a response and the next invocation. */
  suspend(): void {
    this.#suspended ??= [];
  }

  resume(): void {
    const waiting = this.#suspended ?? [];
    this.#suspended = undefined;
    for (const tell of waiting) this.#answer(0, tell);
  }

  /** A short time, and now and then a long one. */
  #hopMs(): number {
    const { random } = this;
    return random.chance(0.02) ? random.below(1_500) : 1 + random.below(12);
  }

  #fateOf(possible: readonly Fate[]): Fate {
    this.#calls += 1;
    const fate = this.#world.faults.fate(possible, `${this.name}/${this.#calls}`, this.#world.scheduler.now(), this.random);
    if (fate !== 'done') this.faults += 1;
    if (fate === 'freezes') this.freezes += 1;
    return fate;
  }

  /** Delivers a response as soon as the process is not frozen; never if it is dead. */
  #answer(delayMs: number, tell: () => void): void {
    const { scheduler } = this.#world;
    scheduler.after(delayMs, () => {
      if (!this.#alive) return;
      if (this.#suspended) this.#suspended.push(tell);
      else if (this.#frozenUntilMs > scheduler.now()) this.#answer(this.#frozenUntilMs - scheduler.now(), tell);
      else tell();
    });
  }

  /** Makes a call: its way there, its fate and the way back are drawn from the seed. */
  call<Answer>(outside: Outside<Answer>): Promise<Answer> {
    const { scheduler } = this.#world;
    if (!this.#alive) return new Promise(() => undefined); // a dead process never gets a response
    const fate = this.#fateOf(outside.faults);
    return new Promise<Answer>((resolve, reject) => {
      scheduler.after(this.#hopMs(), () => {
        const arrive = (): void => this.#arrive(outside, fate, resolve, reject);
        // A call that was on its way when the process died or froze may still arrive.
        const isGone = !this.#alive || this.#suspended !== undefined;
        if (!isGone || this.random.chance(0.5)) arrive();
        else if (this.#alive) this.#suspended?.push(arrive);
      });
    });
  }

  #arrive<Answer>(outside: Outside<Answer>, fate: Fate, resolve: (answer: Answer) => void, reject: (error: unknown) => void): void {
    const { scheduler } = this.#world;
    const { what } = outside;
    // No error of a real client holds what was sent.
    const broken = () => reject(new BrokenConnection(`The connection broke: ${fate}.`));
    if (fate === 'dies before') {
      this.kill(`dies before ${told(what)}`);
      return;
    }
    scheduler.note(this.name, fate === 'done' ? what : () => `${told(what)}  [${fate}]`);
    if (fate === 'late') this.#haunt(outside);
    if (fate === 'late' || fate === 'never sent') {
      this.#answer(fate === 'late' ? clientPatienceMs : this.#hopMs(), broken);
      return;
    }
    try {
      const answer = outside.carry(isRefusal(fate) ? fate : undefined);
      if (fate === 'dies after') this.kill(`dies after ${told(what)}`);
      if (fate === 'freezes') this.#frozenUntilMs = scheduler.now() + this.random.below(longestFreezeMs);
      this.#answer(outside.tookMs?.(answer) ?? this.#hopMs(), fate === 'answer lost' ? broken : () => resolve(answer));
    } catch (error) {
      if (error instanceof Unsupported) this.#world.notUnderstood.push(`${told(what)}: ${error.message}`);
      this.#answer(this.#hopMs(), () => reject(error));
    }
  }

  /** Carries out a call without a waiting caller. */
  #haunt<Answer>({ what, carry }: Outside<Answer>): void {
    const { scheduler } = this.#world;
    scheduler.after(this.random.below(longestGhostMs), () => {
      scheduler.note(this.name, () => `${told(what)}  [carried out late]`);
      try {
        carry();
      } catch {
        // The result is dropped.
      }
    });
  }

  /** Waits, as a process waits: it may be dead by then. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#answer(ms, resolve));
  }
}
