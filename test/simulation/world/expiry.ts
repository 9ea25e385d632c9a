import { schema } from '../../../shared/table/schema.ts';
import type { Table } from '../engine/table.ts';
import type { World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';

const aboutEveryMs = 2 * 3_600_000;
const removedPerRound = 0.3;

/** Time to live: removes expired items some hours later, at different times. */
export class Expiry {
  readonly #world: World;
  readonly #tables: readonly Table[];
  readonly #removed: () => void;
  readonly #random: Random;

  /** `removed` runs after every round. */
  constructor(world: World, tables: readonly Table[], removed: () => void) {
    this.#world = world;
    this.#tables = tables;
    this.#removed = removed;
    this.#random = world.scheduler.stream('expiry');
    this.#later();
  }

  #later(): void {
    this.#world.scheduler.after(this.#random.below(2 * aboutEveryMs), () => {
      for (const table of this.#tables) this.#remove(table);
      this.#removed();
      this.#later();
    });
  }

  #remove(table: Table): void {
    const nowMs = this.#world.scheduler.now();
    const isOver = (expiry: unknown): boolean => typeof expiry === 'number' && expiry * 1000 < nowMs;
    const expired = [...table.items()].filter((item) => isOver(item[schema.ttlAttribute]) && this.#random.chance(removedPerRound));
    for (const item of expired) table.write(table.keyOf(item, false), undefined, nowMs);
  }
}
