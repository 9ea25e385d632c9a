import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';

export const windowSeconds = 60;

export interface BucketState {
  readonly allowed: boolean;
  /** Unix seconds at which the window ends and the bucket is full again. */
  readonly resetAtSeconds: number;
}

export interface Buckets {
  /** Counts one request of the subject under the rule in the current fixed 60-second window. */
  take(rule: string, subject: string, limit: number): Promise<BucketState>;
}

export const openBuckets = (db: Db): Buckets => ({
  async take(rule, subject, limit) {
    if (db.buckets === undefined) throw new Error('This function has no table of rate buckets.');
    const startSeconds = Math.floor(db.clock.now() / 1000 / windowSeconds) * windowSeconds;
    const resetAtSeconds = startSeconds + windowSeconds;
    const { Attributes } = await db.client.send(
      new UpdateCommand({
        TableName: db.buckets,
        Key: { pk: `${rule}#${subject}#${startSeconds}` },
        // The window is part of the key, so a bucket that TTL has not deleted yet counts for nobody.
        UpdateExpression: 'ADD #count :one SET expires_at = :end',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':one': 1, ':end': resetAtSeconds },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return { allowed: Number(Attributes?.['count']) <= limit, resetAtSeconds };
  },
});
