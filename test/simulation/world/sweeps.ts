import { sweepSchedule } from '../../../functions/event-sources.ts';
import type { World } from '../scheduler/process.ts';
import type { QueueModel } from './queue.ts';

export interface SweepRun {
  readonly beganMs: number;
  readonly endedMs: number;
  /** Whether the run ended without a failure. */
  readonly isWhole: boolean;
}

const longestDelayMs = 20_000;

/**
 * The schedule of the sweep: every five minutes, slightly late, sometimes twice or not at all. A
 * failed run is reported in a queue and not repeated.
 */
export class Sweeps {
  readonly runs: SweepRun[] = [];
  readonly #world: World;
  readonly #failures: QueueModel;
  readonly #invoke: () => Promise<unknown>;
  #isOn = true;
  #everyMinutes = sweepSchedule.everyMinutes;

  constructor(world: World, failures: QueueModel, invoke: () => Promise<unknown>) {
    this.#world = world;
    this.#failures = failures;
    this.#invoke = invoke;
    this.#beginAnew(0);
  }

  /** Starts no more runs. */
  stop(): void {
    this.#isOn = false;
  }

  /** Leaves out most runs from now on. They would find nothing and make half of all calls. */
  slowDown(): void {
    this.#everyMinutes *= 6;
  }

  #beginAnew(turn: number): void {
    const { scheduler, faults } = this.#world;
    const random = scheduler.stream(`sweep ${turn}`);
    scheduler.after(this.#everyMinutes * 60_000, () => {
      if (!this.#isOn) return;
      this.#beginAnew(turn + 1);
      if (faults.befalls('schedule never fires', `sweep ${turn}`, faults.level.lostSchedules, random)) return this.#fail('{}');
      const delayMs = random.below(longestDelayMs);
      scheduler.after(delayMs, () => void this.run());
      if (faults.befalls('schedule fires twice', `sweep ${turn}`, faults.level.repeats, random))
        scheduler.after(delayMs + random.below(longestDelayMs), () => void this.run());
    });
  }

  #fail(body: string): void {
    this.#failures.put({ body });
  }

  async run(): Promise<void> {
    const { scheduler } = this.#world;
    const beganMs = scheduler.now();
    const isWhole = await this.#invoke().then(
      () => true,
      () => false,
    );
    this.runs.push({ beganMs, endedMs: scheduler.now(), isWhole });
    if (!isWhole) this.#fail(JSON.stringify({ requestPayload: {}, requestContext: { condition: 'RetriesExhausted' } }));
  }
}
