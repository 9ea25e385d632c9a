import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError } from '../../shared/core/log.ts';
import { isCheckRecord, parkingKey } from '../../shared/core/parking-keys.ts';
import { awaitAll, limitParallel } from '../../shared/core/promises.ts';
import type { Services } from '../../shared/services.ts';
import { heartbeatMs, isHeartbeat } from '../../shared/table/stream.ts';
import {
  endpointLoader,
  type FanOutContext,
  isPermanent,
  type Outgoing,
  publishRecord,
  readRecord,
  searchLoader,
  storeRecord,
} from './record.ts';

type FanOutServices = Pick<Services, 'store' | 'queue' | 'searchQueue' | 'parking' | 'clock' | 'log'>;

/**
 * Returns the handler of the change stream. It turns changes into delivery records and messages,
 * and changes of products into messages of the search queue. The records of a batch are handled in
 * parallel, and each step begins after all records have ended the one before:
 *
 * 1. Reads the events of each record.
 * 2. Stores the events' bodies.
 * 3. Creates the delivery records, and looks for erasures with one read.
 * 4. Parks each record that no retry can handle, so that the stream does not repeat it.
 * 5. Sends the messages of the records before the first one that failed.
 *
 * The stream repeats from that record. If sending fails, it repeats from the first record with
 * messages. A heartbeat is logged after all records that were read with it. If this log line is
 * missing, an alarm fires.
 */
export const fanOut = (services: FanOutServices) => {
  const { queue, searchQueue, clock, log } = services;
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const startMs = clock.now();
    const changes = Records.filter((record) => !isHeartbeat(record));
    const results = await handleRecords(services, changes);
    const failed = results.findIndex((result) => 'error' in result);
    const done = valuesOf(failed === -1 ? results : results.slice(0, failed));
    const [deliveries, searches] = [done.flatMap((record) => record.deliveries), done.flatMap((record) => record.searches)];
    const sent = await resultOf(awaitAll([queue.send(deliveries), searchQueue.send(searches)]));
    const firstToSend = done.findIndex((record) => record.deliveries.length + record.searches.length > 0);
    if ('error' in sent) return repeatFrom(services, changes[Math.max(0, firstToSend)], sent.error);
    const failure = results[failed];
    if (failure && 'error' in failure) return repeatFrom(services, changes[failed], failure.error);
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

/** Returns the response that acknowledges the records before this one only. */
const repeatFrom = ({ log }: FanOutServices, record: DynamoDBRecord | undefined, error: unknown): DynamoDBBatchResponse => {
  const sequence = record?.dynamodb?.SequenceNumber ?? '';
  log({ op: 'fan-out', sequence, retry: true, error: describeError(error) });
  return { batchItemFailures: [{ itemIdentifier: sequence }] };
};

/** Result of the steps of a record so far: a value, or the error that ended them. */
type Result<Value> = { readonly value: Value } | { readonly error: unknown };

const resultOf = <Value>(work: Promise<Value>): Promise<Result<Value>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
const valuesOf = <Value>(results: readonly Result<Value>[]): readonly Value[] =>
  results.flatMap((result) => ('error' in result ? [] : [result.value]));

/** Runs a step for each record that has not failed. */
const runStep = <From, To>(results: readonly Result<From>[], step: (from: From) => Promise<To>): Promise<readonly Result<To>[]> =>
  Promise.all(results.map((result) => ('error' in result ? result : resultOf(step(result.value)))));

/** Maximum number of parallel writes: the number of connections of the function. */
const writesAtOnce = 32;

/** Returns the messages of each record, or the error because of which the stream must repeat it. */
const handleRecords = async (services: FanOutServices, changes: readonly DynamoDBRecord[]): Promise<readonly Result<Outgoing>[]> => {
  const { store } = services;
  const read = await Promise.all(changes.map((change) => resultOf(readRecord(change))));
  const context: FanOutContext = {
    store,
    endpointsOf: endpointLoader(store, valuesOf(read)),
    hasSearch: searchLoader(store),
    withinWriteLimit: limitParallel(writesAtOnce),
  };
  const stored = await runStep(read, (record) => storeRecord(record, context));
  const published = await runStep(stored, (record) => publishRecord(record, context));
  return await Promise.all(
    published.map((result, i) =>
      'error' in result && isPermanent(result.error) ? resultOf(park(services, changes[i] as DynamoDBRecord, result.error)) : result,
    ),
  );
};

/** Parks a record whole. Returns that it has no messages. */
const park = async ({ parking, log }: FanOutServices, record: DynamoDBRecord, error: unknown): Promise<Outgoing> => {
  const key = parkingKey(record);
  await parking.park(key, JSON.stringify(record));
  if (!isCheckRecord(record)) log({ op: 'fan-out', parked: key, error: describeError(error) });
  return { changedMs: undefined, deliveries: [], searches: [] };
};
