import { oneOf, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { orderStatuses } from '../../shared/domain/order/record.ts';
import { moveOrder } from '../../shared/domain/order/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyOrder } from './modify-order.ts';
import { orderView } from './shop-views.ts';

const input = record({ id: requiredText(), status: oneOf(orderStatuses) });

export const setOrderStatus: AccountAction<typeof input> = {
  summary: 'Moves an order to another status, where the table of moves allows it.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, status }, account) {
    const { record, writes } = await modifyOrder(store, account, id, (order) => moveOrder(order, status, isoFromMs(clock.now())));
    return { result: orderView(record), writes };
  },
};
