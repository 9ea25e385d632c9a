import * as v from 'valibot';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { changeExpense, expenseChanges, expenseInput, expenseProvenance, makeExpense } from '../../shared/domain/expense/input.ts';
import type { Store } from '../../shared/table/store.ts';
import { byId, onAccount } from './action.ts';
import { deletedAt, keepIfSame, type Modified } from './modify.ts';
import { expenseView } from './views.ts';

/**
 * Changes an expense; skips the write if the record is unchanged. Throws 404 if the expense does
 * not exist. Rejects a change of a gateway fee; the error text says `edited` or `deleted`.
 */
const modifyExpense = async (
  store: Store,
  account: string,
  id: string,
  verb: 'edited' | 'deleted',
  change: (expense: Expense) => Expense,
): Promise<Modified<Expense>> => {
  const stored = await store.expenses.get(account, id);
  if (!stored) throw notFound('Expense');
  const expense = stored.record;
  if (!expense.editable) throw new ApiError('conflict', `The service manages gateway-fee expenses. They cannot be ${verb}.`);
  const changed = keepIfSame(expense, change(expense));
  return { record: changed, writes: changed === expense ? [] : [store.expenses.replaceWrite(account, changed, stored)] };
};

export const expense = {
  create: onAccount({
    summary: 'Books an expense; a draft unless another status is given.',
    input: record({
      ...expenseInput,
      status: v.exactOptional(expenseProvenance.status, 'draft'),
      source: v.exactOptional(expenseProvenance.source, 'dashboard'),
      external_id: expenseProvenance.external_id,
    }),
    async decide({ store, clock, newId }, { status, source, external_id, ...said }, account) {
      const currency = said.currency ?? account.currency;
      if (currency === null) throw invalidValue('currency', 'currency is required, because the account has none.');
      const nowMs = clock.now();
      const origin = { id: newId('exp', nowMs), currency, status, source, external_id, created_at: isoFromMs(nowMs) };
      const expense = makeExpense(said, origin);
      return { result: expenseView(expense), writes: [store.expenses.createWrite(account.id, expense)] };
    },
  }),
  update: onAccount({
    summary: 'Changes the members given, each whole; the others stay.',
    input: record({ ...byId, ...expenseChanges }),
    async decide({ store, clock }, { id, ...changes }, account) {
      const { record, writes } = await modifyExpense(store, account.id, id, 'edited', (current) =>
        changeExpense(current, changes, isoFromMs(clock.now())),
      );
      return { result: expenseView(record), writes };
    },
  }),
  delete: onAccount({
    summary: 'Deletes an expense. No event is sent.',
    input: record(byId),
    async decide({ store, clock }, { id }, account) {
      const { writes } = await modifyExpense(store, account.id, id, 'deleted', (current) => ({
        ...current,
        ...deletedAt(isoFromMs(clock.now())),
      }));
      return { result: { deleted: true, id }, writes };
    },
  }),
};
