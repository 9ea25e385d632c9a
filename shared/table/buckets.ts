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
  /** Whether a request of this window was refused here already: so is every later one, which is not counted any more. */
  isEmpty(rule: string, subject: string): boolean;
}

/** Every name under which AWS says "too many": of a key, a table or an account. */
const throttling = /throttl|throughputexceeded|requestlimitexceeded|toomanyrequests/i;

/** Of refused buckets that are remembered; beyond it they are counted in again, which is what refuses them anyway. */
const maxRemembered = 10_000;

export const openBuckets = (db: Db): Buckets => {
  const windowStart = (): number => Math.floor(db.clock.now() / 1000 / windowSeconds) * windowSeconds;
  // Within its window a count only grows.
  let empty = { start: 0, buckets: new Set<string>() };
  const emptyIn = (start: number): Set<string> => {
    if (empty.start !== start) empty = { start, buckets: new Set() };
    return empty.buckets;
  };
  const nameOf = (rule: string, subject: string): string => `${rule}#${subject}`;

  return {
    isEmpty: (rule, subject) => emptyIn(windowStart()).has(nameOf(rule, subject)),
    async take(rule, subject, limit) {
      if (db.buckets === undefined) throw new Error('This function has no table of rate buckets.');
      const start = windowStart();
      const resetAtSeconds = start + windowSeconds;
      const name = nameOf(rule, subject);
      if (emptyIn(start).has(name)) return { allowed: false, resetAtSeconds };
      const count = new UpdateCommand({
        TableName: db.buckets,
        Key: { pk: `${name}#${start}` },
        // The window is part of the key, so a bucket that TTL has not deleted yet counts for nobody.
        UpdateExpression: 'ADD #count :one SET expires_at = :end',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':one': 1, ':end': resetAtSeconds },
        ReturnValues: 'UPDATED_NEW',
      });
      try {
        const { Attributes } = await db.client.send(count);
        const allowed = Number(Attributes?.['count']) <= limit;
        const refused = emptyIn(start);
        if (!allowed && refused.size < maxRemembered) refused.add(name);
        return { allowed, resetAtSeconds };
      } catch (error) {
        if (error instanceof Error && throttling.test(error.name)) return { allowed: false, resetAtSeconds, throttledBy: error.name };
        throw error;
      }
    },
  };
};
