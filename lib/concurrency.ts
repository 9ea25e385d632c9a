/** How many executions each source of work may take at once, so that the API always finds some of the AWS account's. */
export interface Concurrency {
  /** Invocations of deliver: the one source that other people's servers can hold for as long as they like. */
  readonly deliver: number;
  readonly searchSync: number;
  /** Invocations of fan-out for each shard of the change stream. */
  readonly perShard: number;
}

/** SQS takes no maximum below 2, and none above 1,000. */
export const leastDeliveries = 2;
export const mostDeliveries = 1_000;

/**
 * Search and stream grow with the deliveries, at a tenth of them. A new table's stream has four shards: with the least of all, background
 * work takes nine executions, one fewer than a new AWS account may run. Ten documents times ten are a catalog in seconds and no burden to
 * one engine; ten are what Lambda gives a shard.
 */
export const concurrencyOf = (deliver: number): Concurrency => {
  const tenth = Math.min(10, Math.floor(deliver / 10));
  return { deliver, searchSync: Math.max(2, tenth), perShard: Math.max(1, tenth) };
};
