import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Clock } from '../../shared/core/clock.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import { heartbeatMs, isHeartbeat } from '../../shared/table/heartbeat.ts';
import type { Store } from '../../shared/table/store.ts';
import { isPoison } from './poison.ts';
import { type FanOutContext, fanOutRecord, type Outgoing, readAccounts, readSearches } from './record.ts';

export interface FanOutServices {
  readonly store: Store;
  readonly queue: Queue;
  /** Where changes of products wait for the search engine. */
  readonly searchQueue: Queue;
  readonly parking: ParkingLot;
  readonly clock: Clock;
  readonly log: Log;
}

const recordsAtOnce = 10;

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/**
 * The change stream to delivery records and messages, and changes of products to the search queue. A passing failure is reported at its sequence number, so that the
 * stream repeats from there; a record that no retry makes readable is parked whole and skipped. A heartbeat is nobody's change: it makes
 * a line of its own once everything that was read with it is done, and an alarm rings where these lines stay away.
 */
export const fanOut = (services: FanOutServices) => {
  const { queue, searchQueue, parking, clock, log } = services;

  /** The messages of one record; 'retry' where it has to be read again. */
  const process = async (record: DynamoDBRecord, context: FanOutContext): Promise<Outgoing | 'retry'> => {
    try {
      return await fanOutRecord(record, context);
    } catch (error) {
      if (!isPoison(error)) {
        log({ op: 'fan-out', sequence: sequenceOf(record), retry: true, error: describeError(error) });
        return 'retry';
      }
      return await park(record, error);
    }
  };

  const park = async (record: DynamoDBRecord, error: unknown): Promise<Outgoing | 'retry'> => {
    try {
      const key = `stream/${record.eventID ?? sequenceOf(record)}.json`;
      await parking.park(key, JSON.stringify(record));
      log({ op: 'fan-out', parked: key, error: describeError(error) });
      return { changedMs: undefined, deliveries: [], searches: [] };
    } catch (parkingError) {
      log({ op: 'fan-out', sequence: sequenceOf(record), retry: true, error: describeError(parkingError) });
      return 'retry';
    }
  };

  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const startMs = clock.now();
    const changes = Records.filter((record) => !isHeartbeat(record));
    const context: FanOutContext = { ...services, accounts: readAccounts(services.store), searches: readSearches(services.store) };
    const failAt = (record: DynamoDBRecord | undefined): DynamoDBBatchResponse => ({
      batchItemFailures: record ? [{ itemIdentifier: sequenceOf(record) }] : [],
    });
    let messages = 0;
    let lag: number | undefined;
    for (let start = 0; start < changes.length; start += recordsAtOnce) {
      const chunk = changes.slice(start, start + recordsAtOnce);
      const results = await Promise.all(chunk.map((record) => process(record, context)));
      const failed = results.indexOf('retry');
      const done = (failed === -1 ? results : results.slice(0, failed)).flatMap((result) => (result === 'retry' ? [] : result));
      try {
        await Promise.all([
          queue.send(done.flatMap(({ deliveries }) => deliveries)),
          searchQueue.send(done.flatMap(({ searches }) => searches)),
        ]);
      } catch (error) {
        log({ op: 'fan-out', sequence: sequenceOf(chunk[0] as DynamoDBRecord), retry: true, error: describeError(error) });
        return failAt(chunk[0]);
      }
      messages += done.reduce((count, { deliveries, searches }) => count + deliveries.length + searches.length, 0);
      const oldestMs = Math.min(...done.map(({ changedMs }) => changedMs ?? Number.POSITIVE_INFINITY));
      if (oldestMs < Number.POSITIVE_INFINITY) lag = Math.max(lag ?? 0, clock.now() - oldestMs);
      if (failed !== -1) return failAt(chunk[failed]);
    }
    // Of heartbeats alone there is no such line: an idle region would pay for metrics of nothing.
    if (changes.length > 0) log({ op: 'fan-out', records: changes.length, messages, lag, ms: clock.now() - startMs });
    const beats = Records.map(heartbeatMs).filter((writtenMs) => writtenMs !== undefined);
    for (const writtenMs of beats) log({ op: 'fan-out', beat: Math.max(0, clock.now() - writtenMs) });
    return failAt(undefined);
  };
};
