import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Order, orderPayload } from './record.ts';
import type * as wire from './wire.ts';

/**
 * Every save emits `order.updated`. A change of status also emits `order.status_changed`, the only
 * event with the previous status (decisions §7).
 */
export const orderEvents = ({ before, after }: Images<Order>): readonly EventOfChange[] => {
  const object = orderPayload(after.record);
  if (!before) return [{ type: 'order.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  if (after.record.deleted_at !== null) return [{ type: 'order.deleted', object }];
  const previous_status = before.record.status;
  const moved = previous_status !== after.record.status;
  const statusChange: wire.OrderStatusChangedEventObject = { ...object, previous_status };
  return [{ type: 'order.updated', object }, ...(moved ? [{ type: 'order.status_changed', object: statusChange } as const] : [])];
};
