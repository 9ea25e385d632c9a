import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import { updateInput } from './expressions.ts';

export const windowSeconds = 60;

export interface BucketState {
  readonly allowed: boolean;
  /** Unix seconds at which the window ends. Requests are allowed again from then on. */
  readonly resetAtSeconds: number;
  /**
   * DynamoDB's reason, for example `TableWriteAccountLimitExceeded`, if it throttled the bucket and
   * did not count the request. The error's name, if the error has no reason.
   */
  readonly throttledBy?: string;
}

export interface Buckets {
  /**
   * Counts one request of the subject (a key or an address) in the current window of 60 seconds.
   *
   * If DynamoDB throttles the range of keys of the bucket, the subject sends far more requests than
   * its limit allows: the request is rejected. If DynamoDB throttles the table or the AWS account,
   * that says nothing about the subject: this process admits requests up to the limit by its own
   * count.
   */
  take(rule: string, subject: string, limit: number): Promise<BucketState>;
  /**
   * Whether the next request may be rejected, from what this process knows: the window's count and
   * its own requests in flight. True for every request above the limit and for a few below it.
   */
  mayReject(rule: string, subject: string, limit: number): boolean;
}

/** Names of AWS's throttling errors, for a key, a table or an account. */
const throttling = /throttl|throughputexceeded|requestlimitexceeded|toomanyrequests/i;

/**
 * Maximum number of buckets to remember in a window. Requests of further subjects are counted in
 * the table every time.
 */
const maxRemembered = 10_000;

/** Returns why DynamoDB throttled the call; undefined if the error is not throttling. */
const throttlingOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error && throttling.test(error.name))) return undefined;
  // The field's spelling depends on the error.
  const reasons = 'ThrottlingReasons' in error ? error.ThrottlingReasons : 'throttlingReasons' in error ? error.throttlingReasons : [];
  return JSON.stringify(reasons)?.match(/\w+Exceeded/)?.[0] ?? error.name;
};

/** State of a bucket as known to this process. Within a window, the counts only grow. */
interface KnownBucket {
  /** The table's count. */
  count: number;
  /** Requests that this process admitted without the table's count. */
  admitted: number;
  underWay: number;
}

export const openBuckets = (db: Db): Buckets => {
  const windowStart = (): number => Math.floor(db.clock.now() / 1000 / windowSeconds) * windowSeconds;
  let known = { start: 0, buckets: new Map<string, KnownBucket>() };
  const knownIn = (start: number, name: string): KnownBucket => {
    if (known.start !== start) known = { start, buckets: new Map() };
    const bucket = known.buckets.get(name) ?? { count: 0, admitted: 0, underWay: 0 };
    if (known.buckets.size < maxRemembered) known.buckets.set(name, bucket);
    return bucket;
  };
  const nameOf = (rule: string, subject: string): string => `${rule}#${subject}`;

  return {
    mayReject(rule, subject, limit) {
      const { count, admitted, underWay } = knownIn(windowStart(), nameOf(rule, subject));
      return count + admitted + underWay >= limit;
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
        ...updateInput(db.buckets, { pk: `${name}#${start}` }, { add: { count: 1 }, set: { expires_at: resetAtSeconds } }),
        ReturnValues: 'UPDATED_NEW',
      });
      bucket.underWay++;
      try {
        const { Attributes } = await db.client.send(add);
        const count = Number(Attributes?.['count']);
        bucket.count = Math.max(bucket.count, count);
        return { allowed: count + bucket.admitted <= limit, resetAtSeconds };
      } catch (error) {
        const throttledBy = throttlingOf(error);
        if (throttledBy === undefined) throw error;
        const allowed = !throttledBy.endsWith('KeyRangeThroughputExceeded') && bucket.count + bucket.admitted < limit;
        if (allowed) bucket.admitted++;
        return { allowed, resetAtSeconds, throttledBy };
      } finally {
        bucket.underWay--;
      }
    },
  };
};
