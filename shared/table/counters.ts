import { ApiError, StaleDecision } from '../core/errors.ts';
import type { Db, Item } from './client.ts';
import { attribute, type Change, type Expression, every, expr, showOld, update } from './expressions.ts';
import { partition } from './keys.ts';
import { sendUpdate, type Write } from './write.ts';

/** A new order's number. */
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
  /**
   * `begun`: orders that take their number from now on count themselves, those before are not in the count yet. `limited`: the count is
   * complete, and there is a limit. Undefined: no order is counted.
   */
  readonly phase: 'begun' | 'limited' | undefined;
  /** The last number that was taken before the counting began, and when, in milliseconds. */
  readonly last: number;
  readonly lastMs: number;
  /** Orders up to this number are made or never will be: they were counted in a counting that is over. */
  readonly settled: number;
}

/**
 * An account without a limit has no count of its orders: each would pay for it. With a limit, each is counted in the transaction that
 * makes it. A counting is begun with every limit that is set anew (order-limits.ts).
 */
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
  /** Consistent. */
  counting(account: string): Promise<Counting>;
  /** Begins a counting; refuses where another began since `before` was read. */
  begin(account: string, before: Counting): Promise<Counting>;
  /** Completes the counting by the orders that were made before it began, by month; refuses where it is over. */
  completeWrites(account: string, counting: number, made: ReadonlyMap<string, number>): readonly Write[];
  /** Ends the counting that was read: from now on no order is counted, and none that took its number before is made. Refuses where another was begun since. */
  stopWrites(account: string, before: Counting, month: string): readonly Write[];
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

/** What an order or a change of the account rested on, the limit, is another by now: a new number tells. */
export class LimitChanged extends StaleDecision {
  constructor() {
    super('The order limit was changed at the same time; please retry.');
  }
}

const decode = (item: Item = {}): Counting => ({
  counting: (item['counting'] as number | undefined) ?? 0,
  phase: item['phase'] as Counting['phase'],
  last: (item['last'] as number | undefined) ?? 0,
  lastMs: (item['last_ms'] as number | undefined) ?? 0,
  settled: (item['settled'] as number | undefined) ?? 0,
});

export const openCounters = (db: Db): Counters => {
  const orderCountWrite: Counters['orderCountWrite'] = (account, month, { counting, under }) => {
    const count = attribute(countName(counting));
    const addOne = (condition?: Expression) =>
      update(db.table, monthKey(account, month), {
        add: { [countName(counting)]: 1 },
        where: every(expr`attribute_not_exists(${attribute(closedName(counting))})`, condition),
      });
    const refuse = (): Error => new LimitChanged();
    if (under === 'regardless') return { item: { Update: addOne() }, refuse };
    if (under === 'unlimited')
      return { item: { Update: addOne(expr`attribute_not_exists(${attribute(completeName(counting))})`) }, refuse };
    // A limit of 0 lets not even the first one through.
    const isBelow = under > 0 ? expr`attribute_not_exists(${count}) OR ${count} < ${under}` : expr`${count} < ${under}`;
    return {
      item: { Update: { ...addOne(isBelow), ...showOld } },
      refuse: (old) =>
        old?.[closedName(counting)] ? refuse() : limitReached((old?.[countName(counting)] as number | undefined) ?? 0, under),
    };
  };

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
    orderCountWrite,
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
    completeWrites: (account, counting, made) => [
      {
        item: {
          Update: update(db.table, numberKey(account), {
            set: { phase: 'limited' },
            where: expr`phase = ${'begun'} AND counting = ${counting}`,
          }),
        },
        refuse: () => new LimitChanged(),
      },
      ...[...made].map(
        ([month, count]): Write => ({
          item: {
            Update: update(db.table, monthKey(account, month), {
              set: {
                [countName(counting)]: expr`if_not_exists(${attribute(countName(counting))}, ${0}) + ${count}`,
                [completeName(counting)]: true,
              },
            }),
          },
        }),
      ),
    ],
    stopWrites: (account, { counting, phase }, month) => [
      {
        item: {
          Update: update(db.table, numberKey(account), {
            // Of a counting that was completed every order is made or closed out; of one that was only begun there may be earlier ones.
            set: { settled: phase === 'limited' ? expr`if_not_exists(value, ${0})` : undefined },
            remove: ['phase'],
            where: phase === undefined ? expr`attribute_not_exists(phase)` : expr`phase = ${phase} AND counting = ${counting}`,
          }),
        },
        refuse: () => new LimitChanged(),
      },
      ...(phase === undefined
        ? []
        : [{ item: { Update: update(db.table, monthKey(account, month), { set: { [closedName(counting)]: true } }) } }]),
    ],
  };
};
