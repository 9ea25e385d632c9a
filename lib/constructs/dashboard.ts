import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, type Stack } from 'aws-cdk-lib/core';
import { functionNames } from '../functions.ts';
import { type MetricName, metricSpecOf } from '../metrics.ts';
import type { Watched } from './alarms.ts';
import type { ServedTable } from './data-table.ts';
import type { ServiceApi } from './http-api.ts';
import { serviceMetric } from './metrics.ts';

const period = Duration.minutes(5);
const width = 8;

const graph = (title: string, metrics: readonly IMetric[], stacked = false): IWidget =>
  new GraphWidget({ title, left: [...metrics], stacked, width, height: 6, leftYAxis: { min: 0 } });

const total = (label: string) => ({ label, period, statistic: Stats.SUM });
const maximum = (label: string) => ({ label, period, statistic: Stats.MAXIMUM });

const labelled = (metric: Metric, label: string, statistic: string): IMetric => metric.with({ label, statistic, period });

const percentiles = (metric: Metric): IMetric[] => ['p50', 'p95', 'p99'].map((statistic) => labelled(metric, statistic, statistic));

const sums = (stack: Stack, ...names: MetricName[]): IMetric[] =>
  names.map((name) => labelled(serviceMetric(stack, name), name, Stats.SUM));

/** Returns a line per value of the metric's dimension. */
const each = (stack: Stack, name: MetricName): IMetric[] =>
  (metricSpecOf(name).dimension?.values ?? []).map((value) => serviceMetric(stack, name, { statistic: Stats.SUM, period }, value));

const deliveries = (stack: Stack): IWidget[] => [
  graph('Attempts by outcome', each(stack, 'Attempts'), true),
  graph('Failed attempts by reason', each(stack, 'AttemptErrors'), true),
  graph('Attempt latency', percentiles(serviceMetric(stack, 'AttemptLatency'))),
  graph('Change to first attempt', percentiles(serviceMetric(stack, 'FirstAttemptLag'))),
  graph('Ladder depth', [
    labelled(serviceMetric(stack, 'LadderDepth'), 'mean', Stats.AVERAGE),
    labelled(serviceMetric(stack, 'LadderDepth'), 'deepest', Stats.MAXIMUM),
  ]),
  graph('Given up and put back', sums(stack, 'DeliveriesAbandoned', 'EndpointsDisabled', 'DeliveriesRequeued')),
];

const oldest = (queue: Queue, label: string) => queue.metricApproximateAgeOfOldestMessage(maximum(label));
const waiting = (queue: Queue, label: string) => queue.metricApproximateNumberOfMessagesVisible(maximum(label));
const inFlight = (queue: Queue, label: string) => queue.metricApproximateNumberOfMessagesNotVisible(maximum(label));

const queues = ({ delivery, search, parking, sweepFailures }: Watched): IWidget[] => [
  graph('Age of the oldest message (s)', [oldest(delivery.queue, 'delivery'), oldest(search.queue, 'search')]),
  graph('Messages waiting and in work', [
    waiting(delivery.queue, 'delivery, waiting'),
    inFlight(delivery.queue, 'delivery, in work'),
    waiting(search.queue, 'search, waiting'),
    inFlight(search.queue, 'search, in work'),
  ]),
  graph('Dead letters and parked records', [
    waiting(delivery.deadLetters, 'delivery'),
    waiting(search.deadLetters, 'search'),
    waiting(sweepFailures, 'sweep'),
    waiting(parking.notices, 'parked records'),
  ]),
];

const fanOut = (stack: Stack, { functions, delivery }: Watched): IWidget[] => [
  graph('Change stream', [
    labelled(functions['fan-out'].metric('IteratorAge'), 'iterator age (ms)', Stats.MAXIMUM),
    labelled(serviceMetric(stack, 'FanOutLag'), 'fan-out lag (ms)', Stats.MAXIMUM),
  ]),
  graph('Invocations of fan-out', [labelled(functions['fan-out'].metricInvocations(), 'fan-out', Stats.SUM)]),
  graph('Work that came back', [...each(stack, 'WorkRetried'), ...sums(stack, 'RecordsParked')]),
  graph('Schedules', [delivery.scheduleGroup.metricTargetErrors(total('failed')), delivery.scheduleGroup.metricAttempts(total('fired'))]),
];

/**
 * Returns a line per route that had requests. A search finds them, because routes change with the
 * route tables.
 */
const byRoute = ({ api }: ServiceApi, name: string, statistic: string): IMetric =>
  searchMetric(`{AWS/ApiGateway,ApiId,Method,Resource,Stage} ApiId="${api.apiId}" MetricName="${name}"`, statistic);

/** Returns a line per metric that CloudWatch finds. */
const searchMetric = (metrics: string, statistic: string): IMetric =>
  new MathExpression({ expression: `SEARCH('${metrics}', '${statistic}', ${period.toSeconds()})`, label: '', period, usingMetrics: {} });

const requests = (stack: Stack, { api }: Watched, routeMetrics: boolean): IWidget[] => [
  graph('Requests', [
    api.stage.metricCount(total('all')),
    api.stage.metricClientError(total('4xx')),
    api.stage.metricServerError(total('5xx')),
    labelled(serviceMetric(stack, 'ServerErrorsLogged'), '5xx, logged by a function', Stats.SUM),
  ]),
  graph('API latency', percentiles(api.stage.metricLatency())),
  ...(routeMetrics
    ? [
        graph('API latency by route (p95)', [byRoute(api, 'Latency', 'p95')]),
        graph('4xx by route', [byRoute(api, '4xx', 'Sum')]),
        graph('5xx by route', [byRoute(api, '5xx', 'Sum')]),
      ]
    : []),
  graph('Answered with 500', sums(stack, 'ApiInternalErrors', 'ActionInternalErrors', 'CheckoutPageInternalErrors')),
  graph('Reached from outside', sums(stack, 'Unreachable', 'ChecksPassed')),
  graph('Rate limits', each(stack, 'RateLimitHits'), true),
  graph('Idempotency', sums(stack, 'IdempotencyReplays', 'IdempotencyKeysReused', 'IdempotencyKeysInFlight')),
  graph('Keys and plans refused', sums(stack, 'KeysRefused', 'OrderLimitRefusals')),
  graph('Checkout', sums(stack, 'CheckoutsSettled', 'CheckoutPaymentsWithoutOrder', 'GatewayFeesUnbooked', 'SecretsUnreadable')),
];

type FunctionMetric = 'Errors' | 'Duration' | 'ConcurrentExecutions' | 'Throttles';
const perFunction = ({ functions }: Watched, metric: FunctionMetric, statistic: string): IMetric[] =>
  functionNames.map((name) => labelled(functions[name].metric(metric), name, statistic));

const lambdas = (watched: Watched): IWidget[] => [
  graph('Function errors', perFunction(watched, 'Errors', Stats.SUM)),
  graph('Function duration (p95)', perFunction(watched, 'Duration', 'p95')),
  graph('Concurrent executions', perFunction(watched, 'ConcurrentExecutions', Stats.MAXIMUM)),
  graph('Function throttles', perFunction(watched, 'Throttles', Stats.SUM)),
];

const tableSum = (table: ServedTable, name: string, label: string): IMetric => labelled(table.metric(name), label, Stats.SUM);

/**
 * Returns a line per index that was throttled. With the table's name alone, CloudWatch counts the
 * table without its indexes.
 */
const byIndex = (table: ServedTable, name: string): IMetric =>
  searchMetric(`{AWS/DynamoDB,GlobalSecondaryIndexName,TableName} TableName="${table.tableName}" MetricName="${name}"`, 'Sum');

const tables = ({ table, buckets }: Watched): IWidget[] => [
  graph('Table capacity (units)', [
    tableSum(table, 'ConsumedReadCapacityUnits', 'data, read'),
    tableSum(table, 'ConsumedWriteCapacityUnits', 'data, written'),
    tableSum(buckets, 'ConsumedWriteCapacityUnits', 'rate buckets, written'),
  ]),
  graph('Table throttles', [
    tableSum(table, 'ReadThrottleEvents', 'data, reads'),
    tableSum(table, 'WriteThrottleEvents', 'data, writes'),
    tableSum(buckets, 'WriteThrottleEvents', 'rate buckets, writes'),
    byIndex(table, 'ReadThrottleEvents'),
    byIndex(table, 'WriteThrottleEvents'),
  ]),
];

const logBytes = ([label, { logGroupName }]: readonly [string, LogGroup]): IMetric =>
  new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingBytes',
    dimensionsMap: { LogGroupName: logGroupName },
    ...total(label),
  });

/**
 * Returns graphs of what costs most: compute time, log bytes and messages. Requests and table units
 * have graphs above.
 */
const costs = (watched: Watched): IWidget[] => [
  graph('Cost: compute time (ms)', perFunction(watched, 'Duration', Stats.SUM), true),
  graph('Cost: log bytes', Object.entries(watched.logGroups).map(logBytes), true),
  graph('Cost: messages', [
    watched.delivery.queue.metricNumberOfMessagesSent(total('delivery')),
    watched.search.queue.metricNumberOfMessagesSent(total('search')),
  ]),
];

/**
 * Creates the region's dashboard with the stack's name. Alarms come first, then what customers
 * notice, and costs last.
 */
export const createDashboard = (stack: Stack, watched: Watched, alarms: readonly Alarm[], routeMetrics: boolean): void => {
  const rows: IWidget[][] = [
    [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
    requests(stack, watched, routeMetrics),
    deliveries(stack),
    queues(watched),
    fanOut(stack, watched),
    lambdas(watched),
    tables(watched),
    costs(watched),
  ];
  new Dashboard(stack, 'Dashboard', { dashboardName: stack.stackName, defaultInterval: Duration.hours(3), widgets: rows });
};
