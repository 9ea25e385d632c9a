export interface QuickSaleItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
}

/** A sale without an order: over the counter, at a market. */
export interface QuickSale {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly description: string | null;
  readonly sale_type: string | null;
  readonly location: string | null;
  readonly event_name: string | null;
  readonly gross_sales: number;
  readonly gross_cost: number;
  readonly net_amount: number;
  readonly payment_method: string | null;
  readonly items: readonly QuickSaleItem[];
  /** Lines, or what was said where the sale has none. */
  readonly items_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}
