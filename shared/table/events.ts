import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import { retentionSeconds } from './delivery-keys.ts';
import { isExpired, nowSeconds, partition } from './keys.ts';

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
  /** The stored body; undefined once the retention has passed. */
  getBody(account: string, id: string): Promise<string | undefined>;
}

export const openEvents = (db: Db): Events => ({
  async create({ id, account, type, body, createdMs }) {
    try {
      await db.client.send(
        new PutCommand({
          TableName: db.table,
          Item: { pk: partition('event', account), sk: id, type, body, expires_at: nowSeconds(createdMs) + retentionSeconds },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  },
  async getBody(account, id) {
    const { Item } = await db.client.send(
      new GetCommand({ TableName: db.table, Key: { pk: partition('event', account), sk: id }, ConsistentRead: true }),
    );
    return Item && !isExpired(Item, db.clock.now()) ? (Item['body'] as string) : undefined;
  },
});
