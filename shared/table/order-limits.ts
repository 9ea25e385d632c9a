import { notFound } from '../core/errors.ts';
import { earliestId, timeOfId } from '../core/ids.ts';
import { orderMonth } from '../domain/order/record.ts';
import type { AccountChanges, Accounts } from './accounts.ts';
import type { Db, Item } from './client.ts';
import { type Counters, type Counting, LimitChanged } from './counters.ts';
import { type Expression, expr } from './expressions.ts';
import { partition } from './keys.ts';
import { type PartitionQuery, queryPages } from './query.ts';
import type { Write } from './write.ts';

/**
 * A limit that is set is exact at once, though no order was counted before:
 *
 *   1. A counting begins: whoever takes an order number from then on counts the order in its transaction.
 *   2. Orders in flight are waited for: those with an earlier number that are not in the table yet and were not given up.
 *   3. The month's orders with earlier numbers are counted from the table, deleted ones included. Nothing changes their number any more.
 *   4. One transaction adds that to the month's count and sets the limit.
 *
 * Where a process dies on the way, the account is left without a limit, and the next call goes on with the same counting.
 */
export interface OrderLimits {
  /** The writes of a change of an account, its limit included; refuses as stale where the limit was changed at the same time. */
  changeWrites(account: string, changes: AccountChanges): Promise<readonly Write[]>;
  /** Orders of the UTC month of an account without a limit, deleted ones included, counted up to `most`. */
  countUpTo(account: string, month: string, most: number): Promise<number>;
}

/** Functions that make orders run 29 s at most: an order whose number was taken longer ago than this is made by now, or never will be. */
const longestMakingMs = 35_000;
const lookEveryMs = 250;

const monthStartMs = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`);

export const openOrderLimits = (db: Db, accounts: Accounts, counters: Counters): OrderLimits => {
  const pages = (account: string, query: Omit<PartitionQuery, 'partition'>) =>
    queryPages(db, { partition: partition('order', account), ...query });
  const since =
    (month: string) =>
    (sk: Expression): Expression =>
      expr`${sk} >= ${earliestId('ord', monthStartMs(month))}`;

  /** Whether a number up to the last is neither in the table nor given up, and not so old that its order never comes. */
  const isOneMissing = async (account: string, { last, lastMs, ...counting }: Counting): Promise<boolean> => {
    // An order from before took its number, at the latest, when none of those in flight had begun.
    const sinceMs = lastMs - 2 * longestMakingMs;
    const seen = new Set(await counters.givenUp(account, lastMs));
    const recent = pages(account, { only: expr`sk, view.order_number`, ScanIndexForward: false });
    let { settled } = counting;
    reading: for await (const { Items = [] } of recent) {
      for (const { sk, view } of Items) {
        const number = (view as Item)['order_number'] as number;
        if (timeOfId(String(sk)) < sinceMs) {
          settled = Math.max(settled, number);
          break reading;
        }
        seen.add(number);
      }
    }
    for (let number = settled + 1; number <= last; number++) if (!seen.has(number)) return true;
    return false;
  };

  const waitForOrdersInFlight = async (account: string, counting: Counting): Promise<void> => {
    const leftMs = counting.lastMs + longestMakingMs - db.clock.now();
    for (let waitedMs = 0; waitedMs < leftMs; waitedMs += lookEveryMs) {
      if (!(await isOneMissing(account, counting))) return;
      await db.clock.sleep(lookEveryMs);
    }
  };

  /** Orders up to the last number, by month: of this one, and of the next where another clock is in it already. */
  const countMade = async (account: string, last: number): Promise<ReadonlyMap<string, number>> => {
    const month = orderMonth(db.clock.now());
    const made = new Map([[month, 0]]);
    const ofMonth = pages(account, { range: since(month), filter: expr`view.order_number <= ${last}`, only: expr`sk` });
    for await (const { Items = [] } of ofMonth) {
      for (const { sk } of Items) {
        const its = orderMonth(timeOfId(String(sk)));
        made.set(its, (made.get(its) ?? 0) + 1);
      }
    }
    return made;
  };

  return {
    async changeWrites(account, changes) {
      const { order_limit: limit } = changes;
      if (limit === undefined) return [accounts.updateWrite(account, changes)];
      // Read before the account: a limit that is set between the two reads shows in the account, and one that is set or removed later ends this counting.
      const before = await counters.counting(account);
      if (limit === null) {
        const month = orderMonth(db.clock.now());
        return [accounts.updateWrite(account, changes), ...counters.stopWrites(account, before, month)];
      }
      const current = await accounts.get(account);
      if (!current) throw notFound('Account');
      if (current.order_limit !== null) return [accounts.replaceLimitWrite(account, changes)];
      if (before.phase === 'limited') throw new LimitChanged();
      const counting = before.phase === 'begun' ? before : await counters.begin(account, before);
      await waitForOrdersInFlight(account, counting);
      const made = await countMade(account, counting.last);
      return [accounts.updateWrite(account, changes), ...counters.completeWrites(account, counting.counting, made)];
    },
    async countUpTo(account, month, most) {
      let count = 0;
      const ofMonth = pages(account, { range: since(month), Select: 'COUNT', ConsistentRead: false });
      for await (const { Count = 0 } of ofMonth) {
        count += Count;
        if (count >= most) return most;
      }
      return count;
    },
  };
};
