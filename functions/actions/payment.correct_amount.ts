import { notNegativeMoney, partial, positiveMoney, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import { correctPayment } from '../../shared/domain/payment/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';

const input = record({
  id: requiredText(),
  amount: positiveMoney(),
  ...partial({ tip_amount: notNegativeMoney(), fee_amount: notNegativeMoney() }),
});

export const correctPaymentAmount: AccountAction<typeof input> = {
  summary: 'Corrects the amount of a payment, never below what was refunded of it.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, ...correction }, account) {
    const { record, writes } = await modifyRecord({ records: store.payments, account: account.id, id, name: 'Payment' }, (payment) =>
      correctPayment(payment, correction, isoFromMs(clock.now())),
    );
    return { result: paymentPayload(record), writes };
  },
};
