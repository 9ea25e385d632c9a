import { type Temperament, temperaments } from '../world/receivers.ts';
import { registerFor, remove, rotate } from './endpoint-actions.ts';
import { atWork, type Stage } from './person.ts';

/** A rare event type: most of these endpoints only count towards the limit. */
const seldom = ['quick_sale.deleted'];
const often = ['expense.created', 'order.created', 'expense.updated'];
const failing: readonly Temperament[] = ['broken', 'gone', 'resetting'];

/**
 * A program that in some scenarios registers more endpoints than the limit, deletes many, and
 * registers as many again.
 */
export const turnOver = async (stage: Stage): Promise<void> => {
  const { region, number } = stage;
  const name = `turnover-${number}`;
  const own = region.world.scheduler.stream(name);
  const mine: string[] = [];
  await atWork(stage, {
    name,
    actions: own.chance(0.15) ? 16 + own.below(8) : 0,
    pauseMs: (random) => (random.chance(0.1) ? random.below(400_000) : random.below(3_000)),
    async act(random, action) {
      // First registers up to the limit, then deletes and registers.
      const what = action < 11 || mine.length === 0 ? 'register' : random.weighted({ register: 6, remove: 5, rotate: 1 });
      if (what === 'register') {
        const isBusy = random.chance(0.25);
        const id = await registerFor(stage, name, isBusy ? often : seldom, random.pick(isBusy ? failing : temperaments));
        if (id !== undefined) mine.push(id);
        return;
      }
      const at = random.below(mine.length);
      if (what === 'rotate') return rotate(stage, name, mine[at] as string);
      const [id = ''] = mine.splice(at, 1);
      await remove(stage, name, id);
    },
  });
};
