import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { Checkpoint } from '../engine/checkpoints.ts';
import { invocationContext, withTimeout } from '../lambda.ts';
import { matchesAny } from './filter.ts';
import { readLimit, type StreamBatch, type StreamPosition, type StreamReader } from './stream-reader.ts';
import { toLambdaRecord } from './stream-record.ts';

/** Feeds a function from a stream, in order, as Lambda's event source with ReportBatchItemFailures does. */
export interface StreamPoller {
  /** Something was written: look now instead of at the next poll. */
  nudge(): void;
  /** Resolves when the running invocation has ended. */
  stop(): Promise<void>;
}

export type StreamFunction = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse | undefined>;

export interface StreamPollerOptions {
  readonly streamArn: string;
  readonly reader: StreamReader;
  readonly checkpoint: Checkpoint;
  /** Event-source filter patterns; a record that matches none is passed over. */
  readonly filters: readonly object[];
  readonly invoke: StreamFunction;
  readonly log: Log;
  readonly idleMs?: number;
  readonly firstRetryMs?: number;
  readonly functionTimeoutMs?: number;
}

const longestRetryMs = 5000;

export const startStreamPoller = ({
  streamArn,
  reader,
  checkpoint,
  filters,
  invoke,
  log,
  idleMs = 500,
  firstRetryMs = 100,
  functionTimeoutMs = 60_000,
}: StreamPollerOptions): StreamPoller => {
  let handled = checkpoint.load();
  let stopped = false;
  let nudged = false;
  let wake = () => {};
  reader.seek(handled);

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** How many of the records are done with: all, or those before the first failure that the function reported. */
  const handledCount = async (records: DynamoDBStreamEvent['Records']): Promise<number> => {
    const matching = records.filter((record) => matchesAny(filters, record));
    if (matching.length === 0) return records.length;
    const response = await withTimeout(functionTimeoutMs, () =>
      invoke({ Records: matching }, invocationContext('fan-out', functionTimeoutMs)),
    );
    const failed = new Set((response?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier));
    if (failed.size === 0) return records.length;
    const first = records.findIndex((record) => failed.has(record.dynamodb?.SequenceNumber ?? ''));
    return Math.max(first, 0); // an identifier that is none of ours fails the whole batch
  };

  /** False when something has to be tried again. */
  const handle = async ({ shardId, records }: StreamBatch): Promise<boolean> => {
    const events = records.map((record) => toLambdaRecord(streamArn, record));
    const count = await handledCount(events);
    const last = events[count - 1]?.dynamodb?.SequenceNumber;
    if (last !== undefined) {
      const position: StreamPosition = { shardId, sequenceNumber: last };
      checkpoint.save(position);
      handled = position;
    }
    return count === events.length;
  };

  const poll = async () => {
    let retryMs = firstRetryMs;
    while (!stopped) {
      nudged = false;
      try {
        const batch = await reader.read();
        if (await handle(batch)) {
          retryMs = firstRetryMs;
          // A reading that was not full reached the end; what was written since then has nudged.
          if (batch.records.length < readLimit && !nudged && !stopped) await sleep(idleMs);
          continue;
        }
      } catch (error) {
        if (stopped) break;
        log({ message: 'stream batch failed', streamArn, error: describeError(error) });
      }
      reader.seek(handled);
      await sleep(retryMs);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
    reader.close();
  };
  const ended = poll();

  return {
    nudge() {
      nudged = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
};
