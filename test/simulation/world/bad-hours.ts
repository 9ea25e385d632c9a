import type { Process, World } from '../scheduler/process.ts';
import { weighsMore } from './calls.ts';
import { InvocationLost } from './functions.ts';

const longestUntilMs = 1_200_000;
/** Longer than the twenty receives of a message take, so that messages become dead letters. */
const leastMs = 2.2 * 3_600_000;
const mostMoreMs = 1_800_000;

/**
 * Hours in which `deliver` makes no attempt, because it has lost its rights to endpoints, or Lambda
 * starts no process. They begin only in scenarios without an operator, because an operator redrives
 * the dead letters and so hides what the sweep forgets.
 */
export class BadHours {
  readonly #world: World;
  #untilMs = 0;
  #mayStart = true;

  constructor(world: World, isAttended: boolean) {
    this.#world = world;
    if (isAttended) return;
    const { scheduler, faults } = world;
    const random = scheduler.stream('bad hours');
    this.#mayStart = random.chance(0.6);
    scheduler.after(random.below(longestUntilMs), () => {
      const fault = this.#mayStart ? 'deliver loses its rights' : 'deliver never starts';
      if (faults.befalls(fault, 'deliver', faults.level.badHours, random))
        this.#untilMs = scheduler.now() + leastMs + random.below(mostMoreMs);
    });
  }

  get #areNow(): boolean {
    return this.#world.scheduler.now() < this.#untilMs;
  }

  /** Throws if Lambda starts no `deliver` now. */
  requireStart(): void {
    if (this.#areNow && !this.#mayStart) throw new InvocationLost('deliver never starts');
  }

  /** Throws if the process has no rights to the partitions now. */
  requireRights(process: Process, partitions: readonly string[]): void {
    if (!this.#areNow || !process.name.startsWith('deliver#') || !partitions.some((one) => one.startsWith('whe#'))) return;
    process.faults += 1;
    weighsMore(process);
    throw Object.assign(new Error('deliver may not use endpoints.'), { name: 'AccessDeniedException' });
  }
}
