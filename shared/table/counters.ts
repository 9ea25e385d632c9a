import { ApiError, notFound } from '../core/errors.ts';
import { earliestId, timeOfId } from '../core/ids.ts';
import { orderMonth } from '../domain/order/record.ts';
import { type AccountChanges, type Accounts, LimitChanged } from './accounts.ts';
import type { Db, Item } from './client.ts';
import { attribute, type Change, type Expression, every, expr, showOld, update } from './expressions.ts';
import { partition } from './keys.ts';
import { type PartitionQuery, queryPages } from './query.ts';
import { sendUpdate, type Write } from './write.ts';

/*
 * How orders are counted against an account's order limit.
 *
 * Counting an order costs two write units, so only accounts with a limit count theirs. A limit can be
 * set at any time and must be exact at once, so the orders made before it are counted then:
 *
 *   1. Begin: every order that takes its number from now on counts itself in its own transaction.
 *   2. Wait: until each earlier order number is in the table, was given up, or is too old to come.
 *   3. Count: this month's orders with earlier numbers, deleted ones included. Their number is final.
 *   4. Complete: one transaction adds that number to the month's count and sets the limit.
 *
 * Removing the limit closes the counting: an order that still tries to count itself there fails, and
 * its request decides again. If a process dies before step 4, the account has no limit yet; the next
 * call that sets one continues the same counting.
 */

export interface OrderNumber {
  readonly number: number;
  /** Which counting the order is to be counted in; undefined where the account has no limit. */
  readonly counting: number | undefined;
}

/**
 * How an order is counted: below a limit; `unlimited` where the account was read without one, which no longer holds once the limit is
 * set; `regardless` where the order is made whatever the limit says.
 */
export interface Counted {
  readonly counting: number;
  readonly under: number | 'unlimited' | 'regardless';
}

/** Where the counting of an account's orders stands. */
export interface Counting {
  /** How many were begun so far; the last of them is this one. */
  readonly counting: number;
  /** `begun`: after step 1. `limited`: after step 4, there is a limit. Undefined: no order is counted. */
  readonly phase: 'begun' | 'limited' | undefined;
  /** The last number that was taken before the counting began, and when, in milliseconds. */
  readonly last: number;
  readonly lastMs: number;
  /** Orders up to this number are made or never will be: they were counted in a counting that is over. */
  readonly settled: number;
}

export interface Counters {
  /** The account's next order number: rises, and leaves a gap where the order then fails. */
  nextOrderNumber(account: string): Promise<OrderNumber>;
  /** Notes that no order will have the number: a limit that is set soon after does not wait for it. */
  giveUp(account: string, number: number): Promise<void>;
  /** Numbers given up in the minutes before that time and since. Consistent. */
  givenUp(account: string, ms: number): Promise<readonly number[]>;
  /** Orders created in the UTC month (`YYYY-MM`) of an account that has a limit. */
  ordersIn(account: string, month: string): Promise<number>;
  /** Counts one more order of the month; refuses with `limit_reached` at the limit. */
  orderCountWrite(account: string, month: string, counted: Counted): Write;
  /** Of an account that is opened with a limit. */
  openWrite(account: string): Write;
  counting(account: string): Promise<Counting>;
  /** Begins a counting; refuses where another began since `before` was read. */
  begin(account: string, before: Counting): Promise<Counting>;
}

export interface OrderLimits {
  /** The writes of a change of an account, its limit included; refuses as stale where the limit was changed at the same time. */
  changeWrites(account: string, changes: AccountChanges): Promise<readonly Write[]>;
  /** Orders of the UTC month of an account without a limit, deleted ones included, counted up to `most`. */
  countUpTo(account: string, month: string, most: number): Promise<number>;
}

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
const numberKey = (account: string) => key(account, 'order_number');
const monthKey = (account: string, month: string) => key(account, `orders_${month}`);
/** Numbers that were given up are noted by spans of time, so that no record of them grows for ever. */
const spanMs = 300_000;
const givenUpKey = (account: string, span: number) => key(account, `given_up_${span}`);
/** A month's record has a member for each counting that was under way in it, and marks those that were completed in it. */
const countName = (counting: number): string => `count_${counting}`;
const completeName = (counting: number): string => `complete_${counting}`;
const closedName = (counting: number): string => `closed_${counting}`;

/** § Errors, `limit_reached`: retrying does not help until the month rolls or the plan changes. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached.", { extra: { limit: 'orders_per_month', current, max } });

const decode = (item: Item = {}): Counting => ({
  counting: (item['counting'] as number | undefined) ?? 0,
  phase: item['phase'] as Counting['phase'],
  last: (item['last'] as number | undefined) ?? 0,
  lastMs: (item['last_ms'] as number | undefined) ?? 0,
  settled: (item['settled'] as number | undefined) ?? 0,
});

/** Functions that make orders run 29 s at most: an order whose number was taken longer ago than this is made by now, or never will be. */
const longestMakingMs = 35_000;
const lookEveryMs = 250;

const refuse = (): Error => new LimitChanged();

const orderCountWrite = (table: string, account: string, month: string, { counting, under }: Counted): Write => {
  const count = attribute(countName(counting));
  const addOne = (condition?: Expression) =>
    update(table, monthKey(account, month), {
      add: { [countName(counting)]: 1 },
      where: every(expr`attribute_not_exists(${attribute(closedName(counting))})`, condition),
    });
  if (under === 'regardless') return { item: { Update: addOne() }, refuse };
  if (under === 'unlimited') return { item: { Update: addOne(expr`attribute_not_exists(${attribute(completeName(counting))})`) }, refuse };
  // A limit of 0 lets not even the first one through.
  const isBelow = under > 0 ? expr`attribute_not_exists(${count}) OR ${count} < ${under}` : expr`${count} < ${under}`;
  return {
    item: { Update: { ...addOne(isBelow), ...showOld } },
    refuse: (old) =>
      old?.[closedName(counting)] ? refuse() : limitReached((old?.[countName(counting)] as number | undefined) ?? 0, under),
  };
};

/** Adds the orders that were made before the counting began, by month; refuses if it is over. */
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

/** Ends the counting that was read; refuses if another was begun since. */
const stopWrites = (table: string, account: string, { counting, phase }: Counting, month: string): readonly Write[] => [
  {
    item: {
      Update: update(table, numberKey(account), {
        // Of a counting that was completed every order is made or closed out; of one that was only begun there may be earlier ones.
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

export const openCounters = (db: Db): Counters => {
  const changeNumber = (account: string, change: Change) =>
    sendUpdate(db, { ...update(db.table, numberKey(account), change), ReturnValues: 'ALL_NEW' });

  return {
    async nextOrderNumber(account) {
      const item = await changeNumber(account, { add: { value: 1 }, set: { taken_ms: db.clock.now() } });
      const { counting, phase } = decode(item);
      return { number: item?.['value'] as number, counting: phase && counting };
    },
    async giveUp(account, number) {
      const span = Math.floor(db.clock.now() / spanMs);
      const change = { add: { numbers: new Set([number]) }, set: { expires_at: ((span + 3) * spanMs) / 1000 } };
      await sendUpdate(db, update(db.table, givenUpKey(account, span), change));
    },
    async givenUp(account, ms) {
      const first = Math.floor(ms / spanMs) - 1;
      const spans = Array.from({ length: Math.floor(db.clock.now() / spanMs) - first + 1 }, (_, i) => first + i);
      const notes = await Promise.all(spans.map((span) => db.get(givenUpKey(account, span))));
      return notes.flatMap((note) => [...((note?.['numbers'] as ReadonlySet<number> | undefined) ?? [])]);
    },
    async ordersIn(account, month) {
      const [numbers, counts] = await Promise.all([db.get(numberKey(account)), db.get(monthKey(account, month))]);
      return (counts?.[countName(decode(numbers).counting)] as number | undefined) ?? 0;
    },
    orderCountWrite: (...of) => orderCountWrite(db.table, ...of),
    openWrite: (account) => ({
      item: { Put: { TableName: db.table, Item: { ...numberKey(account), value: 0, counting: 1, phase: 'limited' } } },
    }),
    counting: async (account) => decode(await db.get(numberKey(account))),
    async begin(account, { counting }) {
      const item = await changeNumber(account, {
        // A SET reads what stood before: last number and fence are of one moment.
        set: {
          phase: 'begun',
          counting: counting + 1,
          last: expr`if_not_exists(value, ${0})`,
          last_ms: expr`if_not_exists(taken_ms, ${0})`,
        },
        where: every(
          expr`attribute_not_exists(phase)`,
          counting === 0 ? expr`attribute_not_exists(counting)` : expr`counting = ${counting}`,
        ),
      });
      if (!item) throw new LimitChanged();
      return decode(item);
    },
  };
};

const ordersOf = (db: Db, account: string, query: Omit<PartitionQuery, 'partition'>) =>
  queryPages(db, { partition: partition('order', account), ...query });
const since = (month: string) => {
  const start = earliestId('ord', Date.parse(`${month}-01T00:00:00.000Z`));
  return (sk: Expression): Expression => expr`${sk} >= ${start}`;
};

/** Orders up to the last number, by month: of this one, and of the next where another clock is in it already. */
const countMade = async (db: Db, account: string, last: number): Promise<ReadonlyMap<string, number>> => {
  const month = orderMonth(db.clock.now());
  const made = new Map([[month, 0]]);
  const ofMonth = ordersOf(db, account, { range: since(month), filter: expr`view.order_number <= ${last}`, only: expr`sk` });
  for await (const { Items = [] } of ofMonth) {
    for (const { sk } of Items) {
      const its = orderMonth(timeOfId(String(sk)));
      made.set(its, (made.get(its) ?? 0) + 1);
    }
  }
  return made;
};

export const openOrderLimits = (db: Db, accounts: Accounts, counters: Counters): OrderLimits => {
  /** Whether a number up to the last is neither in the table nor given up, and not so old that its order never comes. */
  const isOneMissing = async (account: string, { last, lastMs, ...counting }: Counting): Promise<boolean> => {
    // An order from before took its number, at the latest, when none of those in flight had begun.
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
    for (let waitedMs = 0; waitedMs < leftMs; waitedMs += lookEveryMs) {
      if (!(await isOneMissing(account, counting))) return;
      await db.clock.sleep(lookEveryMs);
    }
  };

  return {
    async changeWrites(account, changes) {
      const { order_limit: limit } = changes;
      if (limit === undefined) return [accounts.updateWrite(account, changes)];
      // Read before the account: a limit that is set between the two reads shows in the account, and one that is set or removed later ends this counting.
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
