import { ApiError } from '../core/errors.ts';
import { LimitChanged } from './accounts.ts';
import type { Db, Item } from './client.ts';
import { attribute, type Change, type Expression, every, expr, showOld, update } from './expressions.ts';
import { partition } from './keys.ts';
import { sendUpdate, type Write } from './write.ts';

export interface OrderNumber {
  readonly number: number;
  /**
   * Number of the counting that includes this order. Undefined if the account has no order limit.
   */
  readonly counting: number | undefined;
}

/**
 * How an order is counted. `under`: it fails at this limit. `unlimited`: the account had no limit
 * when it was read, and the order fails if a limit was set since. `regardless`: it counts but never
 * fails.
 */
export interface Counted {
  readonly counting: number;
  readonly under: number | 'unlimited' | 'regardless';
}

/** State of the counting of an account's orders. `order-limits.ts` describes the steps. */
export interface Counting {
  /** Number of this counting. */
  readonly counting: number;
  /**
   * `begun`: step 1 is done. `limited`: step 4 is done, so a limit applies. Undefined: no orders
   * are counted.
   */
  readonly phase: 'begun' | 'limited' | undefined;
  /**
   * The last order number before the counting began. `lastMs` is when it was taken, in
   * milliseconds.
   */
  readonly last: number;
  readonly lastMs: number;
  /** Every order up to this number is stored and counted, or will never exist. */
  readonly settled: number;
}

export interface Counters {
  /** Returns the next order number. If the order fails, its number leaves a gap. */
  nextOrderNumber(account: string): Promise<OrderNumber>;
  /** Records that no order will have this number, so that setting a limit does not wait for it. */
  giveUp(account: string, number: number): Promise<void>;
  /**
   * Returns the numbers that were given up from a few minutes before `ms` on. Reads consistently.
   */
  givenUp(account: string, ms: number): Promise<readonly number[]>;
  /** Returns the number of orders in a UTC month (`YYYY-MM`). For accounts with a limit. */
  ordersIn(account: string, month: string): Promise<number>;
  /** Counts an order. Fails with `limit_reached` at the limit. */
  orderCountWrite(account: string, month: string, counted: Counted): Write;
  /** Starts the counting of a new account with a limit. */
  openWrite(account: string): Write;
  counting(account: string): Promise<Counting>;
  /** Begins a counting. Fails if another one began after `before` was read. */
  begin(account: string, before: Counting): Promise<Counting>;
}

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
export const numberKey = (account: string) => key(account, 'order_number');
export const monthKey = (account: string, month: string) => key(account, `orders_${month}`);
/**
 * Numbers that were given up are stored in a record per time span, so that no record grows without
 * bound.
 */
const spanMs = 300_000;
const givenUpKey = (account: string, span: number) => key(account, `given_up_${span}`);
/**
 * Name of a counting's attribute in the record of a month. The record has a count for each
 * counting, and marks those that were completed or closed.
 */
export const countName = (counting: number): string => `count_${counting}`;
export const completeName = (counting: number): string => `complete_${counting}`;
export const closedName = (counting: number): string => `closed_${counting}`;

/** § Errors, `limit_reached`. Retries fail until the next month or a change of plan. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached.", { extra: { limit: 'orders_per_month', current, max } });

const decode = (item: Item = {}): Counting => ({
  counting: (item['counting'] as number | undefined) ?? 0,
  phase: item['phase'] as Counting['phase'],
  last: (item['last'] as number | undefined) ?? 0,
  lastMs: (item['last_ms'] as number | undefined) ?? 0,
  settled: (item['settled'] as number | undefined) ?? 0,
});

export const refuse = (): Error => new LimitChanged();

const orderCountWrite = (table: string, account: string, month: string, { counting, under }: Counted): Write => {
  const count = attribute(countName(counting));
  const addOne = (condition?: Expression) =>
    update(table, monthKey(account, month), {
      add: { [countName(counting)]: 1 },
      where: every(expr`attribute_not_exists(${attribute(closedName(counting))})`, condition),
    });
  if (under === 'regardless') return { item: { Update: addOne() }, refuse };
  if (under === 'unlimited') return { item: { Update: addOne(expr`attribute_not_exists(${attribute(completeName(counting))})`) }, refuse };
  // If the limit is 0, the first order must fail too, so a missing count must not pass.
  const isBelow = under > 0 ? expr`attribute_not_exists(${count}) OR ${count} < ${under}` : expr`${count} < ${under}`;
  return {
    item: { Update: { ...addOne(isBelow), ...showOld } },
    refuse: (old) =>
      old?.[closedName(counting)] ? refuse() : limitReached((old?.[countName(counting)] as number | undefined) ?? 0, under),
  };
};

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
        // SET reads the values from before the update, so the last number and the phase belong to
        // the same moment.
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
