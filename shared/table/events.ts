import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import { exists, isAbsent, update, where } from './expressions.ts';
import { isExpired, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { sendAlone, sendUpdate } from './write.ts';

/** An event as it is sent. Every delivery sends the same bytes of the body. */
interface StoredEvent {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly body: string;
  readonly createdMs: number;
}

/**
 * Bodies of events that several endpoints receive, or that are too long for the delivery record of
 * a single one (`keepBody`).
 */
interface Events {
  /** Stores the event, unless it is stored already because the change is read again. */
  create(event: StoredEvent): Promise<void>;
  /** Returns undefined after the event's retention. */
  get(account: string, id: string): Promise<Pick<StoredEvent, 'type' | 'body'> | undefined>;
  /** Replaces the body of a stored event. Only for erasures. */
  rewrite(account: string, id: string, body: string): Promise<void>;
}

const eventKey = (account: string, id: string) => ({ pk: partition('event', account), sk: id });

export const openEvents = (db: Db): Events => ({
  async create({ id, account, type, body, createdMs }) {
    const Item = { ...eventKey(account, id), type, body, expires_at: nowSeconds(createdMs) + retentionSeconds('event') };
    await sendAlone(db, new PutCommand({ TableName: db.table, Item, ...where(isAbsent) }));
  },
  async get(account, id) {
    const item = await db.get(eventKey(account, id));
    return item && !isExpired(item, db.clock.now()) ? { type: item['type'] as string, body: item['body'] as string } : undefined;
  },
  async rewrite(account, id, body) {
    await sendUpdate(db, update(db.table, eventKey(account, id), { set: { body }, where: exists }));
  },
});
