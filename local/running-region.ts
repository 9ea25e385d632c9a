import { type Clock, systemClock } from '../shared/core/clock.ts';
import { describeError, type Log } from '../shared/core/log.ts';
import type { Region } from '../shared/core/regions.ts';
import type { Secrets } from '../shared/providers/secrets.ts';
import { streamFilters } from '../shared/table/schema.ts';
import type { Store } from '../shared/table/store.ts';
import type { DeliveryPolicy } from '../shared/webhooks/policy.ts';
import type { Engine } from './engine/dynamodb.ts';
import { deadLettersOf, openQueue, operate, type QueueCounts } from './engine/queue.ts';
import { startScheduler } from './engine/scheduler.ts';
import type { State } from './engine/state.ts';
import { openParking } from './engine/storage.ts';
import { openCheckpoint } from './engine/stream-records.ts';
import type { Tables } from './engine/tables.ts';
import type { ApiStage } from './gateway/handle.ts';
import { startQueuePoller } from './pollers/queue.ts';
import { startStreamPoller } from './pollers/stream.ts';
import { openStream } from './pollers/stream-reader.ts';
import { releaseLeases } from './recover.ts';
import { type ActionCall, composeRegion } from './region.ts';

interface RegionOptions {
  readonly region: Region;
  readonly client: Engine['client'];
  readonly trim: Engine['trim'];
  readonly tables: Tables;
  readonly state: State;
  readonly secrets: Secrets;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

/** One region at work: its functions, fed by its stream, queue, schedules and sweep. */
export interface RunningRegion {
  readonly stage: ApiStage;
  readonly products: Store['products'];
  invokeAction(call: ActionCall): Promise<unknown>;
  sweep(): Promise<void>;
  queued(): QueueCounts;
  /** Takes nothing new; what still runs after `graceMs` is left to the next start. */
  stop(graceMs: number): Promise<void>;
  /** Cuts the connections of attempts that still run, and waits up to `graceMs` for them to give up. */
  close(graceMs: number): Promise<void>;
}

/** As deployed: a visibility timeout of 6 minutes, 5 receives, a sweep every 5 minutes; the waits follow the time scale. */
const visibilityTimeoutMs = 360_000;
const shortestVisibilityMs = 1000;
const maxReceiveCount = 5;
const sweepEveryMs = 300_000;
const shortestSweepMs = 250;
/** How soon a test's own clock is noticed to have moved. */
const jumpingClockMs = 20;

const repeat = (everyMs: number, work: () => Promise<void>) => {
  let timer: NodeJS.Timeout;
  let current = Promise.resolve();
  const next = () => {
    timer = setTimeout(() => {
      current = work().finally(next);
    }, everyMs);
  };
  next();
  return async () => {
    await current;
    clearTimeout(timer);
  };
};

export const startRegion = async ({
  region,
  client,
  trim,
  tables,
  state,
  secrets,
  policy,
  clock,
  log,
}: RegionOptions): Promise<RunningRegion> => {
  const rechecks = clock === systemClock ? {} : { recheckMs: jumpingClockMs };
  const openNamed = (name: string, mostReceives: number) =>
    openQueue({
      state,
      name,
      clock,
      visibilityTimeoutMs: Math.max(shortestVisibilityMs, visibilityTimeoutMs / policy.timeScale),
      maxReceiveCount: mostReceives,
    });
  const open = (name: string) => openNamed(`${name}-${region}`, maxReceiveCount);
  /** Nothing leaves these but by an operator's hand. */
  const openEnd = (name: string) => openNamed(name, Number.MAX_SAFE_INTEGER);
  const [queue, searchQueue] = [open('deliveries'), open('searches')];
  const [deliveryDeadLetters, searchDeadLetters] = [openEnd(deadLettersOf(queue.name)), openEnd(deadLettersOf(searchQueue.name))];
  const [sweepFailures, notices] = [openEnd(`sweep-failures-${region}`), openEnd(`parking-notices-${region}`)];
  for (const end of [deliveryDeadLetters, searchDeadLetters, sweepFailures, notices]) end.recover();
  await releaseLeases(client, tables.tableName, queue.recover());
  searchQueue.recover();
  const scheduler = startScheduler({ state, queue, clock, ...rechecks });
  const functions = composeRegion({
    region,
    client,
    tables,
    queue,
    searchQueue,
    scheduler,
    queues: {
      delivery: operate(queue),
      'delivery-dead-letters': operate(deliveryDeadLetters),
      search: operate(searchQueue),
      'search-dead-letters': operate(searchDeadLetters),
      'sweep-failures': operate(sweepFailures),
      'parking-notices': operate(notices),
    },
    parking: openParking(state, region, notices),
    secrets,
    policy,
    clock,
    log,
  });
  const checkpoint = openCheckpoint(state, tables.tableName, tables.streamArn);
  const stream = startStreamPoller({
    streamArn: tables.streamArn,
    reader: openStream(client, tables.streamArn),
    checkpoint: {
      load: checkpoint.load,
      save(position) {
        checkpoint.save(position);
        trim({ table: tables.tableName, sequenceNumber: position.sequenceNumber });
      },
    },
    filters: streamFilters,
    invoke: functions.fanOut,
    log,
  });
  const deliveries = startQueuePoller({ queue, invoke: functions.deliver, clock, log, ...rechecks });
  const searches = startQueuePoller({ queue: searchQueue, invoke: functions.searchSync, clock, log, ...rechecks });
  const sweep = async () => {
    try {
      await functions.sweep();
    } catch (error) {
      log({ message: 'sweep failed', error: describeError(error) });
      const notice = { body: JSON.stringify({ error: describeError(error) }), groupId: region };
      // The disk may be what is full: the next sweep comes all the same.
      await sweepFailures.send([notice]).catch((failure) => log({ message: 'sweep failure not kept', error: describeError(failure) }));
    }
  };
  void sweep();
  const stopSweeping = repeat(Math.max(shortestSweepMs, sweepEveryMs / policy.timeScale), sweep);
  return {
    products: functions.products,
    stage: { router: functions.router, fallback: functions.fallback, written: stream.nudge },
    async invokeAction(call) {
      try {
        return await functions.actions(call);
      } finally {
        stream.nudge();
      }
    },
    sweep,
    queued: queue.counts,
    async stop(graceMs) {
      await stopSweeping();
      await stream.stop();
      await Promise.all([deliveries.stop(graceMs), searches.stop(graceMs)]);
      scheduler.stop();
    },
    async close(graceMs) {
      functions.close();
      await Promise.all([deliveries.ended(graceMs), searches.ended(graceMs)]);
    },
  };
};
