import { pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

export interface InventoryItem extends wire.InventoryItem {
  readonly created_at: string;
  readonly updated_at: string;
}

/** Fields of `data.object` in inventory.low, without timestamps (§ Payloads). */
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
 * Whether this change takes the stock to the reorder point or below. It cannot do so again until
 * the stock has risen above the point.
 */
export const becameLow = (before: InventoryItem | undefined, after: InventoryItem): boolean =>
  isLow(after) && (before === undefined || !isLow(before));
