import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Db } from './client.ts';
import { partition } from './keys.ts';

/** One item of nobody's, written again and again so that the change stream is never silent while it is read. */
export interface Heartbeat {
  /** One write unit; a new time each time, because the stream shows only what changes an item. */
  write(): Promise<void>;
}

const key = { pk: partition('heartbeat', 'stream'), sk: 'beat' } as const;

export const openHeartbeat = (db: Db): Heartbeat => ({
  async write() {
    await db.client.send(new PutCommand({ TableName: db.table, Item: { ...key, at: db.clock.now() } }));
  },
});

/** Whether a record of the change stream is of the heartbeat, and so no change of an account. */
export const isHeartbeat = ({ dynamodb }: DynamoDBRecord): boolean => dynamodb?.Keys?.['pk']?.S === key.pk;

/** When the heartbeat was written, in milliseconds; undefined of any other record, and of one that tells of its removal. */
export const heartbeatMs = (record: DynamoDBRecord): number | undefined => {
  const at = isHeartbeat(record) ? record.dynamodb?.NewImage?.['at']?.N : undefined;
  return at === undefined ? undefined : Number(at);
};
