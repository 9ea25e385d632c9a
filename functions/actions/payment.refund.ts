import { notFound } from '../../shared/core/errors.ts';
import { markup, orNull, positiveMoney, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { makeRefund } from '../../shared/domain/payment-changes.ts';
import { paymentPayload } from '../../shared/events/payment-events.ts';
import type { AccountAction } from './action.ts';

const input = record({ id: requiredText(), amount: positiveMoney(), description: orNull(markup()) });

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
    const { refund, refunded_amount } = makeRefund(original.record, origin);
    return {
      result: paymentPayload(refund),
      writes: [store.payments.refundedWrite(account.id, original, refunded_amount), ...store.payments.createWrites(account.id, refund)],
    };
  },
};
