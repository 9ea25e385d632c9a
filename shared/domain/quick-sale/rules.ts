import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type QuickSale, quickSalePayload } from './fields.ts';

export const quickSaleEvents = ({ before, after }: Images<QuickSale>): readonly EventOfChange[] => {
  const object = quickSalePayload(after.record);
  if (!before) return [{ type: 'quick_sale.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  return [{ type: after.record.deleted_at === null ? 'quick_sale.updated' : 'quick_sale.deleted', object }];
};
