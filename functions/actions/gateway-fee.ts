import * as v from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { positiveMoney, record, recordId, requiredText, seconds } from '../../shared/core/fields.ts';
import { isoFromMs, isoFromSeconds } from '../../shared/core/time.ts';
import type { Expense, FeeLine, FeeLines } from '../../shared/domain/expense/fields.ts';
import { bookingObstacle, dayOfFirstFee, type GatewayFee, gatewayFeeId, withFee } from '../../shared/domain/expense/rules.ts';
import type { Decision } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import { onAccount, pageFields } from './action.ts';
import { labelOfNewLine } from './erased-texts.ts';
import { expenseView, unbookedFeeView } from './views.ts';

/** The UTC day of a fee as `YYYY-MM-DD`, parsed from any date that the API accepts. */
const feeDay = () =>
  v.pipe(
    seconds(),
    v.check((value) => value > 0, 'must be after 1970-01-01T00:00:00Z'),
    v.transform((value) => isoFromSeconds(value).slice(0, 10)),
  );

/**
 * Maximum number of fees of a day for which a response contains the fee lines. Reading more lines
 * would cost more than booking the fee.
 */
const maxShownLines = 100;
/**
 * Maximum size of a response with lines. The response to a token is stored in one item of the
 * table, and an item is at most 400 KB.
 */
const maxShownBytes = 256 * 1024;

const readDay = async ({ expenses, gatewayFees }: Store, account: string, day: string, added: number) => {
  const expense = (await expenses.get(account, gatewayFeeId(day)))?.record;
  const isShort = (expense?.transaction_count ?? 0) + added <= maxShownLines;
  return { expense, fees: isShort ? await gatewayFees.lines(account, day) : undefined };
};

const viewOf = (expense: Expense, fees: FeeLines | undefined) => {
  const view = expenseView(expense, fees);
  return Buffer.byteLength(JSON.stringify(view)) <= maxShownBytes ? view : expenseView(expense);
};

/**
 * Returns the day's record. It contains the lines only if they are few; GET /expenses/{id} returns
 * all of them.
 */
const dayView = async (store: Store, account: string, day: string) => {
  const { expense, fees } = await readDay(store, account, day, 0);
  if (!expense) throw new Error('The day of a booked fee has no expense record.');
  return viewOf(expense, fees);
};

/**
 * Returns the day with the fee added. Its writes book the fee, together with the given writes. If
 * the transaction is already booked, on whatever day, the result is that day with only the given
 * writes. Throws 409 if the day's fees are in another currency.
 */
const bookFee = async (
  store: Store,
  account: string,
  fee: GatewayFee,
  otherWrites: readonly Write[] = [],
): Promise<Decision<ReturnType<typeof viewOf>>> => {
  const { day } = fee;
  const [bookedOn, { expense, fees }, { order_label, writes: unlessErased }] = await Promise.all([
    store.gatewayFees.dayOf(account, fee.line.transaction_id),
    readDay(store, account, day, 1),
    labelOfNewLine(store, account, fee.line),
  ]);
  const line = { ...fee.line, order_label };
  if (bookedOn !== undefined) return { result: await dayView(store, account, bookedOn), writes: otherWrites };
  const obstacle = bookingObstacle(expense, fee);
  if (obstacle !== undefined) throw new ApiError('conflict', obstacle);
  const after = expense ? withFee(expense, fee) : dayOfFirstFee(fee);
  return {
    result: viewOf(after, fees && { ...fees, lines: [...fees.lines, line] }),
    writes: [...store.gatewayFees.bookWrites(account, expense, { ...fee, line }), ...unlessErased, ...otherWrites],
  };
};

/**
 * Rejects a fee that another record states already: one that waits for gateway_fee.book, or the fee of
 * a checkout's payment with another amount (decisions §6, Gateway fees).
 */
const assertOnlyRecord = async ({ gatewayFees, payments }: Store, account: string, { order_id, transaction_id, amount }: FeeLine) => {
  const [day, unbooked, ofOrder] = await Promise.all([
    gatewayFees.dayOf(account, transaction_id),
    gatewayFees.unbooked(account, transaction_id),
    payments.ofOrder(account, order_id),
  ]);
  if (day !== undefined) return;
  if (unbooked) throw new ApiError('conflict', 'This fee waits to be booked. Book it with gateway_fee.book.', { field: 'transaction_id' });
  const paid = ofOrder.find(({ source, gateway }) => source === 'checkout' && gateway?.transaction_id === transaction_id);
  if (paid && paid.fee_amount !== amount)
    throw new ApiError('conflict', `The gateway kept ${paid.fee_amount} of this payment. Send that amount.`, { field: 'amount' });
};

export const gatewayFee = {
  record: onAccount({
    summary: "Adds a fee to its day's gateway-fee expense. Lists the day's fees if there are at most 100.",
    input: record({
      order_id: recordId(),
      order_label: requiredText(),
      gateway: requiredText(),
      amount: positiveMoney(),
      date: feeDay(),
      /**
       * A transaction that is already recorded, on whatever day, changes nothing. Without this
       * field, every call records a separate fee.
       */
      transaction_id: v.exactOptional(recordId()),
    }),
    async decide({ store, clock, newId }, { date: day, transaction_id: sent, ...fee }, { id, currency }) {
      if (currency === null) throw new ApiError('conflict', 'The account has no currency. Set one with account.update.');
      if (sent !== undefined) await assertOnlyRecord(store, id, { ...fee, transaction_id: sent });
      const transaction_id = sent ?? newId('pay', clock.now());
      return bookFee(store, id, { line: { ...fee, transaction_id }, day, currency, at: isoFromMs(clock.now()) });
    },
  }),
  list_unbooked: onAccount({
    summary: 'Lists the checkout fees that could not be booked on their day, and why. Book them with gateway_fee.book.',
    input: record(pageFields(50, 100)),
    async read({ store }, query, { id: account }) {
      const call = { account, operation: 'gateway_fee.list_unbooked', id: '', query };
      return pageBody(call, await store.gatewayFees.listUnbooked(account, pageRequest(call)), unbookedFeeView);
    },
  }),
  book: onAccount({
    summary: 'Books an unbooked fee on another day with fees in the same currency. A repeated call changes nothing.',
    input: record({ transaction_id: recordId(), date: feeDay() }),
    async decide({ store, clock }, { transaction_id, date: day }, { id: account }) {
      const fee = await store.gatewayFees.unbooked(account, transaction_id);
      if (fee) {
        const { line, currency } = fee;
        const removal = store.gatewayFees.removeUnbookedWrite(account, transaction_id);
        return bookFee(store, account, { line, day, currency, at: isoFromMs(clock.now()) }, [removal]);
      }
      const bookedOn = await store.gatewayFees.dayOf(account, transaction_id);
      if (bookedOn !== undefined) return { result: await dayView(store, account, bookedOn) };
      throw notFound('Unbooked fee');
    },
  }),
};
