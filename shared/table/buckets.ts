import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import { update } from './expressions.ts';

export const windowSeconds = 60;

export interface BucketState {
  readonly allowed: boolean;
  /** Unix seconds at which the window ends. Requests are allowed again from then on. */
  readonly resetAtSeconds: number;
  /**
   * Name of DynamoDB's throttling error, if DynamoDB throttled the bucket and did not count the
   * request.
   */
  readonly throttledBy?: string;
}

export interface Buckets {
  /**
   * Counts one request of the subject (a key or an address) in the current window of 60 seconds. If
   * DynamoDB throttles the bucket, the subject sends far more requests than its limit allows. In
   * that case the method rejects the request and does not throw.
   */
  take(rule: string, subject: string, limit: number): Promise<BucketState>;
  /**
   * Whether the next request may be rejected, from what this process knows: the window's count and
   * its own requests in flight. True for every request above the limit and for a few below it.
   */
  mayRefuse(rule: string, subject: string, limit: number): boolean;
}

/** Names of AWS's throttling errors, for a key, a table or an account. */
const throttling = /throttl|throughputexceeded|requestlimitexceeded|toomanyrequests/i;

/**
 * Maximum number of buckets to remember in a window. Requests of further subjects are counted in
 * the table every time.
 */
const maxRemembered = 10_000;

/** State of a bucket as known to this process. Within a window, the count only grows. */
interface Known {
  count: number;
  underWay: number;
}

export const openBuckets = (db: Db): Buckets => {
  const windowStart = (): number => Math.floor(db.clock.now() / 1000 / windowSeconds) * windowSeconds;
  let known = { start: 0, buckets: new Map<string, Known>() };
  const knownIn = (start: number, name: string): Known => {
    if (known.start !== start) known = { start, buckets: new Map() };
    const bucket = known.buckets.get(name) ?? { count: 0, underWay: 0 };
    if (known.buckets.size < maxRemembered) known.buckets.set(name, bucket);
    return bucket;
  };
  const nameOf = (rule: string, subject: string): string => `${rule}#${subject}`;

  return {
    mayRefuse(rule, subject, limit) {
      const { count, underWay } = knownIn(windowStart(), nameOf(rule, subject));
      return count + underWay >= limit;
    },
    async take(rule, subject, limit) {
      if (db.buckets === undefined) throw new Error('This function has no table of rate buckets.');
      const start = windowStart();
      const resetAtSeconds = start + windowSeconds;
      const name = nameOf(rule, subject);
      const bucket = knownIn(start, name);
      // The bucket stays above its limit until the window ends, so later requests need not be
      // counted.
      if (bucket.count > limit) return { allowed: false, resetAtSeconds };
      const add = new UpdateCommand({
        // The window is part of the key, so an old bucket that TTL has not deleted yet has no
        // effect.
        ...update(db.buckets, { pk: `${name}#${start}` }, { add: { count: 1 }, set: { expires_at: resetAtSeconds } }),
        ReturnValues: 'UPDATED_NEW',
      });
      bucket.underWay++;
      try {
        const { Attributes } = await db.client.send(add);
        const count = Number(Attributes?.['count']);
        bucket.count = Math.max(bucket.count, count);
        return { allowed: count <= limit, resetAtSeconds };
      } catch (error) {
        if (error instanceof Error && throttling.test(error.name)) return { allowed: false, resetAtSeconds, throttledBy: error.name };
        throw error;
      } finally {
        bucket.underWay--;
      }
    },
  };
};
