import type { ActionServices } from '../functions/actions/action.ts';
import { deliver } from '../functions/deliver/app.ts';
import { fallback } from '../functions/fallback/app.ts';
import { fanOut } from '../functions/fan-out/app.ts';
import { searchSync } from '../functions/search-sync/app.ts';
import { sweep } from '../functions/sweep/app.ts';
import type { Clock } from '../shared/core/clock.ts';
import { randomId } from '../shared/core/ids.ts';
import type { Log } from '../shared/core/log.ts';
import { systemRandom } from '../shared/core/random.ts';
import type { Region } from '../shared/core/regions.ts';
import type { ParkingLot } from '../shared/providers/parking.ts';
import type { Queue } from '../shared/providers/queue.ts';
import type { Scheduler } from '../shared/providers/scheduler.ts';
import type { Secrets } from '../shared/providers/secrets.ts';
import { connectStore } from '../shared/table/store.ts';
import type { DeliveryPolicy } from '../shared/webhooks/policy.ts';
import { createSender } from '../shared/webhooks/sender.ts';
import { type Engine, patienceMs } from './engine/dynamodb.ts';
import type { Tables } from './engine/tables.ts';
import type { HttpFunction } from './gateway/handle.ts';
import { createRouter } from './gateway/routing.ts';
import { apiGroups, pageGroups } from './groups.ts';

/** One dashboard action, as `ops` asks for it. */
export interface ActionCall {
  readonly action: string;
  readonly account?: string;
  readonly input?: unknown;
  /** Judged by the action. */
  readonly token?: unknown;
}

interface RegionServices {
  readonly region: Region;
  readonly client: Engine['client'];
  readonly tables: Tables;
  readonly queue: Queue;
  readonly searchQueue: Queue;
  readonly queues: ActionServices['queues'];
  readonly scheduler: Scheduler;
  readonly parking: ParkingLot;
  readonly secrets: Secrets;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

/** The deployed functions of one region on local services: the only place where they are put together. */
export const composeRegion = ({
  region,
  client,
  tables,
  queue,
  searchQueue,
  queues,
  scheduler,
  parking,
  secrets,
  policy,
  clock,
  log,
}: RegionServices) => {
  const { tableName, bucketsTableName } = tables;
  const store = connectStore({ tableName, bucketsTableName, clock, random: systemRandom, client, callMs: patienceMs });
  const sender = createSender({ policy });
  const services = { region, store, clock, random: systemRandom, newId: randomId, log, secrets, sender, policy };
  const toFanOut = fanOut({ store, queue, searchQueue, parking, clock, log });
  const replay = async (json: string) => {
    const { batchItemFailures } = await toFanOut({ Records: [JSON.parse(json)] });
    if (batchItemFailures.length > 0) throw new Error('The record could not be read; it stays parked.');
  };
  let loaded: Promise<ReturnType<typeof import('../functions/actions/app.ts').actions>> | undefined;
  // Loaded at the first action: a fifth of the whole source.
  const loadActions = () => {
    loaded ??= import('../functions/actions/app.ts').then(({ actions }) => actions({ ...services, queue, queues, parking, replay }));
    return loaded;
  };
  return {
    products: store.products,
    router: createRouter<HttpFunction>(
      apiGroups.map(({ routes, make }) => ({ routes, target: make(services) })),
      pageGroups.map(({ routes, make }) => ({ routes, target: make(services) })),
    ),
    fallback: fallback({ log }),
    fanOut: toFanOut,
    actions: async (call: ActionCall) => (await loadActions())(call),
    deliver: deliver({ store, queue, scheduler, sender, policy, clock, random: systemRandom, log, onlyOnce: onlyOnce() }),
    searchSync: searchSync({ store, secrets, sender, log }),
    sweep: sweep({ store, queue, policy, clock, log }),
    close: () => sender.close(),
  };
};

/** Longer than a reading of what is done next can be old. */
const lingerMs = 5_000;

/**
 * Does each piece of work by its name once at a time, and not again right after it: sweeps follow the time scale and attempts last as long
 * as ever, so messages are doubled whose attempts are still being made. Work that failed may be done again at once.
 */
const onlyOnce = () => {
  const known = new Set<string>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (known.has(name)) return undefined;
    known.add(name);
    try {
      const result = await work();
      setTimeout(() => known.delete(name), lingerMs).unref();
      return result;
    } catch (error) {
      known.delete(name);
      throw error;
    }
  };
};
