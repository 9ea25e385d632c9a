import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { changeQuickSale, quickSaleChanges } from '../../shared/domain/quick-sale/input.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';
import { quickSaleView } from './shop-views.ts';

const input = record({ id: requiredText(), ...quickSaleChanges });

export const updateQuickSale: AccountAction<typeof input> = {
  summary: 'Changes the members given, each whole; the others stay.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, ...changes }, account) {
    const unchanged = Object.keys(changes).length === 0;
    const { record, writes } = await modifyRecord({ records: store.quickSales, account: account.id, id, name: 'Quick sale' }, (current) =>
      unchanged ? current : changeQuickSale(current, changes, isoFromMs(clock.now()), account.timezone),
    );
    return { result: quickSaleView(record), writes };
  },
};
