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
  readSearches,
  type StoredRecord,
  storeRecord,
} from './record.ts';

export type FanOutServices = Pick<Services, 'store' | 'queue' | 'searchQueue' | 'parking' | 'clock' | 'log'>;

/** Writes under way at once: as many as a function's connections carry without waiting for each other. */
const writesAtOnce = 32;

const sequenceOf = (record: DynamoDBRecord | undefined): string => record?.dynamodb?.SequenceNumber ?? '';

/** What is left of a record that no retry makes readable: it is parked. */
const nothing: StoredRecord = { changedMs: undefined, events: [], searches: [] };
const noMessages: Outgoing = { changedMs: undefined, deliveries: [], searches: [] };

/** Where a record has to be read again, and why. */
class Retry {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}
const isDone = <Result>(result: Result | Retry): result is Result => !(result instanceof Retry);

/**
 * The change stream to delivery records and messages, and changes of products to the search queue. The records of a batch are worked on side
 * by side: all bodies, then delivery records beside one look for erasures, then all messages. A passing failure is reported at its
 * sequence number, so that the stream repeats from there; what comes before it is sent. A record that no retry makes readable is parked whole and
 * skipped. A heartbeat is nobody's change: it makes a line of its own once everything that was read with it is done; an alarm rings where it
 * invokes this function no more.
 */
export const fanOut = (services: FanOutServices) => {
  const { store, queue, searchQueue, parking, clock, log } = services;

  /** What the step makes of the record, or `parked` where it had to be. */
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

  /** What each record asks of the queues. */
  const process = async (changes: readonly DynamoDBRecord[]): Promise<readonly (Outgoing | Retry)[]> => {
    const context: FanOutContext = {
      store,
      endpoints: readEndpoints(store),
      searches: readSearches(store),
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
    // Of heartbeats alone there is no such line: an idle region would pay for metrics of nothing.
    if (changes.length > 0)
      log({ op: 'fan-out', records: changes.length, messages: deliveries.length + searches.length, lag, ms: clock.now() - startMs });
    const beats = Records.map(heartbeatMs).filter((writtenMs) => writtenMs !== undefined);
    for (const writtenMs of beats) log({ op: 'fan-out', beat: Math.max(0, clock.now() - writtenMs) });
    return { batchItemFailures: [] };
  };
};
