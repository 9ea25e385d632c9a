import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';
import type { ChangeStreams } from '../engine/engine.ts';
import { invocationContext, withTimeout } from '../lambda.ts';

/** Maximum records of one read. */
const readLimit = 100;

export type StreamFunction = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse | undefined>;

interface StreamPollerOptions {
  /** Names the stream in the log. */
  readonly table: string;
  /** Returns the next records after a position. */
  readonly read: (after: number, limit: number) => ReturnType<ChangeStreams['changes']>;
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
  const { table, read, checkpoint, log, idleMs = 500, firstRetryMs = 100 } = options;
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
  const handle = async (records: readonly DynamoDBRecord[]): Promise<boolean> => {
    const count = await handledCount(options, records);
    if (count > 0) {
      handled = Number(records[count - 1]?.dynamodb?.SequenceNumber);
      checkpoint.save(handled);
    }
    return count === records.length;
  };

  const poll = async () => {
    let retryMs = firstRetryMs;
    while (!stopped) {
      nudged = false;
      try {
        const records = await read(handled, readLimit);
        if (await handle(records)) {
          retryMs = firstRetryMs;
          // A partial read reached the end. Later writes have requested another poll.
          if (records.length < readLimit && !nudged && !stopped) await sleep(idleMs);
          continue;
        }
      } catch (error) {
        if (stopped) break;
        log({ message: 'stream batch failed', table, error: describeError(error) });
      }
      await sleep(retryMs);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
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
    const field = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return Array.isArray(part) ? part.some((rule: Rule) => meets(rule, field)) : matchesPattern(part as object, field);
  });

/** A record passes when one of the patterns matches. */
export const matchesAny = (patterns: readonly object[], value: unknown): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, value));
