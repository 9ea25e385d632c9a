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

export interface OrderNumber {
  readonly number: number;
  /** The counting that counts the order; undefined if the account has no limit. */
  readonly counting: number | undefined;
}

/**
 * How an order is counted: `under` a limit; `unlimited` if the account had none when it was read,
 * which fails once a limit is set; `regardless` of any limit.
 */
export interface Counted {
  readonly counting: number;
  readonly under: number | 'unlimited' | 'regardless';
}

/** State of the counting of an account's orders. */
export interface Counting {
  /** Number of this counting. */
  readonly counting: number;
  /**
   * `begun`: after step 1. `limited`: after step 4, there is a limit. Undefined: no order is
   * counted.
   */
  readonly phase: 'begun' | 'limited' | undefined;
  /** The last number before the counting began, and when it was taken, in milliseconds. */
  readonly last: number;
  readonly lastMs: number;
  /** Orders up to this number are stored or never will be; an earlier counting counted them. */
  readonly settled: number;
}

export interface Counters {
  /** Returns the next order number. If the order fails, its number leaves a gap. */
  nextOrderNumber(account: string): Promise<OrderNumber>;
  /** Records that no order will have the number, so that setting a limit does not wait for it. */
  giveUp(account: string, number: number): Promise<void>;
  /**
   * Returns the numbers that were given up since some minutes before that time. Reads consistently.
   */
  givenUp(account: string, ms: number): Promise<readonly number[]>;
  /** Returns the count of the UTC month (`YYYY-MM`). For accounts with a limit. */
  ordersIn(account: string, month: string): Promise<number>;
  /** Counts an order. Fails with `limit_reached` at the limit. */
  orderCountWrite(account: string, month: string, counted: Counted): Write;
  /** Opens the counting of a new account with a limit. */
  openWrite(account: string): Write;
  counting(account: string): Promise<Counting>;
  /** Begins a counting. Fails if another began since `before` was read. */
  begin(account: string, before: Counting): Promise<Counting>;
}

export interface OrderLimits {
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

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
const numberKey = (account: string) => key(account, 'order_number');
const monthKey = (account: string, month: string) => key(account, `orders_${month}`);
/** Numbers that were given up are stored by time span, so that no record grows without bound. */
const spanMs = 300_000;
const givenUpKey = (account: string, span: number) => key(account, `given_up_${span}`);
/**
 * A month's record has a count for each counting of the month, and marks for those that were
 * completed or closed.
 */
const countName = (counting: number): string => `count_${counting}`;
const completeName = (counting: number): string => `complete_${counting}`;
const closedName = (counting: number): string => `closed_${counting}`;

/** § Errors, `limit_reached`: a retry fails until the next month or a change of plan. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached.", { extra: { limit: 'orders_per_month', current, max } });

const decode = (item: Item = {}): Counting => ({
  counting: (item['counting'] as number | undefined) ?? 0,
  phase: item['phase'] as Counting['phase'],
  last: (item['last'] as number | undefined) ?? 0,
  lastMs: (item['last_ms'] as number | undefined) ?? 0,
  settled: (item['settled'] as number | undefined) ?? 0,
});

/**
 * Functions that make orders run 29 s at most. An order that took its number earlier than this is
 * stored or never will be.
 */
const longestMakingMs = 35_000;
const readEveryMs = 250;

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
  // With a limit of 0, the first order fails too, so a missing count must not pass.
  const isBelow = under > 0 ? expr`attribute_not_exists(${count}) OR ${count} < ${under}` : expr`${count} < ${under}`;
  return {
    item: { Update: { ...addOne(isBelow), ...showOld } },
    refuse: (old) =>
      old?.[closedName(counting)] ? refuse() : limitReached((old?.[countName(counting)] as number | undefined) ?? 0, under),
  };
};

/**
 * Completes the counting with the orders from before it began, by month. Fails if the counting is
 * closed.
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

/** Closes the counting. Fails if another began since it was read. */
const stopWrites = (table: string, account: string, { counting, phase }: Counting, month: string): readonly Write[] => [
  {
    item: {
      Update: update(table, numberKey(account), {
        // All orders of a complete counting are stored or fail. A counting that only began may have
        // earlier orders under way.
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
        // SET reads the values before the update: the last number and the phase belong to one
        // moment.
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

/**
 * Counts the stored orders up to the last number, by month: this month, and the next if another
 * clock is already in it.
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
  /** Whether the order of a number up to `last` may still be under way. */
  const isOneMissing = async (account: string, { last, lastMs, ...counting }: Counting): Promise<boolean> => {
    // An older order took its number before any order that is still under way began.
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
      // Read before the account: the account shows a limit that is set between the reads, and a
      // later change ends this counting.
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
