import type { InferOutput } from 'valibot';
import type { EventOfChange, Images } from '../event/types.ts';
import { field, namesOf, pick } from '../record-fields.ts';
import { number, orNull, shape, text } from '../wire-shape.ts';

/** Fields of `data.object` in inventory.low, without timestamps (§ Payloads). */
export const eventFields = {
  id: text('Id of the item.'),
  type: field(text('Kind of item, for example `ingredient`. The bakery chooses it.'), { sent: (is) => is.requiredText() }),
  name: field(text('Name of the item.'), { sent: (is) => is.requiredText() }),
  category: field(orNull(text('Group of items, for example `Dry goods`. Null without one.')), { sent: (is) => is.optionalText() }),
  current_stock: number('Quantity in stock, in `unit`.'),
  reorder_point: number('Quantity in `unit` at which the stock counts as low.'),
  unit: field(text('Unit of the quantities, for example `kg`.'), { sent: (is) => is.requiredText() }),
  supplier_id: field(orNull(text("Id of the supplier in the caller's system. Null if not stated.")), { sent: (is) => is.optionalText() }),
  supplier_name: field(orNull(text('Name of the supplier. Null if not stated.')), { sent: (is) => is.optionalText() }),
};

/** Stock that is visible in events only. */
export const inventoryItem = shape('InventoryItem', 'A stock item that is running low.', eventFields);
type InventoryPayload = InferOutput<typeof inventoryItem>;

export interface InventoryItem extends InventoryPayload {
  readonly created_at: string;
  readonly updated_at: string;
}

export const inventoryPayload = (item: InventoryItem): InventoryPayload => pick(item, namesOf(eventFields));

const isLow = ({ current_stock, reorder_point }: Pick<InventoryItem, 'current_stock' | 'reorder_point'>): boolean =>
  current_stock <= reorder_point;

/**
 * Whether this change takes the stock to the reorder point or below. It cannot do so again until
 * the stock has risen above the point.
 */
const becameLow = (before: InventoryItem | undefined, after: InventoryItem): boolean =>
  isLow(after) && (before === undefined || !isLow(before));

/**
 * Returns `inventory.low`, once each time the stock falls to the reorder point or below (decisions
 * §7).
 */
export const inventoryEvents = ({ before, after }: Images<InventoryItem>): readonly EventOfChange[] =>
  becameLow(before?.record, after.record) ? [{ type: 'inventory.low', object: inventoryPayload(after.record) }] : [];
