import type { OperatedQueues, QueueName } from '../functions/actions/queues.ts';
import { workQueue } from '../lib/event-sources.ts';
import { limitOf } from '../shared/core/aws-calls.ts';
import { type Clock, systemClock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/config.ts';
import { randomId } from '../shared/core/ids.ts';
import { describeError, type Log } from '../shared/core/log.ts';
import { systemRandom } from '../shared/core/random.ts';
import type { NoticeBus } from '../shared/providers/notice-bus.ts';
import type { RequestLog } from '../shared/providers/request-log.ts';
import type { Secrets } from '../shared/providers/secrets.ts';
import { streamFilters } from '../shared/table/schema.ts';
import { connectStore, type Store } from '../shared/table/store.ts';
import type { DeliveryPolicy } from '../shared/webhooks/policy.ts';
import { createSender } from '../shared/webhooks/sender.ts';
import { type Engine, patienceMs } from './engine/dynamodb.ts';
import { deadLettersOf, type LocalQueue, openQueue, operate } from './engine/queue.ts';
import { startScheduler } from './engine/scheduler.ts';
import type { State } from './engine/state.ts';
import { openParking } from './engine/storage.ts';
import { openCheckpoint } from './engine/stream-records.ts';
import type { Tables } from './engine/tables.ts';
import type { ApiStage } from './gateway/handle.ts';
import { startQueuePoller } from './pollers/queue.ts';
import { type StreamFunction, type StreamPoller, startStreamPoller } from './pollers/stream.ts';
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
  readonly requestLog: RequestLog;
}

/** A running region: its functions with their stream, queue, schedules and sweep. */
export interface RunningRegion {
  readonly stage: ApiStage;
  readonly products: Store['products'];
  invokeAction(call: ActionCall): Promise<unknown>;
  sweep(): Promise<void>;
  /** Accepts no new work. Work that takes longer than `graceMs` is repeated at the next start. */
  stop(graceMs: number): Promise<void>;
  /** Cuts the connections of running attempts, and waits up to `graceMs` for them to end. */
  close(graceMs: number): Promise<void>;
}

/** The values of a deployment with notices, which sweeps every minute. Waits follow the time scale. */
const visibilityTimeoutMs = workQueue.visibilitySeconds * 1000;
const maxReceiveCount = workQueue.maxReceives;
const shortestVisibilityMs = 1000;
const sweepEveryMs = 60_000;
const shortestSweepMs = 250;
/** Maximum delay until a jump of a test's clock is noticed. */
const jumpingClockMs = 20;

/**
 * The queues of a region by their operator names. Messages in flight in a killed run are due
 * immediately.
 */
const openQueues = ({ region, state, clock, policy }: RegionOptions): Readonly<Record<QueueName, LocalQueue>> => {
  /** No function reads some of these queues; only operators remove their messages. */
  const open = (name: string, mostReceives = Number.MAX_SAFE_INTEGER) =>
    openQueue({
      state,
      name,
      clock,
      visibilityTimeoutMs: Math.max(shortestVisibilityMs, visibilityTimeoutMs / policy.timeScale),
      maxReceiveCount: mostReceives,
    });
  const [delivery, search] = [open(`deliveries-${region}`, maxReceiveCount), open(`searches-${region}`, maxReceiveCount)];
  return {
    delivery,
    'delivery-dead-letters': open(deadLettersOf(delivery.name)),
    search,
    'search-dead-letters': open(deadLettersOf(search.name)),
    'sweep-failures': open(`sweep-failures-${region}`),
    'parking-notices': open(`parking-notices-${region}`),
  };
};

/**
 * Sweeps now and every few minutes. A failed sweep sends a message to the queue `sweep-failures`,
 * as the destination of a failed invocation does.
 */
const startSweeping = ({ region, policy, log }: RegionOptions, invoke: () => Promise<unknown>, failures: LocalQueue) => {
  const sweep = async () => {
    try {
      await invoke();
    } catch (error) {
      log({ message: 'sweep failed', error: describeError(error) });
      const notice = { body: JSON.stringify({ error: describeError(error) }), groupId: region };
      // The disk itself may be full. The next sweep still runs.
      await failures.send([notice]).catch((failure) => log({ message: 'sweep failure not kept', error: describeError(failure) }));
    }
  };
  let timer: NodeJS.Timeout;
  let current = Promise.resolve();
  const next = () => {
    timer = setTimeout(
      () => {
        current = sweep().finally(next);
      },
      Math.max(shortestSweepMs, sweepEveryMs / policy.timeScale),
    );
  };
  void sweep();
  next();
  const stop = async () => {
    await current;
    clearTimeout(timer);
  };
  return { sweep, stop };
};

/**
 * Reads the stream of the region's table from the end of the last run, and lets the engine delete
 * handled records.
 */
const startStream = ({ client, trim, tables, state, log }: RegionOptions, invoke: StreamFunction): StreamPoller => {
  const { tableName, streamArn } = tables;
  const checkpoint = openCheckpoint(state, tableName, streamArn);
  return startStreamPoller({
    streamArn,
    reader: openStream(client, streamArn),
    checkpoint: {
      load: checkpoint.load,
      save(position) {
        checkpoint.save(position);
        trim({ table: tableName, sequenceNumber: position.sequenceNumber });
      },
    },
    filters: streamFilters,
    invoke,
    log,
  });
};

/** Prints notices, which a deployed service sends to the event bus. */
const printNotices = (log: Log): NoticeBus => ({
  async publish(notices) {
    // `time` is the log line's own time, so the notice's time is `at`.
    for (const { type, time: at, ...detail } of notices) log({ notice: type, at, ...detail });
    return notices;
  },
});

export const startRegion = async (options: RegionOptions): Promise<RunningRegion> => {
  const { region, client, tables, state, secrets, policy, clock, log } = options;
  const rechecks = clock === systemClock ? {} : { recheckMs: jumpingClockMs };
  const queues = openQueues(options);
  const { delivery: queue, search: searchQueue } = queues;
  await releaseLeases(client, tables.tableName, queue.recover());
  for (const other of Object.values(queues)) other.recover();
  const scheduler = startScheduler({ state, queue, clock, ...rechecks });
  let isClosed = false;
  /** Nothing waits once the database has ended. */
  const sleep: Clock['sleep'] = async (ms) => {
    if (isClosed) throw new Error('The service has stopped.');
    await clock.sleep(ms);
  };
  const closing = { now: () => clock.now(), sleep };
  const store = connectStore({ ...tables, notices: true, clock: closing, random: systemRandom, client, limit: limitOf(patienceMs) });
  const sender = createSender({ policy });
  const functions = composeRegion({
    region,
    store,
    clock: closing,
    random: systemRandom,
    newId: randomId,
    log,
    queue,
    searchQueue,
    scheduler,
    queues: Object.fromEntries(Object.entries(queues).map(([name, one]) => [name, operate(one)])) as OperatedQueues,
    parking: openParking(state, region, queues['parking-notices']),
    secrets,
    sender,
    policy,
    noticeBus: printNotices(log),
    requestLog: options.requestLog,
  });
  const stream = startStream(options, functions.fanOut);
  const deliveries = startQueuePoller({ queue, invoke: functions.deliver, clock, log, ...rechecks });
  const searches = startQueuePoller({ queue: searchQueue, invoke: functions.searchSync, clock, log, ...rechecks });
  const sweeping = startSweeping(options, functions.sweep, queues['sweep-failures']);
  return {
    products: store.products,
    stage: { router: functions.router, fallback: functions.fallback, written: stream.nudge },
    async invokeAction(call) {
      try {
        return await functions.actions(call);
      } finally {
        stream.nudge();
      }
    },
    sweep: sweeping.sweep,
    async stop(graceMs) {
      await sweeping.stop();
      await stream.stop();
      await Promise.all([deliveries.stop(graceMs), searches.stop(graceMs)]);
      scheduler.stop();
    },
    async close(graceMs) {
      isClosed = true;
      sender.close();
      await Promise.all([deliveries.ended(graceMs), searches.ended(graceMs)]);
    },
  };
};
