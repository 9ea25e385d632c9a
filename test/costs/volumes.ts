import type { Bill } from './bill.ts';
import type { Operation, StoredBytes } from './meter.ts';
import { totalOf } from './meter.ts';
import { hoursAMonth, perMillion, prices } from './prices.ts';

/** Operations by title, with their price per million. */
export type Billed = ReadonlyMap<string, { readonly operation: Operation; readonly bill: Bill }>;

/**
 * The work of one order: the order itself, reads by the dashboard and an integration, its status
 * changes, a share of an expense, and its events (created, two statuses, a payment), each sent to
 * one or two endpoints. Every delivery is priced alone, which is the most expensive case.
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

/** Months of storage included in an order's price. */
const storedMonths = 12;
/** The highest cost of an idle region (docs/decisions/0015-cost-at-rest.md). */
export const atRestMonth = 3.1;

const billedOf = (billed: Billed, title: string) => {
  const found = billed.get(title);
  if (!found) throw new Error(`No operation is called ${title}.`);
  return found;
};

/** How often each operation happens per order. */
export const perOrder = (billed: Billed, count: (operation: Operation) => number): number =>
  workload.reduce((sum, [title, times]) => {
    const { operation } = billedOf(billed, title);
    return sum + (times * count(operation)) / operation.count;
  }, 0);

export const requestsOf = ({ route }: Operation): number => (route === undefined ? 0 : 1);
export const writeUnitsOf = ({ invocations }: Operation): number =>
  invocations.reduce((sum, { writeUnits }) => sum + totalOf(writeUnits), 0);

/**
 * GB-months of items or index entries per order: permanent ones for a year, expiring ones for a
 * month.
 */
const storedGbMonths = (billed: Billed, part: keyof StoredBytes): number =>
  perOrder(billed, ({ invocations }) =>
    invocations.reduce((sum, { bytesMade: { staying, expiring } }) => sum + (staying[part] * storedMonths + expiring[part]) / 1e9, 0),
  );

const withTotal = <Terms extends Record<string, number>>(terms: Terms) => ({
  ...terms,
  total: Object.values(terms).reduce((sum, term) => sum + term, 0),
});

/**
 * The current stack: its usage, a year of orders in the table with recovery, and metrics that all
 * have data.
 */
export const serverlessMonth = (billed: Billed, orders: number, metrics: number) => {
  const { storageGbMonth, pointInTimeRecoveryGbMonth } = prices.table;
  const [items, entries] = [storedGbMonths(billed, 'items'), storedGbMonths(billed, 'entries')];
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

/** The smallest setup that survives the loss of a zone, and one for a hundred times the load. */
export const serverSizes = {
  small: { title: '2 × 0.5 vCPU, 1 GB; db.t4g.medium', vcpu: 0.5, gb: 1, containers: 2, database: 'db.t4g.medium' },
  medium: { title: '2 × 1 vCPU, 2 GB; db.r8g.large', vcpu: 1, gb: 2, containers: 2, database: 'db.r8g.large' },
} as const satisfies Record<string, Servers>;

/** One row and narrow indexes, without a view in each, take about half of the table's bytes. */
const shareOfBytes = 0.5;
/** Addresses of two containers and of a load balancer in two zones, without a NAT gateway. */
const addresses = 4;

/**
 * The monthly price of these servers with a year of orders on disk, without the work of operating
 * them.
 */
export const serversMonth = (billed: Billed, orders: number, { vcpu, gb, containers, database }: Servers) => {
  const { fargate, loadBalancer, publicAddressHour } = prices;
  const diskGb = Math.max(20, shareOfBytes * orders * (storedGbMonths(billed, 'items') + storedGbMonths(billed, 'entries')));
  return withTotal({
    containers: containers * hoursAMonth * (vcpu * fargate.vcpu + gb * fargate.gb),
    balancer: hoursAMonth * (loadBalancer.hour + loadBalancer.capacityUnitHour + addresses * publicAddressHour),
    database: hoursAMonth * prices.database[database],
    storage: diskGb * prices.database.storageGbMonth,
  });
};

/**
 * The orders per month, to two digits, from which servers of this size cost less than the stack.
 * The servers must be able to process them.
 */
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
