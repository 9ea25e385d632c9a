import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError } from '../../shared/core/log.ts';
import { isCheckRecord, parkingKey } from '../../shared/core/parking-keys.ts';
import { atMost } from '../../shared/core/promises.ts';
import type { Services } from '../../shared/services.ts';
import { heartbeatMs, isHeartbeat } from '../../shared/table/stream.ts';
import {
  type FanOutContext,
  isPoison,
  type Outgoing,
  publishRecord,
  readEndpoints,
  readRecord,
  readSearches,
  storeRecord,
} from './record.ts';

type FanOutServices = Pick<Services, 'store' | 'queue' | 'searchQueue' | 'parking' | 'clock' | 'log'>;

/** Maximum number of parallel writes: the number of connections of the function. */
const writesAtOnce = 32;

const sequenceOf = (record: DynamoDBRecord | undefined): string => record?.dynamodb?.SequenceNumber ?? '';

/** Messages of a record that is parked because no retry can read it. */
const noMessages: Outgoing = { changedMs: undefined, deliveries: [], searches: [] };

/** Marks a record that must be read again, with the error. */
class Retry {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}
/** Marks a record that is parked. */
class Parked {}
const isDone = <Result>(result: Result | Retry): result is Result => !(result instanceof Retry);
const isUsable = <Result>(result: Result | Retry | Parked): result is Result => isDone(result) && !(result instanceof Parked);

/**
 * Returns the handler of the change stream. It turns changes into delivery records and messages,
 * and changes of products into messages of the search queue. The records of a batch are handled in
 * parallel: first all are read, then all bodies are stored, then the delivery records and one read
 * for erasures, then all messages. If a record fails, messages of earlier records are still sent,
 * and the stream repeats from the failed record. If no retry can read a record, it is parked whole
 * and skipped. A heartbeat is logged after all records that were read with it. If this log line is
 * missing, an alarm fires.
 */
export const fanOut = (services: FanOutServices) => {
  const { store, queue, searchQueue, parking, clock, log } = services;

  /** Runs one step for a record. */
  const attempt = async <Result>(record: DynamoDBRecord, step: () => Promise<Result>): Promise<Result | Retry | Parked> => {
    try {
      return await step();
    } catch (error) {
      if (!isPoison(error)) return new Retry(error);
      return await park(record, error).then(
        () => new Parked(),
        (parkingError: unknown) => new Retry(parkingError),
      );
    }
  };

  const park = async (record: DynamoDBRecord, error: unknown): Promise<void> => {
    const key = parkingKey(record);
    await parking.park(key, JSON.stringify(record));
    if (isCheckRecord(record)) return;
    log({ op: 'fan-out', parked: key, error: describeError(error) });
  };

  /** Returns the messages of each record. A step begins after all records have ended the one before. */
  const process = async (changes: readonly DynamoDBRecord[]): Promise<readonly (Outgoing | Retry)[]> => {
    const each = <From, To>(results: readonly (From | Retry | Parked)[], step: (from: From) => Promise<To>) =>
      Promise.all(
        results.map(async (result, i) => (isUsable(result) ? await attempt(changes[i] as DynamoDBRecord, () => step(result)) : result)),
      );
    const read = await each(changes, readRecord);
    const context: FanOutContext = {
      store,
      endpoints: readEndpoints(store, read.filter(isUsable)),
      searches: readSearches(store),
      limited: atMost(writesAtOnce),
    };
    const stored = await each(read, (record) => storeRecord(record, context));
    const published = await each(stored, (record) => publishRecord(record, context));
    return published.map((result) => (result instanceof Parked ? noMessages : result));
  };

  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const startMs = clock.now();
    const changes = Records.filter((record) => !isHeartbeat(record));
    const repeatAt = (position: number, error: unknown): DynamoDBBatchResponse => {
      const sequence = sequenceOf(changes[position]);
      log({ op: 'fan-out', sequence, retry: true, error: describeError(error) });
      return { batchItemFailures: [{ itemIdentifier: sequence }] };
    };
    const results = await process(changes);
    const failed = results.findIndex((result) => !isDone(result));
    const done = results.slice(0, failed === -1 ? undefined : failed).filter(isDone);
    const [deliveries, searches] = [done.flatMap((record) => record.deliveries), done.flatMap((record) => record.searches)];
    try {
      await Promise.all([queue.send(deliveries), searchQueue.send(searches)]);
    } catch (error) {
      const first = done.findIndex((record) => record.deliveries.length + record.searches.length > 0);
      return repeatAt(Math.max(0, first), error);
    }
    const failure = results[failed];
    if (failure instanceof Retry) return repeatAt(failed, failure.error);
    const oldestMs = Math.min(...done.map(({ changedMs }) => changedMs ?? Number.POSITIVE_INFINITY));
    const lag = oldestMs < Number.POSITIVE_INFINITY ? clock.now() - oldestMs : undefined;
    // A batch of heartbeats only gets no such line, because its metrics would cost money in an idle
    // region.
    if (changes.length > 0)
      log({ op: 'fan-out', records: changes.length, messages: deliveries.length + searches.length, lag, ms: clock.now() - startMs });
    const beats = Records.map(heartbeatMs).filter((writtenMs) => writtenMs !== undefined);
    for (const writtenMs of beats) log({ op: 'fan-out', beat: Math.max(0, clock.now() - writtenMs) });
    return { batchItemFailures: [] };
  };
};
