import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { seconds } from '../../shared/core/fields.ts';
import { isoFromSeconds } from '../../shared/core/time.ts';
import { gatewayFeeId } from '../../shared/domain/expense.ts';
import { bookingObstacle, type GatewayFee } from '../../shared/domain/gateway-fee.ts';
import { FeeBooked } from '../../shared/table/gateway-fees.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import { expenseView } from './views.ts';

/** The UTC day that a fee counts for, `YYYY-MM-DD`, from any date the API takes. */
export const feeDay = () =>
  v.pipe(
    seconds(),
    v.check((value) => value > 0, 'must lie after the Unix epoch'),
    v.transform((value) => isoFromSeconds(value).slice(0, 10)),
  );

/** Up to so many fees an answer shows the day's lines; beyond, reading them would cost more than booking one. */
const mostLinesShown = 100;

/** The day's record; with all its lines where they are few, else as GET /expenses/{id} alone shows them. */
export const dayView = async ({ expenses, gatewayFees }: Store, account: string, day: string) => {
  const stored = await expenses.get(account, gatewayFeeId(day));
  if (!stored) throw new Error('A fee was booked on a day that has no record.');
  const { expense } = stored;
  const isShort = (expense.transaction_count ?? 0) <= mostLinesShown;
  return expenseView(expense, isShort ? await gatewayFees.lines(account, day) : undefined);
};

/**
 * Adds the fee to its day, with other writes that have to happen with it; false where the transaction is on that day already, and
 * nothing was written. Refuses with 409 where the day's fees are in another currency, with `StaleDecision` where others were faster.
 */
export const bookFee = async (store: Store, account: string, fee: GatewayFee, besides: readonly Write[] = []): Promise<boolean> => {
  const stored = await store.expenses.get(account, gatewayFeeId(fee.day));
  const obstacle = bookingObstacle(stored?.expense, fee);
  if (obstacle !== undefined) throw new ApiError('conflict', obstacle);
  try {
    await store.commit([...store.gatewayFees.bookWrites(account, stored?.expense, fee), ...besides]);
    return true;
  } catch (error) {
    if (error instanceof FeeBooked) return false;
    throw error;
  }
};
