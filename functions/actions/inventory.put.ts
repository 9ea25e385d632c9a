import { orNull, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { inventoryInput, putInventoryItem } from '../../shared/domain/inventory-changes.ts';
import type { AccountAction } from './action.ts';
import { retryStale } from './retry-stale.ts';
import { inventoryView } from './shop-views.ts';

const input = record({ id: orNull(requiredText()), ...inventoryInput });

export const putInventory: AccountAction<typeof input> = {
  summary: 'Puts an inventory item, new or in place of the one with the id.',
  account: 'required',
  input,
  async run({ store, clock, newId }, { id: named, ...said }, account) {
    const id = named ?? newId('inv', clock.now());
    const item = await retryStale(async () => {
      const stored = await store.inventory.get(account.id, id);
      const put = putInventoryItem(stored?.record, said, id, isoFromMs(clock.now()));
      await store.commit([store.inventory.replaceWrite(account.id, put, stored?.revision ?? 0)]);
      return put;
    });
    return inventoryView(item);
  },
};
