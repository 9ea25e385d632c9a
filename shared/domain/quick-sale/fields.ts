import type { InferOutput } from 'valibot';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import { field, namesOf, pick } from '../record-fields.ts';
import { count, day, money, orNull, shape, text, timestamp } from '../wire-shape.ts';

/** Fields of `data.object` in quick_sale.* (§ Payloads). */
export const eventFields = {
  id: text('Id of the sale.'),
  date: day("Day of the sale in the account's time zone."),
  description: field(orNull(text('What was sold, with markup. Null if not stated.')), { sent: (is) => is.orNull(is.markup()) }),
  sale_type: field(orNull(text('Kind of sale, for example `market`. Null if not stated.')), { sent: (is) => is.optionalText() }),
  location: field(orNull(text('Place of the sale. Null if not stated.')), { sent: (is) => is.optionalText() }),
  event_name: field(orNull(text('Event or market of the sale. Null without one.')), { sent: (is) => is.optionalText() }),
  gross_sales: money("Money taken, in the account's currency."),
  gross_cost: field(money("Cost of the goods, in the account's currency. 0 if not stated."), {
    sent: (is) => is.withDefault(is.notNegativeMoney(), 0),
  }),
  net_amount: money('`gross_sales` minus `gross_cost`.'),
  payment_method: field(orNull(text('How the customers paid, as free text. Null if not stated.')), { sent: (is) => is.optionalText() }),
  items_count: count('Number of lines, not of pieces.'),
  created_at: timestamp('Time at which the sale was recorded.'),
  updated_at: timestamp('Time of the last save.'),
};

/** Sales that are visible in events only. */
export const quickSale = shape('QuickSale', 'A sale without an order, over the counter or at a market.', eventFields);
type QuickSalePayload = InferOutput<typeof quickSale>;

export interface QuickSaleItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
}

/**
 * A sale without an order, over the counter or at a market. Without items, `items_count` is the
 * number that was sent.
 */
export interface QuickSale extends QuickSalePayload {
  readonly items: readonly QuickSaleItem[];
  readonly deleted_at: string | null;
}

export const quickSalePayload = (sale: QuickSale): QuickSalePayload => pick(sale, namesOf(eventFields));

export const quickSaleEvents = ({ before, after }: Images<QuickSale>): readonly EventOfChange[] => {
  const object = quickSalePayload(after.record);
  if (!before) return [{ type: 'quick_sale.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  return [{ type: after.record.deleted_at === null ? 'quick_sale.updated' : 'quick_sale.deleted', object }];
};
