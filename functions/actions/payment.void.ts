import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import { setPaymentStatus } from '../../shared/domain/payment/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';

const input = record({ id: requiredText() });

export const voidPayment: AccountAction<typeof input> = {
  summary: 'Voids a payment.',
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const { record, writes } = await modifyRecord({ records: store.payments, account: account.id, id, name: 'Payment' }, (payment) =>
      setPaymentStatus(payment, 'voided', isoFromMs(clock.now())),
    );
    return { result: paymentPayload(record), writes };
  },
};
