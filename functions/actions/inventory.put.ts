import { orNull, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { inventoryInput, putInventoryItem } from '../../shared/domain/inventory/rules.ts';
import type { AccountAction } from './action.ts';
import { inventoryView } from './shop-views.ts';

const input = record({ id: orNull(requiredText()), ...inventoryInput });

export const putInventory: AccountAction<typeof input> = {
  summary: 'Puts an inventory item, new or in place of the one with the id.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, { id: named, ...said }, account) {
    const id = named ?? newId('inv', clock.now());
    const stored = await store.inventory.get(account.id, id);
    const item = putInventoryItem(stored?.record, said, id, isoFromMs(clock.now()));
    return { result: inventoryView(item), writes: [store.inventory.replaceWrite(account.id, item, stored?.revision ?? 0)] };
  },
};
