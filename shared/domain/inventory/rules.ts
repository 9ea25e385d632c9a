import type { EventOfChange, Images } from '../event/records.ts';
import { type InventoryItem, inventoryPayload } from './fields.ts';

const isLow = ({ current_stock, reorder_point }: Pick<InventoryItem, 'current_stock' | 'reorder_point'>): boolean =>
  current_stock <= reorder_point;

/**
 * Whether this change takes the stock to the reorder point or below. It cannot do so again until
 * the stock has risen above the point.
 */
export const becameLow = (before: InventoryItem | undefined, after: InventoryItem): boolean =>
  isLow(after) && (before === undefined || !isLow(before));

/**
 * Returns `inventory.low`, once each time the stock falls to the reorder point or below (decisions
 * §7).
 */
export const inventoryEvents = ({ before, after }: Images<InventoryItem>): readonly EventOfChange[] =>
  becameLow(before?.record, after.record) ? [{ type: 'inventory.low', object: inventoryPayload(after.record) }] : [];
