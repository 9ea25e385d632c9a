export interface QuickSale {
  readonly id: string;
  readonly date: string;
  readonly description: string | null;
  readonly sale_type: string | null;
  readonly location: string | null;
  readonly event_name: string | null;
  readonly gross_sales: number;
  readonly gross_cost: number;
  readonly net_amount: number;
  readonly payment_method: string | null;
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly unit_price: number }[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}
