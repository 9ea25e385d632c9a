export interface InventoryItem {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly category: string | null;
  readonly current_stock: number;
  readonly reorder_point: number;
  readonly unit: string;
  readonly supplier_id: string | null;
  readonly supplier_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const isLow = ({ current_stock, reorder_point }: Pick<InventoryItem, 'current_stock' | 'reorder_point'>): boolean =>
  current_stock <= reorder_point;

/** True where this change is the crossing to or below the reorder point; it is not heard again until stock rises above it. */
export const becameLow = (before: InventoryItem | undefined, after: InventoryItem): boolean =>
  isLow(after) && (before === undefined || !isLow(before));
