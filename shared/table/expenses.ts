import { type Expense, type ExpenseSummary, gatewayFeeSource } from '../domain/expense.ts';
import type { Db } from './client.ts';
import { indexEntry, partition } from './keys.ts';
import { type Page, type PageRequest, queryPage, separator } from './page.ts';
import { RevisionConflict } from './records.ts';
import type { IndexName } from './schema.ts';
import type { Item, Write } from './write.ts';

export type ExpenseOrder = 'date' | 'updated_at';
export type ExpenseFilter = 'category' | 'status' | 'supplier_id';

export interface ExpenseQuery {
  readonly order: ExpenseOrder;
  readonly filter?: { readonly name: ExpenseFilter; readonly value: string };
  /** Inclusive; epoch seconds with order `date`, ISO 8601 with order `updated_at`. */
  readonly from?: number | string;
  readonly to?: number | string;
}

/** An expense as stored, with the revision that guards read-modify-write. */
export interface StoredExpense {
  readonly expense: Expense;
  readonly revision: number;
}

export interface Expenses {
  /** Consistent; deleted ones are absent. */
  get(account: string, id: string): Promise<StoredExpense | undefined>;
  list(account: string, query: ExpenseQuery, page: PageRequest): Promise<Page<ExpenseSummary>>;
  /** An expense whose id was made for it: nothing can stand there, and a repeated put of the same record changes nothing. */
  createWrite(account: string, expense: Expense): Write;
  /** Replaces the revision that was read, 0 for none; refuses with 409 where another write came first. */
  replaceWrite(account: string, expense: Expense, revision: number): Write;
  /**
   * One more fee on a day's record that stands in that currency: added to whatever it holds by then, so that fees of one day never
   * wait for each other's decision. Moves it in the lists by update.
   */
  addFeeWrite(account: string, recorded: Expense, fee: { readonly amount: number; readonly at: string }, refuse: () => Error): Write;
}

/** One index per filter and order: a page costs what it weighs, whatever the account weighs. */
const indexes: Record<ExpenseOrder, Record<ExpenseFilter | 'none', IndexName>> = {
  date: { none: 'gsi1', category: 'gsi2', status: 'gsi3', supplier_id: 'gsi4' },
  updated_at: { none: 'gsi5', category: 'gsi6', status: 'gsi7', supplier_id: 'gsi8' },
};

const home = (account: string): string => partition('expense', account);
const indexPartition = (account: string, name: ExpenseFilter | 'none', value = ''): string => partition('expense', account, name, value);

/** Epoch seconds as sortable text; no expense lies before 1, so earlier bounds are all the same. */
const datePosition = (seconds: number): string => String(Math.max(0, seconds)).padStart(12, '0');

const entries = (account: string, expense: Expense): Record<string, string> => {
  if (expense.deleted_at !== null) return {};
  const positions = { date: datePosition(expense.date), updated_at: expense.updated_at };
  const values = { none: '', category: expense.category, status: expense.status, supplier_id: expense.supplier?.id ?? null };
  const rows = (Object.keys(indexes) as ExpenseOrder[]).flatMap((order) =>
    (Object.keys(values) as (keyof typeof values)[]).map((name) => {
      const value = values[name];
      return value === null
        ? {}
        : indexEntry(indexes[order][name], indexPartition(account, name, value), `${positions[order]}${separator}${expense.id}`);
    }),
  );
  return Object.assign({}, ...rows) as Record<string, string>;
};

const encode = (account: string, expense: Expense, revision: number): Item => {
  const { id, amount, currency, category, date, status, source, editable, description, updated_at, ...rest } = expense;
  const supplier_name = expense.supplier?.name ?? null;
  const view: ExpenseSummary = { id, amount, currency, category, date, status, source, editable, supplier_name, description, updated_at };
  return { pk: home(account), sk: id, account, revision, view, rest, ...entries(account, expense) };
};

/** The record behind an item, also one of the change stream. */
export const decodeExpense = (item: Item): Expense => {
  const { supplier_name: _, ...view } = item['view'] as ExpenseSummary;
  return { ...view, ...(item['rest'] as Omit<Expense, keyof ExpenseSummary>) };
};

export const openExpenses = (db: Db): Expenses => ({
  async get(account, id) {
    const item = await db.get({ pk: home(account), sk: id });
    if (!item) return undefined;
    const expense = decodeExpense(item);
    return expense.deleted_at === null ? { expense, revision: item['revision'] as number } : undefined;
  },
  async list(account, query, page) {
    const name = query.filter?.name ?? 'none';
    const position = (bound: number | string) => (typeof bound === 'number' ? datePosition(bound) : bound);
    const { records, next } = await queryPage(
      db,
      {
        index: indexes[query.order][name],
        partition: indexPartition(account, name, query.filter?.value),
        home: home(account),
        ...(query.from === undefined ? {} : { from: position(query.from) }),
        ...(query.to === undefined ? {} : { to: position(query.to) }),
        isGone: (item) => decodeExpense(item).deleted_at !== null,
      },
      page,
    );
    return { records: records.map((item) => item['view'] as ExpenseSummary), ...(next ? { next } : {}) };
  },
  createWrite: (account, expense) => ({
    item: { Put: { TableName: db.table, Item: encode(account, expense, 1) } },
  }),
  replaceWrite: (account, expense, revision) => ({
    item: {
      Put: {
        TableName: db.table,
        Item: encode(account, expense, revision + 1),
        ConditionExpression: revision === 0 ? 'attribute_not_exists(pk)' : 'revision = :revision',
        ...(revision === 0 ? {} : { ExpressionAttributeValues: { ':revision': revision } }),
      },
    },
    refuse: () => new RevisionConflict('expense'),
  }),
  addFeeWrite(account, recorded, { amount, at }, refuse) {
    const positions = Object.entries(entries(account, { ...recorded, updated_at: at }));
    return {
      item: {
        Update: {
          TableName: db.table,
          Key: { pk: home(account), sk: recorded.id },
          UpdateExpression: [
            'SET #view.#amount = #view.#amount + :amount, #view.#updated_at = :at, #rest.#count = #rest.#count + :one, #revision = #revision + :one',
            ...positions.map(([name]) => `#${name} = :${name}`),
          ].join(', '),
          ConditionExpression: '#view.#source = :source AND #view.#currency = :currency',
          ExpressionAttributeNames: {
            '#view': 'view',
            '#rest': 'rest',
            '#revision': 'revision',
            '#amount': 'amount',
            '#updated_at': 'updated_at',
            '#count': 'transaction_count',
            '#source': 'source',
            '#currency': 'currency',
            ...Object.fromEntries(positions.map(([name]) => [`#${name}`, name])),
          },
          ExpressionAttributeValues: {
            ':amount': amount,
            ':at': at,
            ':one': 1,
            ':source': gatewayFeeSource,
            ':currency': recorded.currency,
            ...Object.fromEntries(positions.map(([name, value]) => [`:${name}`, value])),
          },
        },
      },
      refuse,
    };
  },
});
