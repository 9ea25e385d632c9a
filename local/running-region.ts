import { setTimeout as wait } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OperatedQueues, QueueName } from '../functions/actions/action.ts';
import { workQueue } from '../functions/event-sources.ts';
import type { Clock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/config.ts';
import { randomId } from '../shared/core/ids.ts';
import { describeError, type Log } from '../shared/core/log.ts';
import { systemRandom } from '../shared/core/random.ts';
import { slotsPerEndpoint } from '../shared/domain/webhook/record.ts';
import type { NoticeBus } from '../shared/providers/notice-bus.ts';
import type { Secrets } from '../shared/providers/secrets.ts';
import { openDb } from '../shared/table/client.ts';
import { slotAttribute } from '../shared/table/endpoints.ts';
import { partition } from '../shared/table/keys.ts';
import { streamFilters } from '../shared/table/schema.ts';
import { openStore } from '../shared/table/store.ts';
import { decodeMessage } from '../shared/webhooks/message.ts';
import type { DeliveryPolicy } from '../shared/webhooks/policy.ts';
import { createSender } from '../shared/webhooks/sender.ts';
import { openCheckpoint } from './engine/checkpoint.ts';
import type { DocumentClient } from './engine/client.ts';
import type { Database } from './engine/engine.ts';
import { openParking } from './engine/parking.ts';
import { deadLettersOf, type LocalQueue, openQueue, operatedQueueOf } from './engine/queue.ts';
import { startScheduler } from './engine/scheduler.ts';
import type { State } from './engine/state.ts';
import type { Tables } from './engine/tables.ts';
import { openLocalRequestLog } from './log.ts';
import { startQueuePoller } from './pollers/queue.ts';
import { type StreamFunction, type StreamPoller, startStreamPoller } from './pollers/stream.ts';
import { type ActionCall, composeRegion } from './region.ts';

interface RegionOptions {
  readonly region: Region;
  readonly database: Database;
  readonly tables: Tables;
  readonly state: State;
  readonly secrets: Secrets;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

/** The values of a deployment with notices, which sweeps every minute. Waits follow the time scale. */
const visibilityTimeoutMs = workQueue.visibilitySeconds * 1000;
const maxReceiveCount = workQueue.maxReceives;
const shortestVisibilityMs = 1000;
const sweepEveryMs = 60_000;
const shortestSweepMs = 250;

/**
 * Releases the slots of the attempts of a killed run. A deployed queue returns such a message only
 * after the leases end; here it is due at once, and no other process can hold the slots.
 */
const releaseLeases = async ({ database: { client }, tables }: RegionOptions, bodies: readonly string[]): Promise<void> => {
  const messages = bodies.flatMap((body) => decodeMessage(body) ?? []);
  const slots = Array.from({ length: slotsPerEndpoint }, (_, slot) => slotAttribute(slot));
  const endpoints = new Map(messages.map(({ account, endpoint }) => [`${account}#${endpoint}`, { account, endpoint }]));
  for (const { account, endpoint } of endpoints.values()) {
    const command = new UpdateCommand({
      TableName: tables.tableName,
      Key: { pk: partition('endpoint', account), sk: endpoint },
      UpdateExpression: `REMOVE ${slots.join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
    });
    await client.send(command).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
    });
  }
};

/**
 * The queues of a region by their operator names. Messages in flight in a killed run are due
 * immediately.
 */
const openQueues = ({ region, state, clock, policy }: RegionOptions): Readonly<Record<QueueName, LocalQueue>> => {
  /** No function reads some of these queues; only operators remove their messages. */
  const open = (name: string, maxReceives = Number.MAX_SAFE_INTEGER) =>
    openQueue({
      state,
      name,
      clock,
      visibilityTimeoutMs: Math.max(shortestVisibilityMs, visibilityTimeoutMs / policy.timeScale),
      maxReceiveCount: maxReceives,
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
 * Returns the sweep of a region. A failed sweep sends a message to the queue `sweep-failures`, as
 * the destination of a failed invocation does.
 */
const sweepWithNotice =
  ({ region, log }: RegionOptions, invoke: () => Promise<unknown>, failures: LocalQueue) =>
  async (): Promise<void> => {
    try {
      await invoke();
    } catch (error) {
      log({ message: 'sweep failed', error: describeError(error) });
      const notice = { body: JSON.stringify({ error: describeError(error) }), groupId: region };
      // The disk itself may be full. The next sweep still runs.
      await failures.send([notice]).catch((failure) => log({ message: 'sweep failure not kept', error: describeError(failure) }));
    }
  };

/** Sweeps now and every minute. */
const startSweeping = ({ policy }: RegionOptions, sweep: () => Promise<void>) => {
  const pauseMs = Math.max(shortestSweepMs, sweepEveryMs / policy.timeScale);
  const ending = new AbortController();
  const repeat = async () => {
    while (!ending.signal.aborted) {
      await sweep();
      await wait(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const ended = repeat();
  const stop = async () => {
    ending.abort();
    await ended;
  };
  return { stop };
};

/** Handled records that are deleted at once: about 0.3 MB. */
const trimEvery = 200;

/**
 * Reads the stream of the region's table from the end of the last run, and deletes handled records.
 */
const startStream = ({ database, tables: { tableName: table }, state, log }: RegionOptions, invoke: StreamFunction): StreamPoller => {
  const checkpoint = openCheckpoint(state, table);
  let trimmed = checkpoint.load();
  return startStreamPoller({
    table,
    read: (after, limit) => database.changes(table, after, limit),
    checkpoint: {
      load: checkpoint.load,
      save(position) {
        checkpoint.save(position);
        if (position - trimmed < trimEvery) return;
        database.trim(table, position);
        trimmed = position;
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

type Functions = ReturnType<typeof composeRegion>;

/** Starts what no request waits for: the readers of the stream and of the queues, and the sweep. */
const startBackground = (
  options: RegionOptions,
  { fanOut, deliver, searchSync }: Functions,
  { delivery, search }: Pick<Record<QueueName, LocalQueue>, 'delivery' | 'search'>,
  sweep: () => Promise<void>,
) => {
  const { clock, log } = options;
  const stream = startStream(options, fanOut);
  const deliveries = startQueuePoller({ queue: delivery, invoke: deliver, clock, log });
  const searches = startQueuePoller({ queue: search, invoke: searchSync, clock, log });
  const sweeping = startSweeping(options, sweep);
  return {
    nudge: stream.nudge,
    async stop(graceMs: number): Promise<void> {
      await sweeping.stop();
      await stream.stop();
      await Promise.all([deliveries.stop(graceMs), searches.stop(graceMs)]);
    },
    /** Waits up to `graceMs` for running attempts. */
    async ended(graceMs: number): Promise<void> {
      await Promise.all([deliveries.ended(graceMs), searches.ended(graceMs)]);
    },
  };
};

/**
 * Opens a region: its functions answer. What they leave to the stream, the queues and the sweep waits
 * until `startBackground`.
 */
export const openRegion = async (regionOptions: RegionOptions) => {
  const { region, tables, state, secrets, policy, clock } = regionOptions;
  const requestLog = openLocalRequestLog(clock);
  const log: Log = (line) => {
    regionOptions.log({ region, ...line });
    requestLog.append(line);
  };
  const options = { ...regionOptions, log };
  const queues = openQueues(options);
  const { delivery: queue, search: searchQueue } = queues;
  await releaseLeases(regionOptions, queue.recover());
  for (const other of Object.values(queues)) other.recover();
  const scheduler = startScheduler({ state, queue, clock });
  let isClosed = false;
  const requireOpen = (): void => {
    if (isClosed) throw new Error('The service has stopped.');
  };
  /** Attempts that were cut off neither wait nor store anything: the next start makes them again. */
  const sleep: Clock['sleep'] = async (ms) => {
    requireOpen();
    await clock.sleep(ms);
  };
  const closing = { now: () => clock.now(), sleep };
  const client = {
    async send(command: never) {
      requireOpen();
      return await regionOptions.database.client.send(command);
    },
  } as DocumentClient;
  const store = openStore(openDb(client, { ...tables, notices: true, clock: closing, random: systemRandom }));
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
    queues: Object.fromEntries(Object.entries(queues).map(([name, one]) => [name, operatedQueueOf(one)])) as OperatedQueues,
    parking: openParking(state, region, queues['parking-notices']),
    secrets,
    sender,
    policy,
    noticeBus: printNotices(log),
    requestLog,
  });
  const sweep = sweepWithNotice(options, functions.sweep, queues['sweep-failures']);
  let background: ReturnType<typeof startBackground> | undefined;
  const nudge = () => background?.nudge();
  return {
    products: store.products,
    stage: { router: functions.router, fallback: functions.fallback, written: nudge },
    async invokeAction(call: ActionCall): Promise<unknown> {
      try {
        return await functions.actions(call);
      } finally {
        nudge();
      }
    },
    sweep,
    startBackground(): void {
      background = startBackground(options, functions, queues, sweep);
    },
    /** Accepts no new work. Work that takes longer than `graceMs` is repeated at the next start. */
    async stop(graceMs: number): Promise<void> {
      await background?.stop(graceMs);
      scheduler.stop();
    },
    /** Cuts the connections of running attempts, and waits up to `graceMs` for them to end. */
    async close(graceMs: number): Promise<void> {
      isClosed = true;
      sender.close();
      await background?.ended(graceMs);
    },
  };
};

export type RunningRegion = Awaited<ReturnType<typeof openRegion>>;
