import { pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

export interface InventoryItem extends wire.InventoryItem {
  readonly created_at: string;
  readonly updated_at: string;
}

/** `data.object` of inventory.low: no timestamps (§ Payloads). */
const told = [
  'id',
  'type',
  'name',
  'category',
  'current_stock',
  'reorder_point',
  'unit',
  'supplier_id',
  'supplier_name',
] as const satisfies readonly (keyof wire.InventoryItem)[];

export const inventoryPayload = (item: InventoryItem): wire.InventoryItem => pick(item, told);

const isLow = ({ current_stock, reorder_point }: Pick<InventoryItem, 'current_stock' | 'reorder_point'>): boolean =>
  current_stock <= reorder_point;

/**
 * Whether this change crosses to or below the reorder point. It emits nothing again until the stock
 * rises above the point.
 */
export const becameLow = (before: InventoryItem | undefined, after: InventoryItem): boolean =>
  isLow(after) && (before === undefined || !isLow(before));
