import { concurrencyFor, minDeliveries } from '../../functions/event-sources.ts';
import { defaultRouteThrottle } from '../../lib/configuration.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { durationMs } from './bill.ts';
import type { Deployment } from './deployment.ts';
import type { Invocation, Operation } from './meter.ts';
import { secondsAMonth } from './prices.ts';
import { type Billed, perOrder, requestsOf, workload, writeUnitsOf } from './volumes.ts';

/** The base load: orders per month of a region. Its busiest second has ten times the mean. */
export const onceOrders = 100_000;
export const peakOfMean = 10;
export const peakOrders = (orders: number): number => (orders / secondsAMonth) * peakOfMean;

/** Units per second that DynamoDB gives to one value of a partition key. */
export const partition = { write: 1_000, read: 3_000 } as const;
/** Context keys that raise limits, with their defaults. */
export const defaultKeys = { deliverConcurrency: minDeliveries, routeThrottle: defaultRouteThrottle } as const;
export type LimitKey = keyof typeof defaultKeys;
const quotas = {
  apiRequests: 10_000,
  executions: 1_000,
  newTableWriteUnits: 4_000,
  tableWriteUnits: 40_000,
  schedulesFired: 1_000,
} as const;
const shardsOfNewTable = 4;
/** One delivery in fifty fails twice, and its third attempt waits in a schedule. */
const failsTwice = 1 / 50;
/** A failing attempt moves the delivery's entry of the due index, which deletes one and makes one. */
const dueUnitsOfFailure = 2;

/** A limited resource: the amount available per second, and the amount that one order uses. */
export interface Limit {
  readonly what: string;
  readonly available: number;
  readonly perOrder: number;
  readonly knob: string;
  /** The context key that raises it. */
  readonly key?: LimitKey;
}

/**
 * Jobs per second of this many concurrent executions, each with `jobs` jobs in `ms` milliseconds.
 */
const perSecond = (executions: number, jobs: number, ms: number): number => (executions * jobs * 1_000) / ms;

/** Every limit of a region with these keys, in its own unit. */
export const limitsOf = (
  billed: Billed,
  deployment: Deployment,
  { deliverConcurrency, routeThrottle }: Readonly<Record<LimitKey, number>> = defaultKeys,
): readonly Limit[] => {
  const operationOf = (title: string): Operation => {
    const found = billed.get(title);
    if (!found) throw new Error(`No operation is called ${title}.`);
    return found.operation;
  };
  const tens = operationOf('a delivery, ten in one invocation');
  const [fanOut, deliver] = tens.invocations as readonly [Invocation, Invocation];
  const deliverMs = durationMs(deliver, deployment, tens.count);
  const fanOutMs = durationMs(fanOut, deployment, tens.count);
  const { perShard } = concurrencyFor(deliverConcurrency);
  const isDelivery = ({ route, invocations }: Operation) => route === undefined && invocations.some((one) => one.function === 'deliver');
  const deliveries = perOrder(billed, (one) => (isDelivery(one) ? one.count : 0));
  const seconds = (one: Operation): number =>
    one.route === undefined ? 0 : one.invocations.reduce((sum, invocation) => sum + durationMs(invocation, deployment, 1) / 1_000, 0);
  const buckets = (one: Operation): number => one.invocations.reduce((sum, { writeUnits: { bucket = 0 } }) => sum + bucket, 0);
  const onTable = perOrder(billed, (one) => writeUnitsOf(one) - buckets(one));
  const busiestRoute = Math.max(...workload.map(([title, times]) => times * requestsOf(operationOf(title))));
  return [
    {
      what: `webhook deliveries of ${deliverConcurrency} executions in batches of ten`,
      available: perSecond(deliverConcurrency, tens.count, deliverMs),
      perOrder: deliveries,
      key: 'deliverConcurrency',
      knob: '`deliverConcurrency`, up to 1,000 executions',
    },
    {
      what: `changes read by fan-out, ${shardsOfNewTable} shards with ${perShard} execution each`,
      available: perSecond(shardsOfNewTable * perShard, tens.count, fanOutMs),
      perOrder: deliveries,
      key: 'deliverConcurrency',
      knob: '`deliverConcurrency`: a tenth of it per shard, up to ten; a growing table has more shards',
    },
    {
      what: 'requests of one route',
      available: routeThrottle,
      perOrder: busiestRoute,
      key: 'routeThrottle',
      knob: '`routeThrottle`',
    },
    {
      what: 'write units of a new table',
      available: quotas.newTableWriteUnits,
      perOrder: onTable,
      knob: 'none; it doubles in half an hour',
    },
    { what: 'write units of a table', available: quotas.tableWriteUnits, perOrder: onTable, knob: 'Service Quotas: DynamoDB' },
    {
      what: `failing attempts, in ${dueShards} partitions of the due index`,
      available: (dueShards * partition.write) / dueUnitsOfFailure,
      perOrder: deliveries * failsTwice * 2,
      knob: '`dueShards` in `shared/table/schema.ts`',
    },
    {
      what: 'requests to HTTP APIs of the AWS account',
      available: quotas.apiRequests,
      perOrder: perOrder(billed, requestsOf),
      knob: 'Service Quotas: API Gateway',
    },
    {
      what: 'schedules that EventBridge fires',
      available: quotas.schedulesFired,
      perOrder: deliveries * failsTwice,
      knob: 'Service Quotas: EventBridge Scheduler',
    },
    {
      what: 'executions of the API, at a quota of 1,000',
      available: quotas.executions,
      perOrder: perOrder(billed, seconds),
      knob: 'Service Quotas: Lambda; `reservedConcurrency`',
    },
  ];
};

/** Orders per month at which the busiest second reaches the limit. */
export const reachedAt = ({ available, perOrder }: Limit): number =>
  perOrder === 0 ? Number.POSITIVE_INFINITY : ((available / perOrder) * secondsAMonth) / peakOfMean;
