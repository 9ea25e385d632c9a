import type { PageUnits } from '../../bench/measure/list-capacity.ts';
import { table } from '../support/marked-tables.ts';
import { bakeryCounts, loadOf, secretLimits } from './bakeries.ts';
import { type Bill, billOf } from './bill.ts';
import type { Deployment } from './deployment.ts';
import { limitsOf, onceOrders, peakOrders, reachedAt } from './limits.ts';
import type { Operation } from './meter.ts';
import { totalOf } from './meter.ts';
import { prices } from './prices.ts';
import { type Billed, breakEven, type Servers, serverlessMonth, serverSizes, serversMonth, workload } from './volumes.ts';

/** The data of the tables. */
export interface Figures {
  readonly operations: readonly Operation[];
  readonly pages: readonly PageUnits[];
  readonly deployment: Deployment;
}

/**
 * The purpose of each written item. An item that is missing here fails the test, because its cost
 * is unexplained.
 */
const reasons: Readonly<Record<string, string>> = {
  bucket: "the key's rate bucket",
  number: 'the next order number: transactions return no values, so it goes before',
  records: 'one transaction, so twice the KB of each item; the stored response is one of them',
  body: 'once per event, however many endpoints hear it',
  record: 'the delivery record is made',
  slots: 'one lease for all attempts of an invocation',
  end: 'the outcome on the record',
  count: 'outcomes folded, slots given back',
  indexes: 'each entry by its KB, in a transaction too; one that moves counts twice',
};
const partOrder = Object.keys(reasons);

const writesOf = ({ invocations }: Operation): Record<string, number> => {
  const units: Record<string, number> = {};
  for (const { writeUnits } of invocations)
    for (const [part, count] of Object.entries(writeUnits)) units[part] = (units[part] ?? 0) + count;
  return units;
};

const writesTable = (operations: readonly Operation[], titles: Readonly<Record<string, string>>): string => {
  const columns = Object.keys(titles).map((title) => writesOf(titled(operations, title)));
  const parts = [...new Set(columns.flatMap(Object.keys))].sort((a, b) => partOrder.indexOf(a) - partOrder.indexOf(b));
  const reasonOf = (part: string): string => {
    const reason = reasons[part];
    if (reason === undefined) throw new Error(`Nobody has said why "${part}" is written.`);
    return reason;
  };
  return table(
    ['Part', ...Object.values(titles), 'Reason'],
    [...parts.map((part) => [part, ...columns.map((units) => units[part] ?? 0), reasonOf(part)]), ['total', ...columns.map(totalOf), '']],
  );
};

const titled = (operations: readonly Operation[], title: string): Operation => {
  const found = operations.find((one) => one.title === title);
  if (!found) throw new Error(`No operation is called ${title}.`);
  return found;
};

const tripsTable = (operations: readonly Operation[]): string =>
  table(
    ['Operation', 'Function', 'Calls', 'One after another', 'Read units', 'Write units', 'Bytes logged', 'Messages'],
    operations.flatMap(({ title, invocations }) =>
      invocations.map(({ function: name, calls, trips, readUnits, writeUnits, lines, messages }, i) => [
        i === 0 ? title : '',
        name,
        calls,
        trips,
        readUnits,
        totalOf(writeUnits),
        lines.reduce((sum, bytes) => sum + bytes, 0),
        messages,
      ]),
    ),
  );

const pagesTable = (pages: readonly PageUnits[]): string =>
  table(
    ['Shape', 'First page', 'Second page'],
    pages.map(({ title, first, second }) => [title, first, second]),
  );

const terms = ['gateway', 'invocations', 'compute', 'reads', 'writes', 'queue', 'logs', 'total'] as const satisfies readonly (keyof Bill)[];

const billTable = (billed: Billed): string =>
  table(
    ['Operation', ...terms],
    [...billed].map(([title, { bill }]) => [title, ...terms.map((term) => (bill[term] === 0 ? '' : bill[term].toFixed(2)))]),
  );

const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');
const dollars = (amount: number): string => (amount < 10 ? amount.toFixed(2) : grouped(amount));

const workloadTable = (): string =>
  table(
    ['For each order', 'Times'],
    workload.map(([title, times]) => [title, times]),
  );

/** Orders per month, and the servers that can process them. */
export const volumes: readonly (readonly [orders: number, servers: Servers])[] = [
  [1_000, serverSizes.small],
  [100_000, serverSizes.small],
  [10_000_000, serverSizes.medium],
];

const volumesTable = (billed: Billed, metrics: number): string =>
  table(
    ['Orders a month', 'at rest', 'metrics', 'work', 'storage', 'this service', 'servers', 'database part', 'server size'],
    volumes.map(([orders, size]) => {
      const here = serverlessMonth(billed, orders, metrics);
      const there = serversMonth(billed, orders, size);
      const cells = [here.work, here.storage, here.total, there.total, there.database].map(dollars);
      return [grouped(orders), here.atRest.toFixed(2), here.metrics.toFixed(2), ...cells, size.title];
    }),
  );

const watchingTable = ({ alarms, metrics }: Deployment): string =>
  table(
    ['What', 'Count', 'US dollars each', 'a month'],
    [
      ['Metrics that alarms watch', alarms, prices.alarmMetricMonth],
      ['Custom metrics', metrics, prices.customMetricMonth],
    ].map(([what = '', count, price]) => [what, Number(count), Number(price).toFixed(2), (Number(count) * Number(price)).toFixed(2)]),
  );

const breakEvenTable = (billed: Billed, metrics: number): string =>
  table(
    ['Servers', 'cheaper from, orders a month', 'at the busiest second'],
    Object.values(serverSizes).map((size) => {
      const orders = breakEven(billed, metrics, size);
      return [size.title, grouped(orders), `${peakOrders(orders).toPrecision(2)} orders`];
    }),
  );

const limitsTable = (billed: Billed, deployment: Deployment): string =>
  table(
    ['Per second', 'Limit', 'Per order', 'Reached at orders a month', 'times 100,000', 'Raise with'],
    [...limitsOf(billed, deployment)]
      .sort((a, b) => reachedAt(a) - reachedAt(b))
      .map((limit) => {
        const orders = Number(reachedAt(limit).toPrecision(2));
        const times = orders / onceOrders;
        const shown = times === Number.POSITIVE_INFINITY ? 'never' : grouped(times);
        return [limit.what, grouped(limit.available), Number(limit.perOrder.toPrecision(2)), grouped(orders), shown, limit.knob];
      }),
  );

const rounded = (count: number): string => grouped(Number(count.toPrecision(2)));

const bakeriesTable = (billed: Billed, deployment: Deployment): string =>
  table(
    [
      ...['Bakeries', 'Orders a month', 'US dollars a month', '`deliverConcurrency`', 'quota of Lambda', '`routeThrottle`'],
      ...['Write units in the busiest second', 'Breaks next', 'at bakeries'],
    ],
    bakeryCounts.map((bakeries) => {
      const {
        orders,
        dollars: price,
        deliverConcurrency,
        lambdaQuota,
        routeThrottle,
        writeUnits,
        next,
      } = loadOf(billed, deployment, bakeries);
      const keys = [deliverConcurrency, lambdaQuota, routeThrottle].map(grouped);
      return [grouped(bakeries), grouped(orders), grouped(price), ...keys, rounded(writeUnits), next.limit.what, rounded(next.bakeries)];
    }),
  );

const secretsTable = (): string =>
  table(
    ['Parameter Store', 'Limit', 'Per bakery', 'Reached at bakeries', 'Raise with'],
    secretLimits.map(({ what, available, ofBakery, perBakery, knob }) => [
      ...[what, grouped(available), perBakery, grouped(available / ofBakery), knob],
    ]),
  );

/** The generated blocks of the page, by page and block name. */
export const sectionsOf = ({ operations, pages, deployment }: Figures): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const billed: Billed = new Map(operations.map((operation) => [operation.title, { operation, bill: billOf(operation, deployment) }]));
  return {
    'docs/cost.md': {
      operations: tripsTable(operations),
      'expense writes': writesTable(operations, { 'POST /expenses': 'Without a supplier', 'POST /expenses, supplier': 'With one' }),
      'expense pages': pagesTable(pages),
      'order writes': writesTable(operations, {
        'POST /orders, walk-in': 'Walk-in',
        'POST /orders, walk-in, order limit': 'Walk-in, order limit',
        'POST /orders, known customer': 'Known customer',
        'POST /orders, new customer, payment': 'New customer, payment',
      }),
      'delivery writes': writesTable(operations, {
        'a delivery alone': 'One delivery',
        'a delivery, ten in one invocation': 'Ten in one invocation',
        'a delivery that succeeds at the second attempt': 'One that fails once',
      }),
      bill: billTable(billed),
      workload: workloadTable(),
      volumes: volumesTable(billed, deployment.metrics),
      watching: watchingTable(deployment),
      'break even': breakEvenTable(billed, deployment.metrics),
      limits: limitsTable(billed, deployment),
      bakeries: bakeriesTable(billed, deployment),
      secrets: secretsTable(),
    },
  };
};
