import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { positiveMoney, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { bookFee, feeDay } from './book-fee.ts';

const input = record({
  order_id: requiredText(),
  order_label: requiredText(),
  gateway: requiredText(),
  amount: positiveMoney(),
  date: feeDay(),
  /** Recording the same transaction again changes nothing; absent, every call is a fee of its own. */
  transaction_id: v.exactOptional(requiredText()),
});

export const recordFee: AccountAction<typeof input> = {
  summary: "Adds a fee a payment gateway kept to that day's gateway-fee expense; shows its lines up to 100.",
  account: 'required',
  input,
  async decide({ store, clock, newId }, { date, transaction_id = newId('pay', clock.now()), ...fee }, account) {
    const { currency } = account;
    if (currency === null) throw new ApiError('conflict', 'The account has no currency to record fees in.');
    return bookFee(store, account.id, { line: { ...fee, transaction_id }, day: date, currency, at: isoFromMs(clock.now()) });
  },
};
