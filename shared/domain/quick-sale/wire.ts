import type * as v from 'valibot';
import { count, day, money, orNull, shape, text, timestamp } from '../wire-shape.ts';

/** Sales that are visible in events only. */
export const quickSale = shape('QuickSale', 'A sale without an order, over the counter or at a market.', {
  id: text('Id of the sale.'),
  date: day('Day of the sale.'),
  description: orNull(text('Free text that may hold markup.')),
  sale_type: orNull(text('Free text.')),
  location: orNull(text('Free text.')),
  event_name: orNull(text('Free text.')),
  gross_sales: money('Sales, before cost.'),
  gross_cost: money('Cost of the sale.'),
  net_amount: money('Sales minus cost.'),
  payment_method: orNull(text('Free text.')),
  items_count: count('Number of lines.'),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last save.'),
});

export type QuickSale = v.InferOutput<typeof quickSale>;
