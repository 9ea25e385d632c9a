import { createHash } from 'node:crypto';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, type Log } from '../../shared/core/log.ts';
import { type Engine, engineCalls } from '../engine/dynamodb.ts';
import type { Checkpoint, StreamPosition } from '../engine/stream-records.ts';
import { invocationContext, withTimeout } from '../lambda.ts';

interface StreamBatch {
  /** Stream records in the engine's format, which is nearly Lambda's. */
  readonly records: readonly DynamoDBRecord[];
  /** The position after the records; undefined is the beginning. */
  readonly end: StreamPosition | undefined;
}

/** Reads one stream forward, shard after shard. */
export interface StreamReader {
  /**
   * Returns the next records after the position; an empty batch means that there are no more now.
   */
  read(after: StreamPosition | undefined): Promise<StreamBatch>;
  close(): void;
}

/** Maximum records of one read. */
const readLimit = 100;

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

export const openStream = (client: Engine['client'], streamArn: string): StreamReader => {
  const patient = { connectionTimeout: 1000, requestTimeout: 5000 };
  const { call, [Symbol.dispose]: close } = engineCalls({ ...client, requestHandler: patient }, 'DynamoDBStreams_20120810');
  /** The iterator after `position`, which is the last `end` that was returned. */
  let iterator: string | undefined;
  let position: StreamPosition | undefined;

  /** Returns the start of the first shard, or of the shard that follows a closed one. */
  const startOfShard = async (parent?: string): Promise<StreamPosition | undefined> => {
    const { StreamDescription } = await call<{ StreamDescription?: { Shards?: readonly Shard[] } }>('DescribeStream', {
      StreamArn: streamArn,
    });
    const shards = StreamDescription?.Shards ?? [];
    const shard = parent === undefined ? shards[0] : shards.find(({ ParentShardId }) => ParentShardId === parent);
    return shard && { shardId: shard.ShardId, sequenceNumber: '' };
  };

  const openIterator = async ({ shardId, sequenceNumber }: StreamPosition): Promise<string | undefined> => {
    const { ShardIterator } = await call<{ ShardIterator?: string }>('GetShardIterator', {
      StreamArn: streamArn,
      ShardId: shardId,
      ...(sequenceNumber === ''
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequenceNumber }),
    });
    return ShardIterator;
  };

  const read = async (after: StreamPosition | undefined): Promise<StreamBatch> => {
    if (after !== position) iterator = undefined;
    position = after ?? (await startOfShard());
    if (position === undefined) return { records: [], end: undefined };
    iterator ??= await openIterator(position);
    const { Records = [], NextShardIterator } = await call<{ Records?: readonly DynamoDBRecord[]; NextShardIterator?: string }>(
      'GetRecords',
      { ShardIterator: iterator, Limit: readLimit },
    );
    iterator = NextShardIterator;
    const sequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
    if (sequenceNumber !== undefined) position = { ...position, sequenceNumber };
    // Without a next iterator the shard is closed and fully read: its child follows.
    else if (iterator === undefined) position = (await startOfShard(position.shardId)) ?? position;
    return { records: Records, end: position };
  };

  return {
    async read(after) {
      try {
        return await read(after);
      } catch (error) {
        iterator = undefined;
        const name = error instanceof Error ? error.name : '';
        if (name === 'ExpiredIteratorException') return { records: [], end: after };
        // Continues with the oldest record that is left.
        if (name === 'TrimmedDataAccessException') return { records: [], end: undefined };
        throw error;
      }
    },
    close,
  };
};

export type StreamFunction = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse | undefined>;

interface StreamPollerOptions {
  readonly streamArn: string;
  readonly reader: StreamReader;
  readonly checkpoint: Checkpoint;
  /** Event-source filter patterns. Skips records that match none. */
  readonly filters: readonly object[];
  readonly invoke: StreamFunction;
  readonly log: Log;
  readonly idleMs?: number;
  readonly firstRetryMs?: number;
}

const longestRetryMs = 5000;
const functionTimeoutMs = 60_000;

/** Returns the number of handled records: all, or those before the first reported failure. */
const handledCount = async ({ filters, invoke }: StreamPollerOptions, records: readonly DynamoDBRecord[]): Promise<number> => {
  const matching = records.filter((record) => matchesAny(filters, record));
  if (matching.length === 0) return records.length;
  const context = invocationContext('fan-out', functionTimeoutMs);
  const response = await withTimeout(functionTimeoutMs, () => invoke({ Records: matching }, context));
  const failed = new Set((response?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier));
  if (failed.size === 0) return records.length;
  const first = records.findIndex((record) => failed.has(record.dynamodb?.SequenceNumber ?? ''));
  return Math.max(first, 0); // an unknown identifier fails the whole batch
};

/**
 * Feeds a function from a stream in order, like Lambda's event source with ReportBatchItemFailures.
 */
export const startStreamPoller = (options: StreamPollerOptions) => {
  const { streamArn, reader, checkpoint, log, idleMs = 500, firstRetryMs = 100 } = options;
  let handled = checkpoint.load();
  let stopped = false;
  let nudged = false;
  let wake = () => {};

  const sleep = async (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  };

  /** Handles a batch. Returns false if records must be read again. */
  const handle = async ({ records, end }: StreamBatch): Promise<boolean> => {
    const events = records.map((record) => toLambdaRecord(streamArn, record));
    const count = await handledCount(options, events);
    const last = events[count - 1]?.dynamodb?.SequenceNumber;
    if (count === events.length) handled = end;
    else if (end && last !== undefined) handled = { ...end, sequenceNumber: last };
    if (handled && last !== undefined) checkpoint.save(handled);
    return count === events.length;
  };

  const poll = async () => {
    let retryMs = firstRetryMs;
    while (!stopped) {
      nudged = false;
      try {
        const batch = await reader.read(handled);
        if (await handle(batch)) {
          retryMs = firstRetryMs;
          // A partial read reached the end. Later writes have requested another poll.
          if (batch.records.length < readLimit && !nudged && !stopped) await sleep(idleMs);
          continue;
        }
      } catch (error) {
        if (stopped) break;
        log({ message: 'stream batch failed', streamArn, error: describeError(error) });
      }
      await sleep(retryMs);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
    reader.close();
  };
  const ended = poll();

  return {
    /** Polls now, because something was written. */
    nudge(): void {
      nudged = true;
      wake();
    },
    /** Resolves when the running invocation ends. */
    async stop(): Promise<void> {
      stopped = true;
      wake();
      await ended;
    },
  };
};

export type StreamPoller = ReturnType<typeof startStreamPoller>;

/** One rule of a Lambda event filter: a literal, a prefix, or presence. */
type Rule = string | number | boolean | null | { readonly prefix: string } | { readonly exists: boolean };

const meets = (rule: Rule, value: unknown): boolean => {
  if (typeof rule !== 'object' || rule === null) return value === rule;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  if ('exists' in rule) return (value !== undefined) === rule.exists;
  throw new Error(`The local runtime does not know the filter rule ${JSON.stringify(rule)}.`);
};

/**
 * Applies Lambda's filter rules: each field of the pattern must match, and one of the rules in an
 * array.
 */
export const matchesPattern = (pattern: object, value: unknown): boolean =>
  Object.entries(pattern).every(([name, part]) => {
    const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return Array.isArray(part) ? part.some((rule: Rule) => meets(rule, member)) : matchesPattern(part as object, member);
  });

/** A record passes when one of the patterns matches. */
export const matchesAny = (patterns: readonly object[], value: unknown): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, value));

/**
 * Returns a stream record in the format of Lambda's event source. Engines number records from 1 in
 * each stream, but DynamoDB's event ids are unique. So the id combines stream and number, which are
 * the same at each reading.
 */
export const toLambdaRecord = (
  streamArn: string,
  { eventName, awsRegion, userIdentity, dynamodb = {} }: DynamoDBRecord,
): DynamoDBRecord => ({
  eventID: createHash('md5').update(`${streamArn}/${dynamodb.SequenceNumber}`).digest('hex'),
  ...(eventName ? { eventName } : {}),
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: awsRegion ?? 'local',
  eventSourceARN: streamArn,
  ...(userIdentity ? { userIdentity } : {}),
  dynamodb: {
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    ...dynamodb,
    ApproximateCreationDateTime: Math.floor(dynamodb.ApproximateCreationDateTime ?? 0),
  },
});
