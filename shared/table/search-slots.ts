import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomText } from '../core/random.ts';
import type { Db } from './client.ts';
import { expr, where } from './expressions.ts';
import { nowSeconds, partition } from './keys.ts';
import { sendAlone } from './write.ts';

/**
 * Maximum number of searches at once. AWS runs at most 30 queries at once per account and region,
 * and operators need some of them.
 */
export const mostSearches = 10;
/**
 * Duration of a slot's lease, longer than a search takes. If a process dies, its slot becomes free
 * after this time.
 */
const leaseMs = 40_000;

/** Slots that limit how many searches run at once in the region. */
interface SearchSlots {
  /** Runs the work in a free slot. Returns undefined if all slots are taken. */
  within<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
}

export const openSearchSlots = (db: Db): SearchSlots => {
  const keyOf = (slot: number) => ({ pk: partition('searchSlot', 'requests'), sk: String(slot) });

  const take = async (lease: string): Promise<number | undefined> => {
    const nowMs = db.clock.now();
    const first = Math.floor(db.random.fraction() * mostSearches);
    const isFree = expr`attribute_not_exists(pk) OR until_ms < ${nowMs}`;
    for (let i = 0; i < mostSearches; i++) {
      const slot = (first + i) % mostSearches;
      const Item = { ...keyOf(slot), lease, until_ms: nowMs + leaseMs, expires_at: nowSeconds(nowMs + leaseMs) };
      const { done } = await sendAlone(db, new PutCommand({ TableName: db.table, Item, ...where(isFree) }));
      if (done) return slot;
    }
    return undefined;
  };

  return {
    async within(work) {
      const lease = randomText(db.random, 8);
      const slot = await take(lease);
      if (slot === undefined) return undefined;
      try {
        return await work();
      } finally {
        const own = where(expr`lease = ${lease}`);
        // If the deletion fails, the slot becomes free when its lease ends.
        await db.client.send(new DeleteCommand({ TableName: db.table, Key: keyOf(slot), ...own })).catch(() => {});
      }
    },
  };
};
