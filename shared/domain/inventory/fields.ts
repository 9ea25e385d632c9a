import type { InferOutput } from 'valibot';
import type { EventOfChange, Images } from '../event/types.ts';
import { field, namesOf, pick } from '../record-fields.ts';
import { number, orNull, shape, text } from '../wire-shape.ts';

/** Fields of `data.object` in inventory.low, without timestamps (§ Payloads). */
export const told = {
  id: text('Id of the item.'),
  type: field(text('Free text.'), { sent: (is) => is.requiredText() }),
  name: field(text('Name.'), { sent: (is) => is.requiredText() }),
  category: field(orNull(text('Free text.')), { sent: (is) => is.optionalText() }),
  current_stock: number('Quantity left, in `unit`.'),
  reorder_point: number('Stock is low at this quantity or below.'),
  unit: field(text('Free text.'), { sent: (is) => is.requiredText() }),
  supplier_id: field(orNull(text("The caller's id of the supplier.")), { sent: (is) => is.optionalText() }),
  supplier_name: field(orNull(text('Name of the supplier.')), { sent: (is) => is.optionalText() }),
};

/** Stock that is visible in events only. */
export const inventoryItem = shape('InventoryItem', 'A stock item that is running low.', told);
type InventoryPayload = InferOutput<typeof inventoryItem>;

export interface InventoryItem extends InventoryPayload {
  readonly created_at: string;
  readonly updated_at: string;
}

export const inventoryPayload = (item: InventoryItem): InventoryPayload => pick(item, namesOf(told));

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
