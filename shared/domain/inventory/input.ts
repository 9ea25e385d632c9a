import * as v from 'valibot';
import { invalidValue } from '../../core/errors.ts';
import type { record } from '../../core/fields.ts';
import * as inputs from '../inputs.ts';
import { sentOf } from '../record-fields.ts';
import { eventFields, type InventoryItem } from './fields.ts';

/** Maximum stock. Below one billion, a double represents six decimals exactly. */
const maxStock = 1e9;
const decimals = 1e6;

const roundStock = (quantity: number): number => Math.round(quantity * decimals) / decimals;

/** An amount of stock in its unit, rounded to 6 decimals. */
export const stock = () =>
  v.pipe(
    v.number('must be a number'),
    v.check((amount) => Math.abs(amount) < maxStock, `must be smaller than ${maxStock}`),
    v.transform(roundStock),
  );

export const inventoryInput = {
  ...sentOf(eventFields, inputs),
  current_stock: stock(),
  reorder_point: v.pipe(
    stock(),
    v.check((amount) => amount >= 0, 'must not be negative'),
  ),
};
type InventoryInput = v.InferOutput<ReturnType<typeof record<typeof inventoryInput>>>;

/** Returns the item to store. It replaces `before`, if that exists. */
export const putInventoryItem = (before: InventoryItem | undefined, input: InventoryInput, id: string, now: string): InventoryItem => ({
  ...input,
  id,
  created_at: before?.created_at ?? now,
  updated_at: before && before.updated_at > now ? before.updated_at : now,
});

/** Returns the item with the changed stock. Rejects a stock above the maximum. */
export const adjustStock = (item: InventoryItem, delta: number, updated_at: string): InventoryItem => {
  const current_stock = roundStock(item.current_stock + delta);
  if (Math.abs(current_stock) >= maxStock)
    throw invalidValue('delta', `The stock after delta must be between -${maxStock} and ${maxStock}.`);
  return { ...item, current_stock, updated_at };
};
