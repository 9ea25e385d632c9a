import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import { isExpired, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { sendUpdate } from './write.ts';

/** An event as it is sent: the body once, byte for byte the same in every delivery. */
export interface StoredEvent {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly body: string;
  readonly createdMs: number;
}

export interface Events {
  /** Stores the event unless it is stored already: a replayed change makes no second one. */
  create(event: StoredEvent): Promise<void>;
  /** Undefined once the retention has passed. */
  get(account: string, id: string): Promise<Pick<StoredEvent, 'type' | 'body'> | undefined>;
  /** The stored body; undefined once the retention has passed. */
  getBody(account: string, id: string): Promise<string | undefined>;
  /** Puts another body in the place of the stored one, under the same id: only for what has to be erased. */
  rewrite(account: string, id: string, body: string): Promise<void>;
}

export const eventKey = (account: string, id: string) => ({ pk: partition('event', account), sk: id });

export const openEvents = (db: Db): Events => {
  const get: Events['get'] = async (account, id) => {
    const item = await db.get(eventKey(account, id));
    return item && !isExpired(item, db.clock.now()) ? { type: item['type'] as string, body: item['body'] as string } : undefined;
  };
  return {
    get,
    async create({ id, account, type, body, createdMs }) {
      try {
        await db.client.send(
          new PutCommand({
            TableName: db.table,
            Item: { ...eventKey(account, id), type, body, expires_at: nowSeconds(createdMs) + retentionSeconds('event') },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
    getBody: async (account, id) => (await get(account, id))?.body,
    async rewrite(account, id, body) {
      await sendUpdate(db, {
        TableName: db.table,
        Key: eventKey(account, id),
        UpdateExpression: 'SET body = :body',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':body': body },
      });
    },
  };
};
