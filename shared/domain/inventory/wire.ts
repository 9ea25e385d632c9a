import type * as v from 'valibot';
import { number, orNull, shape, text } from '../wire-shape.ts';

/** Stock that is visible in events only. */
export const inventoryItem = shape('InventoryItem', 'A stock item that is running low.', {
  id: text('Id of the item.'),
  type: text('Free text.'),
  name: text('Name.'),
  category: orNull(text('Free text.')),
  current_stock: number('Quantity left, in `unit`.'),
  reorder_point: number('Stock is low at this quantity or below.'),
  unit: text('Free text.'),
  supplier_id: orNull(text("The caller's id of the supplier.")),
  supplier_name: orNull(text('Name of the supplier.')),
});

export type InventoryItem = v.InferOutput<typeof inventoryItem>;
