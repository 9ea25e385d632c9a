import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { positiveMoney, record, requiredText, seconds } from '../../shared/core/fields.ts';
import { isoFromMs, isoFromSeconds } from '../../shared/core/time.ts';
import { gatewayFeeId } from '../../shared/domain/expense.ts';
import { recordGatewayFee } from '../../shared/domain/gateway-fee.ts';
import type { AccountAction } from './action.ts';
import { modifyExpense } from './modify-expense.ts';
import { expenseView } from './views.ts';

const input = record({
  order_id: requiredText(),
  order_label: requiredText(),
  gateway: requiredText(),
  amount: positiveMoney(),
  /** The UTC day it counts for. */
  date: v.pipe(
    seconds(),
    v.check((value) => value > 0, 'must lie after the Unix epoch'),
  ),
  /** Recording the same transaction again changes nothing; absent, every call is a fee of its own. */
  transaction_id: v.exactOptional(requiredText()),
});

export const recordFee: AccountAction<typeof input> = {
  summary: "Adds a fee a payment gateway kept to that day's gateway-fee expense.",
  account: 'required',
  input,
  async decide({ store, clock, newId }, { date, transaction_id = newId('pay', clock.now()), ...fee }, account) {
    const { currency } = account;
    if (currency === null) throw new ApiError('conflict', 'The account has no currency to record fees in.');
    const day = isoFromSeconds(date).slice(0, 10);
    const { record: expense, writes } = await modifyExpense(store, account.id, gatewayFeeId(day), (recorded) =>
      recordGatewayFee(recorded, { line: { ...fee, transaction_id }, day, currency, at: isoFromMs(clock.now()) }),
    );
    return { result: expenseView(expense), writes };
  },
};
