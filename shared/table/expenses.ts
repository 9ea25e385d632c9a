import { createHash } from 'node:crypto';
import { changedMeanwhile, StaleDecision } from '../core/errors.ts';
import { maxSentBytes, sentBytes } from '../core/sent-bytes.ts';
import { gatewayFeeSource } from '../domain/enumerations.ts';
import type { Expense, FeeLine, FeeLines } from '../domain/expense/fields.ts';
import { dayOfFirstFee, type GatewayFee, type UnbookedFee } from '../domain/expense/rules.ts';
import type { Db, Item } from './client.ts';
import { type ListedExpense, listedExpense } from './encodings.ts';
import { allOf, exists, expr, isAbsent } from './expressions.ts';
import { partition } from './keys.ts';
import { byTime, type ListSpec, openList } from './lists.ts';
import { type Page, type PageRequest, queryPages } from './page.ts';
import { readListPage } from './plan.ts';
import { openRecords } from './records.ts';
import { deleteItem, putItem, updateItem, type Write } from './write.ts';

const lists: ListSpec<'expense', Expense, ListedExpense> = {
  kind: 'expense',
  sorts: {
    // Epoch seconds as sortable text. No expense has a date before 1970, so a negative bound counts
    // as 0.
    date: { value: (expense) => expense.date, position: (seconds) => String(Math.max(0, Number(seconds))).padStart(12, '0') },
    updated_at: byTime((expense) => expense.updated_at),
  },
  shown: listedExpense,
  isGone: ({ deleted_at }) => deleted_at !== null,
};

/** Reads return no deleted expenses, neither in lists nor by id. */
export const openExpenses = (db: Db) => {
  const listed = openList(db, lists);
  const records = openRecords<Expense>(db, { kind: 'expense', name: 'expense', attributes: listed.entries, marked: true });
  return {
    ...records,
    ...listed,
    async get(account: string, id: string) {
      const stored = await records.get(account, id);
      return stored?.record.deleted_at === null ? stored : undefined;
    },
    /**
     * Adds a fee, or none if only a line changed, to the expense of its day and currency. It does not
     * read the current sum, so fees of one day do not wait for each other. It also moves the expense in lists by `updated_at`, unless
     * that time would move back. Fails if a later fee was added after `recorded` was read; the retry
     * then sets no new time.
     */
    addFeeWrite(
      account: string,
      recorded: Expense,
      { amount, fees, at }: { readonly amount: number; readonly fees: 0 | 1; readonly at: string },
      rejectWith: () => Error,
    ): Write {
      // If a later fee has set a later time, that time and the positions in lists stay.
      const isLatest = at > recorded.updated_at;
      const moved = isLatest ? { 'view.updated_at': at, ...listed.entries(account, { ...recorded, updated_at: at }) } : {};
      return updateItem(
        db,
        { pk: partition('expense', account), sk: recorded.id },
        {
          set: {
            'view.amount': expr`view.amount + ${amount}`,
            'rest.transaction_count': expr`rest.transaction_count + ${fees}`,
            revision: expr`revision + ${1}`,
            ...moved,
          },
          where: allOf(
            expr`view.source = ${gatewayFeeSource} AND view.currency = ${recorded.currency}`,
            isLatest && expr`view.updated_at <= ${at}`,
          ),
          rejectWith,
        },
      );
    },
  };
};

export type Expenses = ReturnType<typeof openExpenses>;

/**
 * The day's expense changed since it was read: it was created, perhaps in another currency, or got
 * a later fee. The retry reads it again.
 */
export class FeeConflict extends StaleDecision {
  constructor() {
    super(changedMeanwhile("The day's gateway-fee expense").message);
  }
}

/** The fee of this transaction was already booked, on whatever day. */
export class FeeBooked extends StaleDecision {
  constructor() {
    super('This fee is already booked. Nothing is left to do.');
  }
}

/** Transaction ids have any length and any characters, so the key has their digest. */
const digest = (transaction: string): string => createHash('sha256').update(transaction).digest('base64url');

const home = (account: string): string => partition('feeLine', account);
const lineKey = (account: string, day: string, transaction: string) => ({ pk: home(account), sk: `${day}#${digest(transaction)}` });
const transactionKey = (account: string, transaction: string) => ({ pk: partition('feeTransaction', account), sk: digest(transaction) });
const unbookedHome = (account: string): string => partition('unbookedFee', account);
const unbookedKey = (account: string, transaction: string) => ({ pk: unbookedHome(account), sk: digest(transaction) });

/** Returns the day of a line. */
export const dayOfLine = (item: Item): string => String(item['sk']).slice(0, 'YYYY-MM-DD'.length);
export const decodeLine = (item: Item): FeeLine => item['line'] as FeeLine;
export const decodeUnbooked = (item: Item): UnbookedFee => item['view'] as UnbookedFee;

export const openGatewayFees = (db: Db, expenses: Pick<Expenses, 'replaceWrite' | 'addFeeWrite'>) => ({
  /**
   * Writes a fee's line and adds the fee to the day's expense. The size of the writes does not depend
   * on the number of fees. Fails with `FeeBooked` if the transaction is booked on any day, and with
   * `FeeConflict` if the expense changed since it was read.
   */
  bookWrites(account: string, recorded: Expense | undefined, fee: GatewayFee): readonly Write[] {
    const { line, day, at } = fee;
    // Position of the line. Lines that were booked at the same time may have the same position.
    const position = (recorded?.transaction_count ?? 0) + 1;
    return [
      putItem(db, { ...transactionKey(account, line.transaction_id), day }, { where: isAbsent, rejectWith: () => new FeeBooked() }),
      putItem(db, { ...lineKey(account, day, line.transaction_id), account, position, line }),
      recorded
        ? expenses.addFeeWrite(account, recorded, { amount: line.amount, fees: 1, at }, () => new FeeConflict())
        : { ...expenses.replaceWrite(account, dayOfFirstFee(fee), undefined), rejectWith: () => new FeeConflict() },
    ];
  },
  /**
   * Reads the lines of a day consistently, up to the size of a response, which also names each
   * gateway once.
   */
  async lines(account: string, day: string): Promise<FeeLines> {
    const found: Item[] = [];
    const gateways = new Set<string>();
    let bytes = 0;
    const pages = queryPages(db, { partition: home(account), range: (sk) => expr`begins_with(${sk}, ${`${day}#`})` });
    reading: for await (const { Items = [] } of pages) {
      for (const item of Items) {
        const { transaction_id: _, ...shown } = decodeLine(item);
        bytes += sentBytes(shown) + (gateways.has(shown.gateway) ? 0 : sentBytes(shown.gateway));
        gateways.add(shown.gateway);
        if (bytes > maxSentBytes) break reading;
        found.push(item);
      }
    }
    const positionOf = (item: Item): number => item['position'] as number;
    const lines = found.sort((a, b) => positionOf(a) - positionOf(b) || (String(a['sk']) < String(b['sk']) ? -1 : 1)).map(decodeLine);
    return { lines, complete: bytes <= maxSentBytes };
  },
  /** Returns the day on which the transaction is booked. */
  dayOf: async (account: string, transaction: string) =>
    (await db.get(transactionKey(account, transaction)))?.['day'] as string | undefined,
  /**
   * Replaces the order's label in a line, and moves the day's expense, because it shows the line. The
   * old label is not kept. Fails with `FeeConflict` if the expense changed since it was read.
   */
  relabelWrites: (account: string, { pk, sk }: Item, recorded: Expense | undefined, order_label: string, at: string): readonly Write[] => [
    updateItem(db, { pk, sk }, { set: { 'line.order_label': order_label }, where: exists }),
    ...(recorded ? [expenses.addFeeWrite(account, recorded, { amount: 0, fees: 0, at }, () => new FeeConflict())] : []),
  ],
  /** Stores a fee that could not be added, for an operator. */
  keepAsideWrite: (account: string, fee: UnbookedFee) =>
    putItem(db, { ...unbookedKey(account, fee.line.transaction_id), account, view: fee }),
  async unbooked(account: string, transaction: string) {
    const item = await db.get(unbookedKey(account, transaction));
    return item && decodeUnbooked(item);
  },
  listUnbooked: (account: string, page: PageRequest): Promise<Page<UnbookedFee>> =>
    readListPage(db, { partitions: [unbookedHome(account)], decode: decodeUnbooked }, page),
  /** Fails with `FeeConflict` if the fee was removed. */
  removeUnbookedWrite: (account: string, transaction: string) =>
    deleteItem(db, unbookedKey(account, transaction), { where: exists, rejectWith: () => new FeeConflict() }),
});

export type GatewayFees = ReturnType<typeof openGatewayFees>;
