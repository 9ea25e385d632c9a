import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { expenseInput, makeExpense } from '../../shared/domain/expense/input.ts';
import { expenseProvenance } from '../../shared/domain/expense/rules.ts';
import type { AccountAction } from './action.ts';
import { expenseView } from './views.ts';

const input = record({
  ...expenseInput,
  status: v.exactOptional(expenseProvenance.status, 'draft'),
  source: v.exactOptional(expenseProvenance.source, 'dashboard'),
  external_id: expenseProvenance.external_id,
});

export const createExpense: AccountAction<typeof input> = {
  summary: 'Books an expense; a draft unless another status is given.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, { status, source, external_id, ...said }, account) {
    const currency = said.currency ?? account.currency;
    if (currency === null) throw invalidValue('currency', 'currency is required, because the account has none.');
    const nowMs = clock.now();
    const origin = { id: newId('exp', nowMs), currency, status, source, external_id, created_at: isoFromMs(nowMs) };
    const expense = makeExpense(said, origin);
    return { result: expenseView(expense), writes: [store.expenses.createWrite(account.id, expense)] };
  },
};
