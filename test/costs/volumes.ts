import type { Bill } from './bill.ts';
import type { Kept, Operation } from './meter.ts';
import { totalOf } from './meter.ts';
import { hoursAMonth, perMillion, prices } from './prices.ts';

/** Operations by title, with what they cost a million. */
export type Billed = ReadonlyMap<string, { readonly operation: Operation; readonly bill: Bill }>;

/**
 * Work per order: the order itself, reads of the dashboard and an integration, its statuses, a
 * share of an expense, and its events (created, two statuses, a payment), each delivered to one or
 * two endpoints. Each delivery counts as alone, which is the dearest way.
 */
export const workload: readonly (readonly [title: string, perOrder: number])[] = [
  ['POST /orders, walk-in', 0.2],
  ['POST /orders, known customer', 0.6],
  ['POST /orders, new customer, payment', 0.2],
  ['an order gets another status', 2],
  ['POST /expenses, supplier', 0.5],
  ['GET by id', 4],
  ['GET 20 orders', 2],
  ['a delivery alone', 6],
];

/** Months that an order is kept in the table when its storage is priced. */
const keptMonths = 12;
/** Greatest cost of a region at rest (docs/decisions/0015-cost-at-rest.md). */
export const atRestMonth = 3.1;

const billedOf = (billed: Billed, title: string) => {
  const found = billed.get(title);
  if (!found) throw new Error(`No operation is called ${title}.`);
  return found;
};

/** How often something happens for each order. */
export const perOrder = (billed: Billed, count: (operation: Operation) => number): number =>
  workload.reduce((sum, [title, times]) => {
    const { operation } = billedOf(billed, title);
    return sum + (times * count(operation)) / operation.count;
  }, 0);

export const requestsOf = ({ route }: Operation): number => (route === undefined ? 0 : 1);
export const writeUnitsOf = ({ invocations }: Operation): number =>
  invocations.reduce((sum, { writeUnits }) => sum + totalOf(writeUnits), 0);

/** GB-months of items or index entries that an order takes: what it leaves for good, for a year, and what expires, for a month. */
const keptGbMonths = (billed: Billed, part: keyof Kept): number =>
  perOrder(billed, ({ invocations }) =>
    invocations.reduce((sum, { bytesMade: { staying, expiring } }) => sum + (staying[part] * keptMonths + expiring[part]) / 1e9, 0),
  );

/** A month of so many orders in a region, in US dollars. */
export interface Month {
  readonly work: number;
  readonly storage: number;
  readonly metrics: number;
  readonly atRest: number;
  readonly total: number;
}

const withTotal = <Terms extends Record<string, number>>(terms: Terms) => ({
  ...terms,
  total: Object.values(terms).reduce((sum, term) => sum + term, 0),
});

/** The stack as it is: what is used, a year of orders in the table with its recovery, and metrics that all have data. */
export const serverlessMonth = (billed: Billed, orders: number, metrics: number): Month => {
  const { storageGbMonth, pointInTimeRecoveryGbMonth } = prices.table;
  const [items, entries] = [keptGbMonths(billed, 'items'), keptGbMonths(billed, 'entries')];
  return withTotal({
    work: workload.reduce((sum, [title, times]) => sum + perMillion(billedOf(billed, title).bill.total, times * orders), 0),
    // Point-in-time recovery is billed by the size of the table without its global indexes.
    storage: orders * ((items + entries) * storageGbMonth + items * pointInTimeRecoveryGbMonth),
    metrics: metrics * prices.customMetricMonth,
    atRest: atRestMonth,
  });
};

/** Two containers behind a load balancer, and PostgreSQL in two zones. */
export interface Servers {
  readonly title: string;
  readonly vcpu: number;
  readonly gb: number;
  readonly containers: number;
  readonly database: 'db.t4g.medium' | 'db.r8g.large';
}

/** The least that survives the loss of a zone, and what carries a hundred times as much. */
export const serverSizes = {
  small: { title: '2 × 0.5 vCPU, 1 GB; db.t4g.medium', vcpu: 0.5, gb: 1, containers: 2, database: 'db.t4g.medium' },
  medium: { title: '2 × 1 vCPU, 2 GB; db.r8g.large', vcpu: 1, gb: 2, containers: 2, database: 'db.r8g.large' },
} as const satisfies Record<string, Servers>;

/** One row and narrow indexes instead of a view in each: an order takes about half of the table's bytes. */
const shareOfBytes = 0.5;
/** Addresses of two containers and of a load balancer in two zones, without a NAT gateway. */
const addresses = 4;

export interface ServersMonth {
  readonly containers: number;
  readonly balancer: number;
  readonly database: number;
  readonly storage: number;
  readonly total: number;
}

/**
 * Returns the cost of such servers a month, with a year of orders on their disk, without operators'
 * time.
 */
export const serversMonth = (billed: Billed, orders: number, { vcpu, gb, containers, database }: Servers): ServersMonth => {
  const { fargate, loadBalancer, publicAddressHour } = prices;
  const diskGb = Math.max(20, shareOfBytes * orders * (keptGbMonths(billed, 'items') + keptGbMonths(billed, 'entries')));
  return withTotal({
    containers: containers * hoursAMonth * (vcpu * fargate.vcpu + gb * fargate.gb),
    balancer: hoursAMonth * (loadBalancer.hour + loadBalancer.capacityUnitHour + addresses * publicAddressHour),
    database: hoursAMonth * prices.database[database],
    storage: diskGb * prices.database.storageGbMonth,
  });
};

/** Orders a month from which servers of that size are cheaper than what is used, to two digits; the servers have to carry them. */
export const breakEven = (billed: Billed, metrics: number, servers: Servers): number => {
  const isCheaper = (orders: number): boolean =>
    serversMonth(billed, orders, servers).total < serverlessMonth(billed, orders, metrics).total;
  let [low, high] = [0, 1e9];
  while (high - low > high / 1_000) {
    const middle = (low + high) / 2;
    if (isCheaper(middle)) high = middle;
    else low = middle;
  }
  return Number(high.toPrecision(2));
};
