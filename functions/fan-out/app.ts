import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { atMost } from '../../shared/core/at-most.ts';
import { describeError } from '../../shared/core/log.ts';
import type { Services } from '../../shared/services.ts';
import { heartbeatMs, isHeartbeat } from '../../shared/table/stream.ts';
import {
  type FanOutContext,
  isPoison,
  type Outgoing,
  publishRecord,
  readEndpoints,
  readLogs,
  readSearches,
  type StoredRecord,
  storeRecord,
} from './record.ts';

type FanOutServices = Pick<Services, 'store' | 'queue' | 'searchQueue' | 'parking' | 'clock' | 'log'>;

/** Maximum number of parallel writes: the number of connections of the function. */
const writesAtOnce = 32;

const sequenceOf = (record: DynamoDBRecord | undefined): string => record?.dynamodb?.SequenceNumber ?? '';

/** Result of a record that is quarantined because no retry can read it. */
const nothing: StoredRecord = { changedMs: undefined, events: [], searches: [] };
const noMessages: Outgoing = { changedMs: undefined, deliveries: [], searches: [] };

/** Marks a record that must be read again, with the error. */
class Retry {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}
const isDone = <Result>(result: Result | Retry): result is Result => !(result instanceof Retry);

/**
 * Returns the handler of the change stream. It turns changes into delivery records and messages,
 * and changes of products into messages of the search queue. The records of a batch are handled in
 * parallel: first all bodies, then the delivery records and one read for erasures, then all
 * messages. If a record fails, messages of earlier records are still sent, and the stream repeats
 * from the failed record. If no retry can read a record, it is quarantined whole and skipped. A
 * heartbeat is logged after all records that were read with it. If this log line is missing, an
 * alarm fires.
 */
export const fanOut = (services: FanOutServices) => {
  const { store, queue, searchQueue, parking, clock, log } = services;

  /** Runs one step for a record. Returns `parked` if the record had to be quarantined. */
  const attempt = async <Result>(record: DynamoDBRecord, parked: Result, step: () => Promise<Result>): Promise<Result | Retry> => {
    try {
      return await step();
    } catch (error) {
      if (!isPoison(error)) return new Retry(error);
      return await park(record, error).then(
        () => parked,
        (parkingError: unknown) => new Retry(parkingError),
      );
    }
  };

  const park = async (record: DynamoDBRecord, error: unknown): Promise<void> => {
    const key = `stream/${record.eventID ?? sequenceOf(record)}.json`;
    await parking.park(key, JSON.stringify(record));
    log({ op: 'fan-out', parked: key, error: describeError(error) });
  };

  /** Returns the messages of each record. */
  const process = async (changes: readonly DynamoDBRecord[]): Promise<readonly (Outgoing | Retry)[]> => {
    const context: FanOutContext = {
      store,
      endpoints: readEndpoints(store),
      searches: readSearches(store),
      logs: readLogs(store),
      readMs: clock.now(),
      limited: atMost(writesAtOnce),
    };
    const stored = await Promise.all(changes.map((record) => attempt(record, nothing, () => storeRecord(record, context))));
    return await Promise.all(
      stored.map(async (record, i) =>
        isDone(record) ? await attempt(changes[i] as DynamoDBRecord, noMessages, () => publishRecord(record, context)) : record,
      ),
    );
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
