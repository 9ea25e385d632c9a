import { expect, test } from '@jest/globals';
import type { InventoryItem } from '../../../shared/domain/inventory/fields.ts';
import { putInventoryItem } from '../../../shared/domain/inventory/input.ts';
import { eventsOfKind } from '../emitted.ts';

const now = '2026-03-10T09:00:00.000Z';
const item = (current_stock: number, reorder_point = 5): InventoryItem =>
  putInventoryItem(
    undefined,
    { type: 'ingredient', name: 'Flour', category: null, unit: 'kg', supplier_id: null, supplier_name: null, current_stock, reorder_point },
    'inv_1',
    now,
  );
const eventsOf = eventsOfKind<InventoryItem>('inventoryItem');

test.each<[string, number, InventoryItem | undefined, InventoryItem | undefined]>([
  ['falls to the reorder point', 1, item(6), item(5)],
  ['falls below it', 1, item(6), item(1)],
  ['falls and stays above it', 0, item(7), item(6)],
  ['falls further below it', 0, item(5), item(4)],
  ['stays at it', 0, item(5), item(5)],
  ['rises and stays below it', 0, item(1), item(5)],
  ['rises above it', 0, item(5), item(6)],
  ['has its reorder point raised to the stock', 1, item(6), item(6, 6)],
  ['has its reorder point lowered below the stock', 0, item(5), item(5, 4)],
  ['is new and low', 1, undefined, item(5)],
  ['is new and not low', 0, undefined, item(6)],
  ['is removed for good', 0, item(1), undefined],
])('an item that %s emits inventory.low %i times', (_name, times, before, after) => {
  expect(eventsOf(before, after).map(({ type }) => type)).toEqual(Array.from({ length: times }, () => 'inventory.low'));
});
