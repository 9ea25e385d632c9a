import type { EventOfChange, Images } from '../event/records.ts';
import { becameLow, type InventoryItem, inventoryPayload } from './record.ts';

/**
 * Returns `inventory.low`, once each time the stock falls to the reorder point or below (decisions
 * §7).
 */
export const inventoryEvents = ({ before, after }: Images<InventoryItem>): readonly EventOfChange[] =>
  becameLow(before?.record, after.record) ? [{ type: 'inventory.low', object: inventoryPayload(after.record) }] : [];
