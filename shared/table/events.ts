import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Db, Item } from './client.ts';
import { exists, isAbsent, showOld, update, where } from './expressions.ts';
import { isExpired, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { sendAlone, sendUpdate } from './write.ts';

/** An event as it is sent: the body once, byte for byte the same in every delivery. */
interface StoredEvent {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly body: string;
  readonly createdMs: number;
  /** Ids of the endpoints that receive it. */
  readonly endpoints: readonly string[];
}

export interface Events {
  /**
   * Stores the event unless it is stored already: a replayed change makes no second one. Returns the endpoints that were stored with
   * it before, none if this call stored it, and adds those of this call to them.
   */
  create(event: StoredEvent): Promise<readonly string[]>;
  /** Endpoints that were stored with the event; none if it is not stored. */
  endpointsOf(account: string, id: string): Promise<readonly string[]>;
  /** Undefined once the retention has passed. */
  get(account: string, id: string): Promise<Pick<StoredEvent, 'type' | 'body'> | undefined>;
  /** The stored body; undefined once the retention has passed. */
  getBody(account: string, id: string): Promise<string | undefined>;
  /** Puts another body in the place of the stored one, under the same id: only for what has to be erased. */
  rewrite(account: string, id: string, body: string): Promise<void>;
}

export const eventKey = (account: string, id: string) => ({ pk: partition('event', account), sk: id });

const endpointsIn = (item: Item | undefined): readonly string[] => (item?.['endpoints'] ?? []) as readonly string[];

export const openEvents = (db: Db): Events => {
  const get: Events['get'] = async (account, id) => {
    const item = await db.get(eventKey(account, id));
    return item && !isExpired(item, db.clock.now()) ? { type: item['type'] as string, body: item['body'] as string } : undefined;
  };
  return {
    get,
    async create({ id, account, type, body, createdMs, endpoints }) {
      const Item = { ...eventKey(account, id), type, body, endpoints, expires_at: nowSeconds(createdMs) + retentionSeconds('event') };
      const { item } = await sendAlone(db, new PutCommand({ TableName: db.table, Item, ...where(isAbsent), ...showOld }));
      const before = endpointsIn(item);
      const all = [...new Set([...before, ...endpoints])];
      // Before their records are made: the next repetition has to find these endpoints too.
      if (item && all.length > before.length)
        await sendUpdate(db, update(db.table, eventKey(account, id), { set: { endpoints: all }, where: exists }));
      return before;
    },
    endpointsOf: async (account, id) => endpointsIn(await db.get(eventKey(account, id))),
    getBody: async (account, id) => (await get(account, id))?.body,
    async rewrite(account, id, body) {
      await sendUpdate(db, update(db.table, eventKey(account, id), { set: { body }, where: exists }));
    },
  };
};
