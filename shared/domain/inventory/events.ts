import type { EventOfChange, Images } from '../event/records.ts';
import { becameLow, type InventoryItem } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of inventory.low: no timestamps (§ Payloads). */
export const inventoryPayload = (item: InventoryItem): wire.InventoryItem => ({
  id: item.id,
  type: item.type,
  name: item.name,
  category: item.category,
  current_stock: item.current_stock,
  reorder_point: item.reorder_point,
  unit: item.unit,
  supplier_id: item.supplier_id,
  supplier_name: item.supplier_name,
});

/** Once per crossing to or below the reorder point (decisions §7). */
export const inventoryEvents = ({ before, after }: Images<InventoryItem>): readonly EventOfChange[] =>
  becameLow(before?.record, after.record) ? [{ type: 'inventory.low', object: inventoryPayload(after.record) }] : [];
