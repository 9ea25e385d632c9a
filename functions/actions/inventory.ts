import { orNull, record, recordId } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { adjustStock, inventoryInput, putInventoryItem, stock } from '../../shared/domain/inventory/input.ts';
import { idField, onAccount } from './action.ts';
import { keepIfSame, modifierOf } from './modify.ts';
import { inventoryView } from './views.ts';

const modifyItem = modifierOf('Inventory item', ({ inventory }) => inventory);

export const inventory = {
  put: onAccount({
    summary: 'Creates an inventory item. If you send an `id`, replaces that item.',
    input: record({ id: orNull(recordId()), ...inventoryInput }),
    async decide({ store, clock, newId }, { id: named, ...fields }, account) {
      const id = named ?? newId('inv', clock.now());
      const stored = await store.inventory.get(account.id, id);
      const put = putInventoryItem(stored?.record, fields, id, isoFromMs(clock.now()));
      const item = stored ? keepIfSame(stored.record, put) : put;
      const writes = item === stored?.record ? [] : [store.inventory.replaceWrite(account.id, item, stored)];
      return { result: inventoryView(item), writes };
    },
  }),
  adjust: onAccount({
    summary: "Adds to an inventory item's stock, or subtracts from it.",
    input: record({ ...idField, delta: stock() }),
    decide: (services, { id, delta }, account) =>
      modifyItem(services, account, id, (item, now) => adjustStock(item, delta, now), inventoryView),
  }),
};
