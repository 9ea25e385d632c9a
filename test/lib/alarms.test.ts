import { expect, test } from '@jest/globals';
import { alarmSpecs } from '../../lib/alarms.ts';
import { type MetricName, metricSpecOf } from '../../lib/metrics.ts';
import { runbook } from '../support/runbook.ts';
import { fullContext, someContext } from './contexts.ts';
import { type PolicyDocument, propertiesOf, synthesize, theOnly } from './synthesize.ts';

test('the stack has exactly the alarms of the list, under their stable names', () => {
  const { templates } = synthesize();
  for (const region of ['us', 'au', 'eu'] as const) {
    const names = propertiesOf(templates[region], 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
    const wanted = Object.entries(alarmSpecs).flatMap(([id, { option }]) => (option ? [] : [`BakeryCommerce-${region}-${id}`]));
    expect(names.sort()).toEqual(wanted.sort());
  }
});

test('outsideChecks adds an alarm that fires if no check has passed in three hours, also if none has run', () => {
  const alarms = (context = {}) =>
    propertiesOf(synthesize(context).templates.us, 'AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName === 'ChecksPassed');
  expect(alarms()).toEqual([]);
  const [alarm, ...others] = alarms(fullContext);
  expect([alarm, others]).toEqual([
    expect.objectContaining({
      ...{ AlarmName: 'BakeryCommerce-us-outside-check-missing', TreatMissingData: 'breaching', Statistic: 'Sum' },
      ...{ Threshold: 1, ComparisonOperator: 'LessThanThreshold', EvaluationPeriods: 36, Period: 300 },
    }),
    [],
  ]);
  expect(Number(alarm?.['EvaluationPeriods']) * Number(alarm?.['Period'])).toBe(3 * 3600);
});

test('one lost probe does not fire api-unreachable, and two in a row do', () => {
  expect(fires('api-unreachable', [1, 0, 1, 0])).toBe(false);
  expect(fires('api-unreachable', [0, 1, 1])).toBe(true);
});

test("every alarm's description ends with a link to its section of the runbook", () => {
  // GitHub's anchors: lower case, without punctuation, spaces as hyphens.
  const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { AlarmName, AlarmDescription } of propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm')) {
    const [, anchor] = /^\S.*\. docs\/runbook\.md#([\w-]+)$/.exec(String(AlarmDescription)) ?? [];
    expect({ AlarmName, anchors }).toEqual({ AlarmName, anchors: expect.arrayContaining([anchor]) });
  }
});

/**
 * Whether an alarm that treats missing data as healthy fires for these sums of five-minute periods.
 */
const fires = (id: string, sums: readonly number[]): boolean => {
  const { Threshold, EvaluationPeriods } = theOnly(
    synthesize().templates.us,
    'AWS::CloudWatch::Alarm',
    ({ AlarmName }) => AlarmName === `BakeryCommerce-us-${id}`,
  ) as { Threshold: number; EvaluationPeriods: number };
  return sums.some((_, i) => i + 1 >= EvaluationPeriods && sums.slice(i + 1 - EvaluationPeriods, i + 1).every((sum) => sum >= Threshold));
};

test('function-throttles ignores short bursts of ten throttled executions, and fires if throttling lasts', () => {
  expect(fires('function-throttles', [40, 0, 0, 60, 20, 0, 0])).toBe(false);
  expect(fires('function-throttles', [3, 2, 4, 1, 3, 2])).toBe(false);
  expect(fires('function-throttles', [0, 30, 25, 40])).toBe(true);
});

test('503 responses for lack of concurrency fire an alarm within five minutes', () => {
  expect(fires('api-5xx', [5])).toBe(true);
});

test('writes that the table or an index throttles fire an alarm by operation', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm').filter(
    ({ MetricName }) => MetricName === 'ThrottledRequests',
  );
  const operations = alarms.map(({ Dimensions, ...alarm }) => {
    expect(alarm).toMatchObject({ Namespace: 'AWS/DynamoDB', Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 2 });
    const dimensions = Dimensions as { Name: string; Value: unknown }[];
    expect(dimensions.map(({ Name }) => Name).sort()).toEqual(['Operation', 'TableName']);
    return dimensions.find(({ Name }) => Name === 'Operation')?.Value;
  });
  expect(operations.sort()).toEqual(['PutItem', 'TransactWriteItems', 'UpdateItem']);
});

test.each([
  ['function-errors', 'Errors', 1, 1],
  ['function-throttles', 'Throttles', 10, 3],
])('%s is one alarm for all functions of the AWS account in the region', (id, metric, Threshold, EvaluationPeriods) => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName === metric);
  expect(alarms).toEqual([
    expect.objectContaining({
      AlarmName: `BakeryCommerce-us-${id}`,
      Namespace: 'AWS/Lambda',
      Statistic: 'Sum',
      Threshold,
      EvaluationPeriods,
    }),
  ]);
  expect(alarms[0]).not.toHaveProperty('Dimensions');
});

test("alarms on the service's own metrics name metrics that have filters, without dimensions", () => {
  const { us } = synthesize().templates;
  const own = propertiesOf(us, 'AWS::CloudWatch::Alarm').filter(({ Namespace }) => Namespace === 'BakeryCommerce-us');
  expect(own.map(({ MetricName }) => MetricName).sort()).toEqual([
    'ActionInternalErrors',
    'CheckoutPageInternalErrors',
    'CheckoutPaymentsWithoutOrder',
    'GatewayFeesUnbooked',
    'Unreachable',
  ]);
  for (const { MetricName, Dimensions } of own) {
    expect(metricSpecOf(MetricName as MetricName).dimension).toBeUndefined();
    expect(Dimensions).toBeUndefined();
  }
});

test('no alarm uses metric math, and each evaluates periods of five minutes', () => {
  for (const alarm of propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm')) {
    expect(alarm).toMatchObject({ MetricName: expect.any(String), Period: 300 });
    expect(alarm).not.toHaveProperty('Metrics');
  }
});

test('missing data is healthy, except for the sweep and the change stream', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
  const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching').map(({ AlarmName }) => AlarmName);
  expect(breaching.sort()).toEqual(['BakeryCommerce-us-fan-out-missing', 'BakeryCommerce-us-sweep-missing']);
  expect(alarms.filter(({ TreatMissingData }) => TreatMissingData === 'notBreaching')).toHaveLength(alarms.length - breaching.length);
});

test('one message in a dead-letter queue or one quarantined record fires an alarm', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
  for (const id of ['delivery-dead-letters', 'search-dead-letters', 'sweep-dead-letters', 'records-parked']) {
    expect(alarms).toContainEqual(
      expect.objectContaining({
        AlarmName: `BakeryCommerce-us-${id}`,
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        EvaluationPeriods: 1,
      }),
    );
  }
});

test('every alarm is sent to a configured address, over TLS', () => {
  const template = synthesize(someContext).templates.us;
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  for (const { AlarmActions } of propertiesOf(template, 'AWS::CloudWatch::Alarm')) expect(AlarmActions).toHaveLength(1);
  const { Statement } = theOnly(template, 'AWS::SNS::TopicPolicy')['PolicyDocument'] as PolicyDocument;
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }));
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }));
});

test('without a configured address there is no topic', () => {
  synthesize().templates.us.resourceCountIs('AWS::SNS::Topic', 0);
});

test('no alarm needs the optional metrics by route', () => {
  for (const { Dimensions = [] } of propertiesOf(synthesize(fullContext).templates.us, 'AWS::CloudWatch::Alarm'))
    expect((Dimensions as { Name: string }[]).map(({ Name }) => Name)).not.toContain('Resource');
});
