import type { EventOfChange, Images } from '../event/records.ts';
import { becameLow, type InventoryItem, inventoryPayload } from './record.ts';

/** Once per crossing to or below the reorder point (decisions §7). */
export const inventoryEvents = ({ before, after }: Images<InventoryItem>): readonly EventOfChange[] =>
  becameLow(before?.record, after.record) ? [{ type: 'inventory.low', object: inventoryPayload(after.record) }] : [];
