import { gatewayFeeSource } from '../domain/enumerations.ts';
import type { Expense } from '../domain/expense/fields.ts';
import type { Db } from './client.ts';
import { type ListedExpense, listedExpense } from './encodings.ts';
import { every, expr } from './expressions.ts';
import { partition } from './keys.ts';
import { byTime, type ListSpec, openList } from './lists.ts';
import { openRecords } from './records.ts';
import { updateItem, type Write } from './write.ts';

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
  const { entries, list } = openList(db, lists);
  const records = openRecords<Expense>(db, { kind: 'expense', name: 'expense', entries, absolute: true });
  return {
    ...records,
    list,
    entries,
    async get(account: string, id: string) {
      const stored = await records.get(account, id);
      return stored?.record.deleted_at === null ? stored : undefined;
    },
    /**
     * Adds a fee to the expense of its day and currency. It does not read the current sum, so fees of
     * one day do not wait for each other. It also moves the expense in lists by `updated_at`, unless
     * that time would move back. Fails if a later fee was added after `recorded` was read; the retry
     * then sets no new time.
     */
    addFeeWrite(
      account: string,
      recorded: Expense,
      { amount, at }: { readonly amount: number; readonly at: string },
      refuse: () => Error,
    ): Write {
      // If a later fee has set a later time, that time and the positions in lists stay.
      const isLatest = at > recorded.updated_at;
      const moved = isLatest ? { 'view.updated_at': at, ...entries(account, { ...recorded, updated_at: at }) } : {};
      return updateItem(
        db,
        { pk: partition('expense', account), sk: recorded.id },
        {
          set: {
            'view.amount': expr`view.amount + ${amount}`,
            'rest.transaction_count': expr`rest.transaction_count + ${1}`,
            revision: expr`revision + ${1}`,
            ...moved,
          },
          where: every(
            expr`view.source = ${gatewayFeeSource} AND view.currency = ${recorded.currency}`,
            isLatest && expr`view.updated_at <= ${at}`,
          ),
          refuse,
        },
      );
    },
  };
};

export type Expenses = ReturnType<typeof openExpenses>;
