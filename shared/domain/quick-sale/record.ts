import { pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

export interface QuickSaleItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
}

/**
 * A sale without an order, over the counter or at a market. Without items, `items_count` is the
 * number that was sent.
 */
export interface QuickSale extends wire.QuickSale {
  readonly items: readonly QuickSaleItem[];
  readonly deleted_at: string | null;
}

/** Fields of `data.object` in quick_sale.* (§ Payloads). */
const told = [
  'id',
  'date',
  'description',
  'sale_type',
  'location',
  'event_name',
  'gross_sales',
  'gross_cost',
  'net_amount',
  'payment_method',
  'items_count',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof wire.QuickSale)[];

export const quickSalePayload = (sale: QuickSale): wire.QuickSale => pick(sale, told);
