import type { FaultSource } from '../scheduler/faults.ts';
import type { Random } from '../scheduler/random.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

const longestSpellMs = 20_000;

/**
 * Partitions that reject calls for a while, because on-demand capacity is limited per partition.
 */
export class HotPartitions {
  readonly #untilMs = new Map<string, number>();
  readonly #scheduler: Scheduler;
  readonly #faults: FaultSource;
  readonly #random: Random;
  #calls = 0;

  constructor(scheduler: Scheduler, faults: FaultSource) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#random = scheduler.stream('hot partitions');
  }

  /** Whether one of the partitions rejects calls now. */
  isRejecting(partitions: readonly string[]): boolean {
    this.#calls += 1;
    const nowMs = this.#scheduler.now();
    const [first] = partitions;
    const isNew = this.#faults.befalls('hot partition', `call ${this.#calls}`, this.#faults.level.hotPartitions, this.#random);
    if (isNew && first !== undefined) this.#untilMs.set(first, nowMs + this.#random.below(longestSpellMs));
    return this.#untilMs.size > 0 && partitions.some((partition) => (this.#untilMs.get(partition) ?? 0) > nowMs);
  }
}
