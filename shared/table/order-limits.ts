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
 * How an account gets an order limit. A count in every order would cost two write units, so only accounts with a limit count their
 * orders. Setting a limit therefore starts a counting, which makes the month's count exact in four steps:
 *
 *   1. Begin: the number record says that a counting runs. Each order that takes its number from now on counts itself in its transaction.
 *   2. Wait: orders that took an earlier number may still be under way. Wait until each is stored or given up, 35 s at most.
 *   3. Count: read the month's orders with earlier numbers, deleted ones too. Their number can no longer change.
 *   4. Complete: one transaction adds that count to the month and sets the limit.
 *
 * Removing the limit closes the counting: orders that took their number in it fail as stale and take a new one. If a process dies, the
 * account has no limit yet; the next call continues the same counting.
 */
export interface OrderLimits {
  /** Returns the writes of a change of an account, its limit included. They fail as stale if the limit changed meanwhile. */
  changeWrites(account: string, changes: AccountChanges): Promise<readonly Write[]>;
  /** Counts the orders of a UTC month, deleted ones included, up to `most`. For accounts without a limit. */
  countUpTo(account: string, month: string, most: number): Promise<number>;
}

/** Functions that make orders run 29 s at most. An order that took its number earlier than this is stored or never will be. */
const longestMakingMs = 35_000;
const readEveryMs = 250;

const monthStartMs = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`);

export const openOrderLimits = (db: Db, accounts: Accounts, counters: Counters): OrderLimits => {
  const pages = (account: string, query: Omit<PartitionQuery, 'partition'>) =>
    queryPages(db, { partition: partition('order', account), ...query });
  const since =
    (month: string) =>
    (sk: Expression): Expression =>
      expr`${sk} >= ${earliestId('ord', monthStartMs(month))}`;

  /** Whether the order of a number up to `last` may still be under way. */
  const isOneMissing = async (account: string, { last, lastMs, ...counting }: Counting): Promise<boolean> => {
    // An older order took its number before any order that is still under way began.
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
    for (let waitedMs = 0; waitedMs < leftMs; waitedMs += readEveryMs) {
      if (!(await isOneMissing(account, counting))) return;
      await db.clock.sleep(readEveryMs);
    }
  };

  /** Counts the stored orders up to the last number, by month: this month, and the next if another clock is already in it. */
  const countMade = async (account: string, last: number): Promise<ReadonlyMap<string, number>> => {
    const month = orderMonth(db.clock.now());
    const made = new Map([[month, 0]]);
    const ofMonth = pages(account, { range: since(month), filter: expr`view.order_number <= ${last}`, only: expr`sk` });
    for await (const { Items = [] } of ofMonth) {
      for (const { sk } of Items) {
        const itsMonth = orderMonth(timeOfId(String(sk)));
        made.set(itsMonth, (made.get(itsMonth) ?? 0) + 1);
      }
    }
    return made;
  };

  return {
    async changeWrites(account, changes) {
      const { order_limit: limit } = changes;
      if (limit === undefined) return [accounts.updateWrite(account, changes)];
      // Read before the account: the account shows a limit that is set between the reads, and a later change ends this counting.
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
