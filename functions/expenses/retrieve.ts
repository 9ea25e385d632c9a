import { notFound } from '../../shared/core/errors.ts';
import { dayOfGatewayFees, type Expense, type FeeLines, isGatewayFee } from '../../shared/domain/expense/record.ts';
import { expenseView } from '../../shared/domain/expense/view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Stored } from '../../shared/table/records.ts';

interface Found {
  readonly stored: Stored<Expense> | undefined;
  readonly fees: FeeLines | undefined;
}

/** § Expenses, GET by id: 404 where it is absent, deleted or another account's. */
export const retrieveExpense = ({ store }: ApiServices): Operation<unknown, unknown, Found> => ({
  async read({ account, id }) {
    const day = dayOfGatewayFees(id);
    const linesOfDay = async () => (day === undefined ? undefined : store.gatewayFees.lines(account, day));
    const [stored, fees] = await Promise.all([store.expenses.get(account, id), linesOfDay()]);
    // Read side by side, the lines may be older than the record: then they are read again.
    const isOlder = fees?.complete && fees.lines.length < (stored?.record.transaction_count ?? 0);
    return { stored, fees: isOlder ? await linesOfDay() : fees };
  },
  decide(_call, { stored, fees }) {
    if (!stored) throw notFound('Expense');
    return { body: expenseView(stored.record, isGatewayFee(stored.record) ? fees : undefined) };
  },
});
