/**
 * Settings of queues, stream and schedules as data. The constructs use them, and so do the
 * simulator's models.
 */

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

/** A queue that feeds a function. */
export const workQueue = {
  /**
   * Six times the function's timeout, so that SQS does not deliver a batch again while its function
   * may still run or be throttled.
   */
  visibilitySeconds: 360,
  /**
   * After this many failed receives, a message becomes a dead letter. A receive counts even if Lambda
   * cannot invoke the function for lack of concurrency: it tries until the visibility timeout ends,
   * then drops the batch. So a message outlasts two hours of throttling.
   */
  maxReceives: 20,
  /**
   * Only its message leads to a first attempt. So operators have a week to notice a queue that is
   * not processed.
   */
  retentionSeconds: 7 * daySeconds,
  batchSize: 10,
} as const;

/** How long Lambda collects messages for an invocation of `deliver` if `batchDeliveries` is on. */
export const deliveryWindowSeconds = 1;

/** SQS's maximum, because the message waits for an operator. */
export const deadLetterRetentionSeconds = 14 * daySeconds;

/** How fan-out reads the change stream. */
export const changeStream = {
  batchSize: 100,
  /** The stream keeps records for 24 h. This leaves four hours to park them. */
  maxRecordAgeSeconds: 20 * hourSeconds,
} as const;

/** A deployment with notices sweeps more often, because the sweep sends them. */
export const sweepSchedule = { everyMinutes: 5, everyMinutesWithNotices: 1 } as const;

/**
 * Maximum number of simultaneous executions per event source, so that some of the AWS account's
 * concurrency is left for the API.
 */
export interface Concurrency {
  /** Invocations of `deliver`, which slow receivers can hold. */
  readonly deliver: number;
  readonly searchSync: number;
  /** Invocations of `fan-out` per shard of the change stream. */
  readonly perShard: number;
}

/** SQS accepts a maximum concurrency from 2 to 1,000. */
export const minDeliveries = 2;
export const maxDeliveries = 1_000;

/**
 * Returns the concurrency for a number of simultaneous deliveries. Search and stream get a tenth of
 * it, at most ten: ten batches of ten documents update a catalog in seconds, and Lambda allows ten
 * per shard. A new table's stream has four shards. With the minimum everywhere, background work
 * takes nine executions, one fewer than a new AWS account may run.
 */
export const concurrencyFor = (deliver: number): Concurrency => {
  const tenth = Math.min(10, Math.floor(deliver / 10));
  return { deliver, searchSync: Math.max(2, tenth), perShard: Math.max(1, tenth) };
};
