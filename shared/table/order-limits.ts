import { notFound } from '../core/errors.ts';
import { earliestId, timeOfId } from '../core/ids.ts';
import { orderMonth } from '../domain/order/record.ts';
import { type AccountChanges, type Accounts, LimitChanged } from './accounts.ts';
import type { Db, Item } from './client.ts';
import { type Counters, type Counting, closedName, completeName, countName, monthKey, numberKey, refuse } from './counters.ts';
import { attribute, type Expression, expr, update } from './expressions.ts';
import { partition } from './keys.ts';
import { type PartitionQuery, queryPages } from './query.ts';
import type { Write } from './write.ts';

/*
 * How orders are counted against an account's order limit.
 *
 * Counting an order costs two write units, so only accounts with a limit count theirs. A limit can
 * be set at any time and must be exact at once, so setting it counts the orders from before:
 *
 *   1. Begin: each order that takes its number from now on counts itself in its own transaction.
 *   2. Wait until each earlier number is stored, was given up, or is too old to come: 35 s at most.
 *   3. Count this month's orders with earlier numbers, deleted ones too. Their count is final.
 *   4. Complete: one transaction adds that count to the month's and sets the limit.
 *
 * Removing the limit closes the counting: an order that still tries to count itself there fails,
 * and its request decides again. If a process dies before step 4, the account has no limit yet; the
 * next call that sets one continues the same counting.
 */

interface OrderLimits {
  /**
   * Returns the writes of a change of an account, its limit included. They fail as stale if the
   * limit changed meanwhile.
   */
  changeWrites(account: string, changes: AccountChanges): Promise<readonly Write[]>;
  /**
   * Counts the orders of a UTC month, deleted ones included, up to `most`. For accounts without a
   * limit.
   */
  countUpTo(account: string, month: string, most: number): Promise<number>;
}

/**
 * A function that creates orders runs for 29 s at most. An order that took its number longer ago
 * than this is stored or will never exist.
 */
const longestMakingMs = 35_000;
const readEveryMs = 250;

/**
 * Returns the writes that complete a counting with the orders from before it began, by month. They
 * fail if the counting is closed.
 */
const completeWrites = (table: string, account: string, counting: number, made: ReadonlyMap<string, number>): readonly Write[] => [
  {
    item: {
      Update: update(table, numberKey(account), {
        set: { phase: 'limited' },
        where: expr`phase = ${'begun'} AND counting = ${counting}`,
      }),
    },
    refuse,
  },
  ...[...made].map(
    ([month, count]): Write => ({
      item: {
        Update: update(table, monthKey(account, month), {
          set: {
            [countName(counting)]: expr`if_not_exists(${attribute(countName(counting))}, ${0}) + ${count}`,
            [completeName(counting)]: true,
          },
        }),
      },
    }),
  ),
];

/**
 * Returns the writes that close a counting. They fail if another counting began since it was read.
 */
const stopWrites = (table: string, account: string, { counting, phase }: Counting, month: string): readonly Write[] => [
  {
    item: {
      Update: update(table, numberKey(account), {
        // In a complete counting, every earlier order is stored or has failed. In a counting that
        // only began, earlier orders may still be running.
        set: { settled: phase === 'limited' ? expr`if_not_exists(value, ${0})` : undefined },
        remove: ['phase'],
        where: phase === undefined ? expr`attribute_not_exists(phase)` : expr`phase = ${phase} AND counting = ${counting}`,
      }),
    },
    refuse,
  },
  ...(phase === undefined
    ? []
    : [{ item: { Update: update(table, monthKey(account, month), { set: { [closedName(counting)]: true } }) } }]),
];

const ordersOf = (db: Db, account: string, query: Omit<PartitionQuery, 'partition'>) =>
  queryPages(db, { partition: partition('order', account), ...query });
const since = (month: string) => {
  const start = earliestId('ord', Date.parse(`${month}-01T00:00:00.000Z`));
  return (sk: Expression): Expression => expr`${sk} >= ${start}`;
};

/**
 * Counts the stored orders up to the last number, by month: the present month, and the next one if
 * another function's clock is already in it.
 */
const countMade = async (db: Db, account: string, last: number): Promise<ReadonlyMap<string, number>> => {
  const month = orderMonth(db.clock.now());
  const made = new Map([[month, 0]]);
  const ofMonth = ordersOf(db, account, { range: since(month), filter: expr`view.order_number <= ${last}`, only: expr`sk` });
  for await (const { Items = [] } of ofMonth) {
    for (const { sk } of Items) {
      const itsMonth = orderMonth(timeOfId(String(sk)));
      made.set(itsMonth, (made.get(itsMonth) ?? 0) + 1);
    }
  }
  return made;
};

export const openOrderLimits = (db: Db, accounts: Accounts, counters: Counters): OrderLimits => {
  /** Whether an order with a number up to `last` may still be running. */
  const isOneMissing = async (account: string, { last, lastMs, ...counting }: Counting): Promise<boolean> => {
    // Orders from before this time cannot still be running.
    const sinceMs = lastMs - 2 * longestMakingMs;
    const seen = new Set(await counters.givenUp(account, lastMs));
    const recent = ordersOf(db, account, { only: expr`sk, view.order_number`, ScanIndexForward: false });
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

  return {
    async changeWrites(account, changes) {
      const { order_limit: limit } = changes;
      if (limit === undefined) return [accounts.updateWrite(account, changes)];
      // The counting is read before the account. A limit that is set between the two reads is then
      // seen in the account, and a later change ends this counting.
      const before = await counters.counting(account);
      if (limit === null) {
        const month = orderMonth(db.clock.now());
        return [accounts.updateWrite(account, changes), ...stopWrites(db.table, account, before, month)];
      }
      const current = await accounts.get(account);
      if (!current) throw notFound('Account');
      if (current.order_limit !== null) return [accounts.replaceLimitWrite(account, changes)];
      if (before.phase === 'limited') throw new LimitChanged();
      const counting = before.phase === 'begun' ? before : await counters.begin(account, before);
      await waitForOrdersInFlight(account, counting);
      const made = await countMade(db, account, counting.last);
      return [accounts.updateWrite(account, changes), ...completeWrites(db.table, account, counting.counting, made)];
    },
    async countUpTo(account, month, most) {
      let count = 0;
      const ofMonth = ordersOf(db, account, { range: since(month), Select: 'COUNT', ConsistentRead: false });
      for await (const { Count = 0 } of ofMonth) {
        count += Count;
        if (count >= most) return most;
      }
      return count;
    },
  };
};
