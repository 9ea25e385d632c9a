import { invalidValue } from '../../shared/core/errors.ts';
import { oneOf } from '../../shared/core/fields.ts';
import { decodeSearchMessage } from '../../shared/domain/product/search.ts';
import type { HeldMessage, OperatedQueue } from '../../shared/providers/operated-queue.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';

/** Every queue of a region. */
export const queueNames = [
  'delivery',
  'delivery-dead-letters',
  'search',
  'search-dead-letters',
  'sweep-failures',
  'parking-notices',
] as const;
export type QueueName = (typeof queueNames)[number];
export type OperatedQueues = Readonly<Record<QueueName, OperatedQueue>>;

/** Queues that no function reads. Only operators read them. */
export const endQueueNames = ['delivery-dead-letters', 'search-dead-letters', 'sweep-failures', 'parking-notices'] as const;
export const endQueue = oneOf(endQueueNames);

/**
 * For each dead-letter queue: the queue from which its messages came, and a function that returns a
 * message's account. The account is the message group if the dead-letter queue has lost the group.
 */
export const redrives = {
  'delivery-dead-letters': { to: 'delivery', account: (body: string) => decodeMessage(body)?.account },
  'search-dead-letters': { to: 'search', account: (body: string) => decodeSearchMessage(body)?.account },
} as const satisfies Partial<Record<QueueName, { to: QueueName; account: (body: string) => string | undefined }>>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the view of a held message. If its body is JSON, the view contains the parsed value. */
export const messageView = ({ id, body, groupId, sentMs, receiveCount }: HeldMessage) => ({
  id,
  account: groupId ?? null,
  sent_at: new Date(sentMs).toISOString(),
  receives: receiveCount,
  body: parseJson(body),
});

/** Returns the object keys of a notice of S3. Throws for other messages. */
export const noticedKeys = (body: string): readonly string[] => {
  const { Records = [], Event } = (parseJson(body) ?? {}) as { Records?: { s3?: { object?: { key?: string } } }[]; Event?: string };
  if (Event === 's3:TestEvent') return []; // S3 sends this once, when the notification is set up
  const keys = Records.flatMap(({ s3 }) => s3?.object?.key ?? []);
  if (keys.length === 0) throw invalidValue('queue', 'The notice names no quarantined record. Inspect it with queue.peek.');
  return keys.map((key) => decodeURIComponent(key.replaceAll('+', ' ')));
};
