import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';

export const windowSeconds = 60;

export interface BucketState {
  readonly allowed: boolean;
  /** Unix seconds at which the window ends and the bucket is full again. */
  readonly resetAtSeconds: number;
  /** The name of DynamoDB's refusal where it throttles the bucket, so that the request could not be counted. */
  readonly throttledBy?: string;
}

export interface Buckets {
  /**
   * Counts one request of the subject under the rule in the current fixed 60-second window. A bucket that DynamoDB throttles is asked
   * for far more often than any limit allows: it counts as empty, and nothing is thrown.
   */
  take(rule: string, subject: string, limit: number): Promise<BucketState>;
}

/** Every name under which AWS says "too many": of a key, a table or an account. */
const throttling = /throttl|throughputexceeded|requestlimitexceeded|toomanyrequests/i;

export const openBuckets = (db: Db): Buckets => ({
  async take(rule, subject, limit) {
    if (db.buckets === undefined) throw new Error('This function has no table of rate buckets.');
    const startSeconds = Math.floor(db.clock.now() / 1000 / windowSeconds) * windowSeconds;
    const resetAtSeconds = startSeconds + windowSeconds;
    const count = new UpdateCommand({
      TableName: db.buckets,
      Key: { pk: `${rule}#${subject}#${startSeconds}` },
      // The window is part of the key, so a bucket that TTL has not deleted yet counts for nobody.
      UpdateExpression: 'ADD #count :one SET expires_at = :end',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1, ':end': resetAtSeconds },
      ReturnValues: 'UPDATED_NEW',
    });
    try {
      const { Attributes } = await db.client.send(count);
      return { allowed: Number(Attributes?.['count']) <= limit, resetAtSeconds };
    } catch (error) {
      if (error instanceof Error && throttling.test(error.name)) return { allowed: false, resetAtSeconds, throttledBy: error.name };
      throw error;
    }
  },
});
