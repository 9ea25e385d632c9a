import type * as v from 'valibot';
import { count, day, money, number, orNull, shape, text, timestamp } from './shape.ts';

/** Records that the outside hears of and cannot ask for. */

export const quickSale = shape('QuickSale', 'A sale without an order, over the counter or at a market.', {
  id: text('Id of the sale.'),
  date: day('Day of the sale.'),
  description: orNull(text('Free text that may hold markup.')),
  sale_type: orNull(text('Free text.')),
  location: orNull(text('Free text.')),
  event_name: orNull(text('Free text.')),
  gross_sales: money('What was taken.'),
  gross_cost: money('What it cost.'),
  net_amount: money('Sales without cost.'),
  payment_method: orNull(text('Free text.')),
  items_count: count('Number of lines.'),
  created_at: timestamp('Moment it was recorded.'),
  updated_at: timestamp('Moment of the last save.'),
});

export const inventoryItem = shape('InventoryItem', 'Something in stock that is running low.', {
  id: text('Id of the item.'),
  type: text('Free text.'),
  name: text('Name.'),
  category: orNull(text('Free text.')),
  current_stock: number('What is left, in its unit.'),
  reorder_point: number('Stock at or below which it is low.'),
  unit: text('Free text.'),
  supplier_id: orNull(text("The caller's id of the supplier.")),
  supplier_name: orNull(text('Name of the supplier.')),
});

export const webhookTestMessage = shape('WebhookTestMessage', 'What `webhook.test` says.', {
  message: text('A fixed sentence.'),
  timestamp: timestamp('Moment it was sent.'),
});

export type QuickSale = v.InferOutput<typeof quickSale>;
export type InventoryItem = v.InferOutput<typeof inventoryItem>;
export type WebhookTestMessage = v.InferOutput<typeof webhookTestMessage>;
