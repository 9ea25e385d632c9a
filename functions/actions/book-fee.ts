import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { seconds } from '../../shared/core/fields.ts';
import { isoFromSeconds } from '../../shared/core/time.ts';
import { bookingObstacle, dayOfFirstFee, type GatewayFee, withFee } from '../../shared/domain/expense/gateway-fee.ts';
import { type Expense, type FeeLines, gatewayFeeId } from '../../shared/domain/expense/record.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import type { Decision } from './action.ts';
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
/** What is answered to a token is kept in one item of the table, whose limit is 400 KB. */
const mostBytesShown = 256 * 1024;

const readDay = async ({ expenses, gatewayFees }: Store, account: string, day: string, added: number) => {
  const expense = (await expenses.get(account, gatewayFeeId(day)))?.record;
  const isShort = (expense?.transaction_count ?? 0) + added <= mostLinesShown;
  return { expense, fees: isShort ? await gatewayFees.lines(account, day) : undefined };
};

const viewOf = (expense: Expense, fees: FeeLines | undefined) =>
  expenseView(expense, fees && Buffer.byteLength(JSON.stringify(fees.lines)) <= mostBytesShown ? fees : undefined);

/** The day's record; with all its lines where they are few, else GET /expenses/{id} alone shows them. */
export const dayView = async (store: Store, account: string, day: string) => {
  const { expense, fees } = await readDay(store, account, day, 0);
  if (!expense) throw new Error('A fee was booked on a day that has no record.');
  return viewOf(expense, fees);
};

/**
 * The day with the fee added to it, and the writes that do so, with others that have to happen with them; where the transaction is on
 * that day already, those others alone. Refuses with 409 where the day's fees are in another currency.
 */
export const bookFee = async (store: Store, account: string, fee: GatewayFee, besides: readonly Write[] = []): Promise<Decision> => {
  const { line, day } = fee;
  const [isBooked, { expense, fees }] = await Promise.all([
    store.gatewayFees.isBooked(account, day, line.transaction_id),
    readDay(store, account, day, 1),
  ]);
  if (isBooked) return { result: await dayView(store, account, day), writes: besides };
  const obstacle = bookingObstacle(expense, fee);
  if (obstacle !== undefined) throw new ApiError('conflict', obstacle);
  const after = expense ? withFee(expense, fee) : dayOfFirstFee(fee);
  return {
    result: viewOf(after, fees && { ...fees, lines: [...fees.lines, line] }),
    writes: [...store.gatewayFees.bookWrites(account, expense, fee), ...besides],
  };
};
