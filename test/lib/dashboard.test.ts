import { beforeAll, expect, test } from '@jest/globals';
import { alarmSpecs } from '../../lib/alarms.ts';
import { functionNames } from '../../lib/functions.ts';
import { type MetricName, metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { fullContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { resourcesOf, synthesize, theOnly } from './synthesize.ts';

type Row = readonly [string | { readonly expression: string }, ...(string | object)[]];

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title: string;
    readonly region?: string;
    readonly metrics?: readonly Row[];
    readonly alarms?: readonly string[];
  };
}

/** Metrics of AWS by namespace and dimensions, as its services publish them. */
const known: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda FunctionName': ['Errors', 'Duration', 'ConcurrentExecutions', 'Throttles', 'IteratorAge', 'Invocations'],
  'AWS/ApiGateway ApiId Stage': ['Count', '4xx', '5xx', 'Latency'],
  'AWS/ApiGateway ApiId Method Resource Stage': ['4xx', '5xx', 'Latency'],
  'AWS/DynamoDB TableName': ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits', 'ReadThrottleEvents', 'WriteThrottleEvents'],
  'AWS/DynamoDB GlobalSecondaryIndexName TableName': ['ReadThrottleEvents', 'WriteThrottleEvents'],
  'AWS/SQS QueueName': [
    'ApproximateAgeOfOldestMessage',
    'ApproximateNumberOfMessagesVisible',
    'ApproximateNumberOfMessagesNotVisible',
    'NumberOfMessagesSent',
  ],
  'AWS/Scheduler ScheduleGroup': ['InvocationAttemptCount', 'TargetErrorCount'],
  'AWS/Logs LogGroupName': ['IncomingBytes'],
};
const dimensionOf = (name: MetricName): string[] => {
  const { dimension } = metricSpecOf(name);
  return dimension ? [dimension.name] : [];
};

const bodyOf = (context: Record<string, unknown>): { readonly widgets: readonly Widget[] } => {
  const { DashboardBody, DashboardName } = theOnly(synthesize(context).templates.us, 'AWS::CloudWatch::Dashboard');
  expect(DashboardName).toBe('BakeryCommerce-us');
  return JSON.parse(flatten(DashboardBody));
};

let widgets: readonly Widget[];
beforeAll(() => {
  widgets = bodyOf(fullContext).widgets;
});
const rows = (): readonly Row[] => widgets.flatMap(({ properties }) => properties.metrics ?? []);

/** Returns the metrics of all widgets, from rows and search expressions. */
const shown = () =>
  rows().map(([first, ...rest]) => {
    if (typeof first === 'string') {
      const [metric = '', ...pairs] = rest.filter((part): part is string => typeof part === 'string');
      const even = (_: string, i: number) => i % 2 === 0;
      return { namespace: first, metric, dimensions: pairs.filter(even), values: pairs.filter((part, i) => !even(part, i)) };
    }
    const found = /^SEARCH\('\{([\w/]+),([\w,]+)\} (?:ApiId|TableName)="(.+)" MetricName="(\w+)"', '(?:Sum|p95)', 300\)$/.exec(
      first.expression,
    );
    if (!found) throw new Error(`Not understood: ${first.expression}`);
    const [, namespace = '', dimensions = '', value = '', metric = ''] = found;
    return { namespace, metric, dimensions: dimensions.split(','), values: [value] };
  });

test('the dashboard exists only if it is switched on', () => {
  synthesize().templates.us.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
});

test('graphs by route exist if metrics by route are switched on; all others always exist', () => {
  const titlesOf = (context: Record<string, unknown>) => bodyOf(context).widgets.map(({ properties }) => properties.title);
  const byRoute = ['API latency by route (p95)', '4xx by route', '5xx by route'];
  expect(titlesOf(fullContext)).toEqual(expect.arrayContaining(byRoute));
  expect(titlesOf(someContext)).toEqual(titlesOf(fullContext).filter((title) => !byRoute.includes(title)));
});

test('each region has a dashboard with its own metrics alone', () => {
  for (const region of ['au', 'eu'] as const) {
    const { DashboardBody } = theOnly(synthesize(fullContext).templates[region], 'AWS::CloudWatch::Dashboard');
    expect(flatten(DashboardBody)).toContain(`"BakeryCommerce-${region}"`);
    expect(flatten(DashboardBody)).not.toContain('BakeryCommerce-us');
  }
});

test('every metric on the dashboard exists with these dimensions', () => {
  for (const { namespace, metric, dimensions } of shown()) {
    const names = namespace === 'BakeryCommerce-us' ? metricNames : known[[namespace, ...dimensions].join(' ')];
    expect({ namespace, dimensions, names }).toMatchObject({ names: expect.arrayContaining([metric]) });
    if (namespace === 'BakeryCommerce-us')
      expect({ metric, dimensions }).toEqual({ metric, dimensions: dimensionOf(metric as MetricName) });
  }
});

test('resources on the dashboard are in the stack', () => {
  const template = synthesize(fullContext).templates.us;
  const literals = ['$default', String(theOnly(template, 'AWS::Scheduler::ScheduleGroup')['Name'])];
  const ids = new Set(Object.keys((template.toJSON() as { Resources: object }).Resources));
  for (const value of shown().flatMap(({ namespace, values }) => (namespace.startsWith('AWS/') ? values : [])))
    if (!literals.includes(value)) expect(ids).toContain(/^<(\w+)(\.\w+)?>$/.exec(value)?.[1]);
});

test("all the service's own metrics are on the dashboard, with every value of their dimension", () => {
  const own = shown().filter(({ namespace }) => namespace === 'BakeryCommerce-us');
  const expected = metricNames.flatMap((name) => metricSpecOf(name).dimension?.values.map((value) => `${name}/${value}`) ?? [name]);
  expect([...new Set(own.map(({ metric, values }) => [metric, ...values].join('/')))].sort()).toEqual(expected.sort());
});

test('the dashboard shows errors, duration, concurrency and throttles of every function', () => {
  const functions = resourcesOf(synthesize(fullContext).templates.us, 'AWS::Lambda::Function');
  for (const metric of ['Errors', 'Duration', 'ConcurrentExecutions', 'Throttles']) {
    const names = shown().flatMap((one) => (one.namespace === 'AWS/Lambda' && one.metric === metric ? one.values : []));
    expect(new Set(names.map((value) => functions[value.slice(1, -1)]?.Properties['FunctionName']))).toEqual(
      new Set(functionNames.map((name) => `BakeryCommerce-us-${name}`)),
    );
  }
});

test("the dashboard shows throttles of the indexes, which the table's metrics exclude", () => {
  const ofIndexes = shown().filter(({ dimensions }) => dimensions.includes('GlobalSecondaryIndexName'));
  expect(ofIndexes.map(({ metric }) => metric)).toEqual(['ReadThrottleEvents', 'WriteThrottleEvents']);
});

test("every alarm is on the dashboard, titles are unique, and no graph exceeds CloudWatch's number of lines", () => {
  expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(Object.keys(alarmSpecs).length);
  const titles = widgets.map(({ properties }) => properties.title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { properties } of widgets) expect(properties.metrics?.length ?? 0).toBeLessThanOrEqual(100);
});
