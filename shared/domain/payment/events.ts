import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import type { EventType } from '../event/types.ts';
import { isSettled, type Payment, paymentPayload } from './record.ts';

/** Returns the events that a payment emits when it reaches a new status. */
const reached = (before: string | undefined, after: string): readonly EventType[] => {
  if (isSettled(after) && !(before !== undefined && isSettled(before))) return ['payment.completed'];
  return after === 'failed' && before !== 'failed' ? ['payment.failed'] : [];
};

const typesOf = ({ before, after }: Images<Payment>): readonly EventType[] => {
  const { status, type, emits_on_create } = after.record;
  if (before) return isSaved(before, after) ? ['payment.updated', ...reached(before.record.status, status)] : [];
  if (!emits_on_create) return [];
  return type === 'refund' ? ['payment.refunded'] : ['payment.created', ...reached(undefined, status)];
};

/** Returns the events of a change (§ When payment events fire, rules 1 to 7). */
export const paymentEvents = (images: Images<Payment>): readonly EventOfChange[] => {
  const object = paymentPayload(images.after.record);
  return typesOf(images).map((type) => ({ type, object }));
};
