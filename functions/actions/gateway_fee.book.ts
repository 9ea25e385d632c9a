import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { bookFee, dayView, feeDay } from './book-fee.ts';

const input = record({ transaction_id: requiredText(), date: feeDay() });

export const bookUnbookedFee: AccountAction<typeof input> = {
  summary: 'Books a fee that was kept aside on another day, whose fees are in its currency; again changes nothing.',
  account: 'required',
  input,
  async decide({ store, clock }, { transaction_id, date: day }, { id: account }) {
    const fee = await store.gatewayFees.unbooked(account, transaction_id);
    if (fee) {
      const { line, currency } = fee;
      const removal = store.gatewayFees.removeUnbookedWrite(account, transaction_id);
      return bookFee(store, account, { line, day, currency, at: isoFromMs(clock.now()) }, [removal]);
    }
    if (await store.gatewayFees.isBooked(account, day, transaction_id)) return { result: await dayView(store, account, day), writes: [] };
    throw notFound('Unbooked fee');
  },
};
