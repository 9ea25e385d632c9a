import { randomText } from '../core/random.ts';
import type { Db, ItemKey } from './client.ts';
import { expr } from './expressions.ts';
import { nowSeconds, partition } from './keys.ts';
import { deleteItem, putItem, sendAlone } from './write.ts';

/**
 * Maximum number of searches at once in the region. AWS runs at most 30 queries at once per account
 * and region, and operators need some of them.
 */
export const maxSearches = 10;
/** Maximum number of searches at once of one account, so that it leaves slots to the others. */
export const maxSearchesPerAccount = 3;
/**
 * Duration of a slot's lease, longer than a search takes. If a process dies, its slot becomes free
 * after this time.
 */
const leaseMs = 40_000;

/** The pool of the region's slots. */
export const regionPool = 'requests';

/** Slots that limit how many searches run at once. */
export const openSearchSlots = (db: Db) => {
  const take = async (pool: string, max: number, lease: string): Promise<ItemKey | undefined> => {
    const nowMs = db.clock.now();
    const first = Math.floor(db.random.fraction() * max);
    const isFree = expr`attribute_not_exists(pk) OR until_ms < ${nowMs}`;
    for (let i = 0; i < max; i++) {
      const key = { pk: partition('searchSlot', pool), sk: String((first + i) % max) };
      const item = { ...key, lease, until_ms: nowMs + leaseMs, expires_at: nowSeconds(nowMs + leaseMs) };
      const { done } = await sendAlone(db, putItem(db, item, { where: isFree }));
      if (done) return key;
    }
    return undefined;
  };

  return {
    /**
     * Runs the work in a free slot of the pool, which is an account or the region. Returns undefined if
     * `max` slots are taken.
     */
    async runInSlot<Result>(pool: string, max: number, work: () => Promise<Result>): Promise<Result | undefined> {
      const lease = randomText(db.random, 8);
      const key = await take(pool, max, lease);
      if (!key) return undefined;
      try {
        return await work();
      } finally {
        // If the deletion fails, the slot becomes free when its lease ends.
        await sendAlone(db, deleteItem(db, { ...key }, { where: expr`lease = ${lease}` })).catch(() => {});
      }
    },
  };
};
