import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { modifyOrder } from './modify-order.ts';

const input = record({ id: requiredText() });

/** Soft: the record stays and is not returned any more. */
export const deleteOrder: AccountAction<typeof input> = {
  summary: "Deletes an order and takes it out of its customer's totals.",
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const { writes } = await modifyOrder(store, account, id, (order) => {
      const now = isoFromMs(clock.now());
      return { ...order, deleted_at: now, updated_at: now };
    });
    return { result: { deleted: true, id }, writes };
  },
};
