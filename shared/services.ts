import { deployedLimit } from './core/aws-calls.ts';
import { systemClock } from './core/clock.ts';
import { hasNotices, requireEnv, requireRegion } from './core/config.ts';
import { randomId } from './core/ids.ts';
import { jsonLog } from './core/log.ts';
import { systemRandom } from './core/random.ts';
import type { ApiServices } from './http/exchange.ts';
import type { NoticeBus } from './providers/notice-bus.ts';
import type { ParkingLot } from './providers/parking.ts';
import type { Queue } from './providers/queue.ts';
import type { Scheduler } from './providers/scheduler.ts';
import type { Secrets } from './providers/secrets.ts';
import { connectDb, type Db } from './table/client.ts';
import type { Store } from './table/store.ts';
import { type DeliveryPolicy, productionPolicy } from './webhooks/policy.ts';
import type { Sender } from './webhooks/sender.ts';

/** All services that functions use. Each function names the services that it needs. */
export interface Services extends ApiServices {
  readonly store: Store;
  /** Queue of deliveries that wait for their attempt. */
  readonly queue: Queue;
  /** Changes of products that are not yet sent to the search engine. */
  readonly searchQueue: Queue;
  readonly scheduler: Scheduler;
  readonly parking: ParkingLot;
  readonly secrets: Secrets;
  /** Sends notices to the platform; absent if the deployment has no notices. */
  readonly noticeBus?: NoticeBus;
  readonly sender: Sender;
  readonly policy: DeliveryPolicy;
}

const deployed = { clock: systemClock, random: systemRandom, newId: randomId, log: jsonLog, policy: productionPolicy };
const connection = { clock: systemClock, random: systemRandom, limit: deployedLimit };

/**
 * Returns the services of a deployed function. `open` opens its stores on the table that the
 * environment names.
 */
export const deployedServices = <Opened>(open: (db: Db) => Opened) => {
  const { TABLE_NAME: tableName } = requireEnv(process.env, ['TABLE_NAME']);
  return { ...deployed, store: open(connectDb({ ...connection, tableName, notices: hasNotices(process.env) })) };
};

/**
 * Returns the services of a deployed API function. In addition to the others, it knows its region
 * and counts rates.
 */
export const deployedApiServices = <Opened>(open: (db: Db) => Opened) => {
  const { TABLE_NAME: tableName, BUCKETS_TABLE_NAME: bucketsTableName } = requireEnv(process.env, ['TABLE_NAME', 'BUCKETS_TABLE_NAME']);
  return {
    ...deployed,
    store: open(connectDb({ ...connection, tableName, bucketsTableName, notices: hasNotices(process.env) })),
    region: requireRegion(process.env),
  };
};
