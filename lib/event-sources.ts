/**
 * Settings of queues, stream and schedules as data. The constructs use them, and so do the
 * simulator's models.
 */

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

/** A queue that feeds a function. */
export const workQueue = {
  /**
   * Six times the function's timeout: a batch is not handed out twice while its function may still
   * be running or throttled.
   */
  visibilitySeconds: 360,
  /** Received so often in vain, a message is a dead letter. */
  maxReceives: 5,
  /**
   * A first attempt exists only as its message: a week to notice a queue that is not processed, and
   * another one for dead letters.
   */
  retentionSeconds: 7 * daySeconds,
  batchSize: 10,
} as const;

/** How long Lambda collects messages for an invocation of deliver, if `batchDeliveries` is on. */
export const deliveryWindowSeconds = 1;

/** As long as SQS can keep a message: it waits for a person. */
export const deadLetterRetentionSeconds = 14 * daySeconds;

/** The change stream, as fan-out reads it. */
export const changeStream = {
  batchSize: 100,
  /** The stream keeps records for 24 h; four hours are left to notice and to quarantine. */
  maxRecordAgeSeconds: 20 * hourSeconds,
} as const;

/** A deployment with notices sweeps more often, because the sweep sends them. */
export const sweepSchedule = { everyMinutes: 5, everyMinutesWithNotices: 1 } as const;

/**
 * How many executions each source of work may take at once, so that the API always finds some of
 * the AWS account's.
 */
export interface Concurrency {
  /**
   * Invocations of deliver: the one source that other people's servers can hold for as long as they
   * like.
   */
  readonly deliver: number;
  readonly searchSync: number;
  /** Invocations of fan-out for each shard of the change stream. */
  readonly perShard: number;
}

/** SQS takes no maximum below 2, and none above 1,000. */
export const leastDeliveries = 2;
export const mostDeliveries = 1_000;

/**
 * Search and stream grow with the deliveries, at a tenth of them. A new table's stream has four
 * shards: with the least of all, background work takes nine executions, one fewer than a new AWS
 * account may run. Ten documents times ten are a catalog in seconds and no burden to one engine;
 * ten are what Lambda gives a shard.
 */
export const concurrencyOf = (deliver: number): Concurrency => {
  const tenth = Math.min(10, Math.floor(deliver / 10));
  return { deliver, searchSync: Math.max(2, tenth), perShard: Math.max(1, tenth) };
};
