import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomText } from '../core/random.ts';
import type { Db, ItemKey } from './client.ts';
import { expr, where } from './expressions.ts';
import { nowSeconds, partition } from './keys.ts';
import { sendAlone } from './write.ts';

/**
 * Maximum number of searches at once in the region. AWS runs at most 30 queries at once per account
 * and region, and operators need some of them.
 */
export const mostSearches = 10;
/** Maximum number of searches at once of one account, so that it leaves slots to the others. */
export const mostSearchesOfAccount = 3;
/**
 * Duration of a slot's lease, longer than a search takes. If a process dies, its slot becomes free
 * after this time.
 */
const leaseMs = 40_000;

/** The pool of the region's slots. */
export const regionPool = 'requests';

/** Slots that limit how many searches run at once. */
interface SearchSlots {
  /**
   * Runs the work in a free slot of the pool, which is an account or the region. Returns undefined if
   * `most` slots are taken.
   */
  within<Result>(pool: string, most: number, work: () => Promise<Result>): Promise<Result | undefined>;
}

export const openSearchSlots = (db: Db): SearchSlots => {
  const keyOf = (pool: string, slot: number) => ({ pk: partition('searchSlot', pool), sk: String(slot) });

  const take = async (pool: string, most: number, lease: string): Promise<ItemKey | undefined> => {
    const nowMs = db.clock.now();
    const first = Math.floor(db.random.fraction() * most);
    const isFree = expr`attribute_not_exists(pk) OR until_ms < ${nowMs}`;
    for (let i = 0; i < most; i++) {
      const key = keyOf(pool, (first + i) % most);
      const Item = { ...key, lease, until_ms: nowMs + leaseMs, expires_at: nowSeconds(nowMs + leaseMs) };
      const { done } = await sendAlone(db, new PutCommand({ TableName: db.table, Item, ...where(isFree) }));
      if (done) return key;
    }
    return undefined;
  };

  return {
    async within(pool, most, work) {
      const lease = randomText(db.random, 8);
      const Key = await take(pool, most, lease);
      if (!Key) return undefined;
      try {
        return await work();
      } finally {
        const own = where(expr`lease = ${lease}`);
        // If the deletion fails, the slot becomes free when its lease ends.
        await db.client.send(new DeleteCommand({ TableName: db.table, Key, ...own })).catch(() => {});
      }
    },
  };
};
