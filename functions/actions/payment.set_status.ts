import { oneOf, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import { paymentStatuses } from '../../shared/domain/payment/record.ts';
import { setPaymentStatus } from '../../shared/domain/payment/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';

const input = record({ id: requiredText(), status: oneOf(paymentStatuses) });

export const setStatusOfPayment: AccountAction<typeof input> = {
  summary: 'Writes the status of a payment; the same one again is a write too.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, status }, account) {
    const { record, writes } = await modifyRecord({ records: store.payments, account: account.id, id, name: 'Payment' }, (payment) =>
      setPaymentStatus(payment, status, isoFromMs(clock.now())),
    );
    return { result: paymentPayload(record), writes };
  },
};
