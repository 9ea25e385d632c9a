import type { InventoryItem } from '../domain/inventory/record.ts';
import type { QuickSale } from '../domain/quick-sale/record.ts';
import type { Db } from './client.ts';
import { openRecords, type Records } from './records.ts';

/** Records that the dashboard keeps and no list of the API shows: read by id only. */
export const openQuickSales = (db: Db): Records<QuickSale> =>
  openRecords(db, { kind: 'quickSale', name: 'quick sale', entries: () => ({}) });

export const openInventory = (db: Db): Records<InventoryItem> =>
  openRecords(db, { kind: 'inventoryItem', name: 'inventory item', entries: () => ({}) });
