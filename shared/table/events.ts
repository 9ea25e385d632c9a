import type { Db } from './client.ts';
import { isAbsent } from './expressions.ts';
import { expiryOf, partition, readUnexpired } from './keys.ts';
import { type PackedBody, replaceBody } from './packed-body.ts';
import { putItem, sendAlone } from './write.ts';

/** An event as it is sent. Every delivery sends the same bytes of the body. */
interface StoredEvent {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly body: string;
  readonly createdMs: number;
}

const eventKey = (account: string, id: string) => ({ pk: partition('event', account), sk: id });

/**
 * Bodies of events that several endpoints receive, or that are too long for the delivery record of
 * a single one (`deflateIfShort`).
 */
export const openEvents = (db: Db) => ({
  /** Stores the event, unless it is stored already because the change is read again. */
  async create({ id, account, type, body, createdMs }: StoredEvent) {
    const item = { ...eventKey(account, id), type, body, expires_at: expiryOf('event', createdMs) };
    await sendAlone(db, putItem(db, item, { where: isAbsent }));
  },
  /** Returns undefined after the event's retention. */
  async get(account: string, id: string) {
    const item = await readUnexpired(db, eventKey(account, id));
    return item && { type: item['type'] as string, body: item['body'] as string };
  },
  /** Replaces the body of a stored event (`replaceBody`). Only for erasures. */
  rewrite: (account: string, id: string, before: PackedBody, after: string) => replaceBody(db, eventKey(account, id), before, after),
});
