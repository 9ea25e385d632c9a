import * as v from 'valibot';
import { ApiError, invalidValue } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { changeExpense, expenseChanges, expenseInput, expenseProvenance, makeExpense } from '../../shared/domain/expense/input.ts';
import { idField, onAccount } from './action.ts';
import { modifierOf, softDelete } from './modify.ts';
import { deletedView, expenseView } from './views.ts';

const modifyExpense = modifierOf('Expense', ({ expenses }) => expenses);

/** Returns the expense. Rejects a gateway fee; the error text says `edited` or `deleted`. */
const requireEditable = (expense: Expense, verb: 'edited' | 'deleted'): Expense => {
  if (!expense.editable)
    throw new ApiError('conflict', `The service keeps gateway-fee expenses. They cannot be ${verb}. Record fees with gateway_fee.record.`);
  return expense;
};

export const expense = {
  create: onAccount({
    summary: 'Creates an expense. It is a draft if you send no `status`.',
    input: record({
      ...expenseInput,
      status: v.exactOptional(expenseProvenance.status, 'draft'),
      source: v.exactOptional(expenseProvenance.source, 'dashboard'),
      external_id: expenseProvenance.external_id,
    }),
    async decide({ store, clock, newId }, { status, source, external_id, ...fields }, account) {
      const currency = fields.currency ?? account.currency;
      if (currency === null) throw invalidValue('currency', 'currency is required, because the account has no currency.');
      const nowMs = clock.now();
      const origin = { id: newId('exp', nowMs), currency, status, source, external_id, created_at: isoFromMs(nowMs) };
      const expense = makeExpense(fields, origin);
      return { result: expenseView(expense), writes: [store.expenses.createWrite(account.id, expense)] };
    },
  }),
  update: onAccount({
    summary: 'Changes the fields that you send. Lists and objects are replaced whole. Other fields stay.',
    input: record({ ...idField, ...expenseChanges }),
    decide: (services, { id, ...changes }, account) =>
      modifyExpense(services, account, id, (expense, now) => changeExpense(requireEditable(expense, 'edited'), changes, now), expenseView),
  }),
  delete: onAccount({
    summary: 'Deletes an expense. This cannot be undone. Emits no event.',
    input: record(idField),
    decide: (services, { id }, account) =>
      modifyExpense(services, account, id, (expense, now) => softDelete(requireEditable(expense, 'deleted'), now), deletedView),
  }),
};
