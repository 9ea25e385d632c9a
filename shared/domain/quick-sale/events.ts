import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import type { QuickSale } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of quick_sale.* (§ Payloads). */
export const quickSalePayload = (sale: QuickSale): wire.QuickSale => ({
  id: sale.id,
  date: sale.date,
  description: sale.description,
  sale_type: sale.sale_type,
  location: sale.location,
  event_name: sale.event_name,
  gross_sales: sale.gross_sales,
  gross_cost: sale.gross_cost,
  net_amount: sale.net_amount,
  payment_method: sale.payment_method,
  items_count: sale.items_count,
  created_at: sale.created_at,
  updated_at: sale.updated_at,
});

export const quickSaleEvents = ({ before, after }: Images<QuickSale>): readonly EventOfChange[] => {
  const object = quickSalePayload(after.record);
  if (!before) return [{ type: 'quick_sale.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  return [{ type: after.record.deleted_at === null ? 'quick_sale.updated' : 'quick_sale.deleted', object }];
};
