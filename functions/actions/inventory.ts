import { orNull, record, recordId } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { adjustStock, inventoryInput, putInventoryItem, stock } from '../../shared/domain/inventory/input.ts';
import { byId, onAccount } from './action.ts';
import { keepIfSame, modifyRecord } from './modify.ts';
import { inventoryView } from './views.ts';

export const inventory = {
  put: onAccount({
    summary: 'Puts an inventory item, new or in place of the one with the id.',
    input: record({ id: orNull(recordId()), ...inventoryInput }),
    async decide({ store, clock, newId }, { id: named, ...said }, account) {
      const id = named ?? newId('inv', clock.now());
      const stored = await store.inventory.get(account.id, id);
      const put = putInventoryItem(stored?.record, said, id, isoFromMs(clock.now()));
      const item = stored ? keepIfSame(stored.record, put) : put;
      const writes = item === stored?.record ? [] : [store.inventory.replaceWrite(account.id, item, stored)];
      return { result: inventoryView(item), writes };
    },
  }),
  adjust: onAccount({
    summary: 'Adds to the stock of an inventory item, or takes from it.',
    input: record({ ...byId, delta: stock() }),
    async decide({ store, clock }, { id, delta }, account) {
      const { record, writes } = await modifyRecord(
        { records: store.inventory, account: account.id, id, name: 'Inventory item' },
        (current) => adjustStock(current, delta, isoFromMs(clock.now())),
      );
      return { result: inventoryView(record), writes };
    },
  }),
};
