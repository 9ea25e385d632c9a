import { notFound } from '../../shared/core/errors.ts';
import { markup, orNull, positiveMoney, record, requiredText } from '../../shared/core/fields.ts';
import { placesOf } from '../../shared/core/money.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { saleCurrency } from '../../shared/domain/order/record.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';
import { makeRefund } from '../../shared/domain/payment/rules.ts';
import type { Store } from '../../shared/table/store.ts';
import type { AccountAction } from './action.ts';

const input = record({ id: requiredText(), amount: positiveMoney(), description: orNull(markup()) });

/** That of the payment's order, or else the account's: payments have none of their own. */
const currencyOf = async (store: Store, account: Account, { order_id }: Payment): Promise<string> =>
  (order_id === null ? undefined : await store.orders.get(account.id, order_id))?.record.currency ?? saleCurrency(account);

/** The refund and what is refunded in all are one transaction, so that many at once cannot give back more than was paid. */
export const refundPayment: AccountAction<typeof input> = {
  summary: 'Gives back a part or all of a settled payment, as a refund record of its own.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, { id, amount, description }, account) {
    const nowMs = clock.now();
    const origin = { id: newId('pay', nowMs), amount, description, source: 'dashboard', now: isoFromMs(nowMs) };
    const original = await store.payments.get(account.id, id);
    if (!original) throw notFound('Payment');
    const places = placesOf(await currencyOf(store, account, original.record));
    const { refund, refunded_amount } = makeRefund(original.record, origin, places);
    return {
      result: paymentPayload(refund),
      writes: [store.payments.refundedWrite(account.id, original, refunded_amount), ...store.payments.createWrites(account.id, refund)],
    };
  },
};
