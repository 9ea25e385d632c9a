import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { adjustStock, stock } from '../../shared/domain/inventory/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';
import { inventoryView } from './shop-views.ts';

const input = record({ id: requiredText(), delta: stock() });

export const adjustInventory: AccountAction<typeof input> = {
  summary: 'Adds to the stock of an inventory item, or takes from it.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, delta }, account) {
    const { record, writes } = await modifyRecord(
      { records: store.inventory, account: account.id, id, name: 'Inventory item' },
      (current) => adjustStock(current, delta, isoFromMs(clock.now())),
    );
    return { result: inventoryView(record), writes };
  },
};
