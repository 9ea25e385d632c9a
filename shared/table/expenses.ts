import { type Expense, type ExpenseSummary, gatewayFeeSource, noPayment } from '../domain/expense/record.ts';
import type { Db } from './client.ts';
import { indexEntry, partition, timePosition } from './keys.ts';
import { type Page, type PageRequest, queryMerged, separator } from './page.ts';
import { RevisionConflict } from './records.ts';
import type { IndexName } from './schema.ts';
import { sparse } from './sparse.ts';
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

/** By date, the default order, a page costs what it shows: one index per filter. The order by update has one, behind which filters are judged. */
const indexes = {
  date: { none: 'gsi1', category: 'gsi2', status: 'gsi3', supplier_id: 'gsi4' },
  updated_at: { none: 'gsi5' },
} as const satisfies Record<ExpenseOrder, Partial<Record<ExpenseFilter | 'none', IndexName>>>;

const home = (account: string): string => partition('expense', account);
const indexPartition = (account: string, value?: string): string => partition('expense', account, ...(value === undefined ? [] : [value]));

/** Epoch seconds as sortable text; no expense lies before 1, so earlier bounds are all the same. */
const datePosition = (seconds: number): string => String(Math.max(0, seconds)).padStart(12, '0');

const entries = (account: string, expense: Expense): Record<string, string> => {
  if (expense.deleted_at !== null) return {};
  const entry = (index: IndexName, value: string | undefined, position: string) =>
    indexEntry(index, indexPartition(account, value), `${position}${separator}${expense.id}`);
  const { date, updated_at } = indexes;
  const day = datePosition(expense.date);
  const supplier = expense.supplier?.id ?? undefined;
  return {
    ...entry(date.none, undefined, day),
    ...entry(date.category, expense.category, day),
    ...entry(date.status, expense.status, day),
    ...(supplier === undefined ? {} : entry(date.supplier_id, supplier, day)),
    ...entry(updated_at.none, undefined, timePosition(expense.updated_at)),
  };
};

/** What an index has of an expense: what lists show but the id, which is the sort key, and what they are filtered by. */
interface View extends Omit<ExpenseSummary, 'id'> {
  readonly supplier_id: string | null;
}
/** What only the record has. */
type Rest = Omit<Expense, keyof ExpenseSummary | 'supplier'>;

const unsaid = {
  subcategory: null,
  notes: null,
  tags: [],
  payment: noPayment,
  tax: null,
  external_id: null,
  auto_generated: false,
  transaction_count: null,
  deleted_at: null,
} as const satisfies Partial<Rest>;

const encode = (account: string, expense: Expense, revision: number): Item => {
  const { id, amount, currency, category, date, status, source, editable, description, updated_at, supplier, ...rest } = expense;
  const { id: supplier_id = null, name: supplier_name = null } = supplier ?? {};
  const summary = { amount, currency, category, date, status, source, editable, supplier_name, description, updated_at };
  const view: View = { ...summary, supplier_id };
  return { pk: home(account), sk: id, revision, view, rest: sparse<Rest>(rest, unsaid), ...entries(account, expense) };
};

/** The record behind an item, also one of the change stream. */
export const decodeExpense = (item: Item): Expense => {
  const { supplier_id: id, supplier_name: name, ...view } = item['view'] as View;
  const supplier = id === null && name === null ? null : { id, name };
  return { id: String(item['sk']), ...view, ...unsaid, supplier, ...(item['rest'] as Omit<Rest, keyof typeof unsaid>) };
};

export const openExpenses = (db: Db): Expenses => ({
  async get(account, id) {
    const item = await db.get({ pk: home(account), sk: id });
    if (!item) return undefined;
    const expense = decodeExpense(item);
    return expense.deleted_at === null ? { expense, revision: item['revision'] as number } : undefined;
  },
  async list(account, query, page) {
    const { order, filter } = query;
    const position = (bound: number | string) => (typeof bound === 'number' ? datePosition(bound) : timePosition(bound));
    const judged = order === 'date' ? undefined : filter;
    const { records, next } = await queryMerged(
      db,
      {
        index: order === 'date' ? indexes.date[filter?.name ?? 'none'] : indexes.updated_at.none,
        partitions: [indexPartition(account, judged ? undefined : filter?.value)],
        home: home(account),
        ...(query.from === undefined ? {} : { from: position(query.from) }),
        ...(query.to === undefined ? {} : { to: position(query.to) }),
        ...(judged ? { keep: (item) => (item['view'] as View)[judged.name] === judged.value } : {}),
        isGone: (item) => decodeExpense(item).deleted_at !== null,
      },
      page,
    );
    return { records: records.map((item) => ({ id: String(item['sk']), ...(item['view'] as View) })), ...(next ? { next } : {}) };
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
