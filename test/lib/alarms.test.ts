import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { alarmSpecs } from '../../lib/alarms.ts';
import { type MetricName, metricSpecOf } from '../../lib/metrics.ts';
import { isFired } from '../support/alarm-states.ts';
import { runbook } from '../support/runbook.ts';
import { fullContext, someContext } from './contexts.ts';
import { type PolicyDocument, propertiesOf, synthesize, theOnly } from './synthesize.ts';

test('the stack has exactly the alarms of the list, under their stable names', () => {
  const { templates } = synthesize();
  for (const region of ['us', 'au', 'eu'] as const) {
    const names = propertiesOf(templates[region], 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
    const expected = Object.entries(alarmSpecs).flatMap(([id, { option }]) => (option ? [] : [`BakeryCommerce-${region}-${id}`]));
    expect(names.sort()).toEqual(expected.sort());
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
  expect(isFired('api-unreachable', 'BakeryCommerce-us/Unreachable', [1, 0, 1, 0])).toBe(false);
  expect(isFired('api-unreachable', 'BakeryCommerce-us/Unreachable', [0, 1, 1])).toBe(true);
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

test('function-throttles ignores short bursts of ten throttled executions, and fires if throttling lasts', () => {
  const fires = (sums: readonly number[]) => isFired('function-throttles', 'AWS/Lambda/Throttles', sums);
  expect(fires([40, 0, 0, 60, 20, 0, 0])).toBe(false);
  expect(fires([3, 2, 4, 1, 3, 2])).toBe(false);
  expect(fires([0, 30, 25, 40])).toBe(true);
});

test('function-errors ignores one crash, and fires if a second follows within fifteen minutes', () => {
  const fires = (sums: readonly number[]) => isFired('function-errors', 'AWS/Lambda/Errors', sums);
  expect(fires([0, 1, 0, 0, 5, 0, 0])).toBe(false);
  expect(fires([0, 1, 0, 1, 0])).toBe(true);
});

test('an alarm for each operation fires if the table or an index throttles writes', () => {
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
  ['function-errors', 'Errors'],
  ['function-throttles', 'Throttles'],
])('%s is one alarm for all functions of the AWS account in the region', (id, metric) => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName === metric);
  expect(alarms).toEqual([
    expect.objectContaining({
      AlarmName: `BakeryCommerce-us-${id}`,
      Namespace: 'AWS/Lambda',
      Statistic: 'Sum',
    }),
  ]);
  expect(alarms[0]).not.toHaveProperty('Dimensions');
});

test("alarms on the service's own metrics name metrics that have filters, without dimensions", () => {
  const { us } = synthesize().templates;
  const own = propertiesOf(us, 'AWS::CloudWatch::Alarm').filter(({ Namespace }) => Namespace === 'BakeryCommerce-us');
  expect(own.map(({ MetricName }) => MetricName).sort()).toEqual([
    'ActionInternalErrors',
    'ApiInternalErrors',
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

test('each alarm evaluates periods of five minutes, and only gateway-5xx pays for two metrics', () => {
  for (const { AlarmName, MetricName, Period, Metrics } of propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm')) {
    const metrics = (Metrics ?? [{ MetricStat: { Metric: { MetricName }, Period } }]) as { MetricStat?: object }[];
    const watched = metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat] : []));
    expect({ AlarmName, watched }).toEqual({
      AlarmName,
      watched: Array(AlarmName === 'BakeryCommerce-us-gateway-5xx' ? 2 : 1).fill(
        expect.objectContaining({ Metric: expect.objectContaining({ MetricName: expect.any(String) }), Period: 300 }),
      ),
    });
  }
});

test('missing data is healthy, except for the sweep and the change stream', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
  const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching').map(({ AlarmName }) => AlarmName);
  expect(breaching.sort()).toEqual(['BakeryCommerce-us-fan-out-missing', 'BakeryCommerce-us-sweep-missing']);
  expect(alarms.filter(({ TreatMissingData }) => TreatMissingData === 'notBreaching')).toHaveLength(alarms.length - breaching.length);
});

test('every alarm tells a configured address when it fires and when it ends, over TLS', () => {
  const template = synthesize(someContext).templates.us;
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  for (const { AlarmActions, OKActions } of propertiesOf(template, 'AWS::CloudWatch::Alarm')) {
    expect(AlarmActions).toHaveLength(1);
    expect(OKActions).toEqual(AlarmActions);
  }
  const { Statement } = theOnly(template, 'AWS::SNS::TopicPolicy')['PolicyDocument'] as PolicyDocument;
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }));
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }));
});

const ends = (template: Template, what: 'AlarmActions' | 'OKActions') =>
  propertiesOf(template, 'AWS::CloudWatch::Alarm')
    // Alarms that watch a deployment notify no one.
    .filter(({ AlarmName }) => !String(AlarmName).includes('-deployment-'))
    .map(({ AlarmName, AlarmDescription, [what]: topics }) => ({
      AlarmName,
      urgency: /^\w+/.exec(String(AlarmDescription))?.[0],
      topics: (topics as unknown[]).filter((topic) => typeof topic === 'string').map((arn) => String(arn).split(':').at(-1)),
    }));

test('one existing topic gets every alarm and every end', () => {
  for (const what of ['AlarmActions', 'OKActions'] as const)
    for (const { topics } of ends(synthesize(someContext).templates.au, what)) expect(topics).toEqual(['on-call']);
});

test('a second existing topic gets the alarms of urgency Workday and their ends, and the first all others', () => {
  for (const what of ['AlarmActions', 'OKActions'] as const)
    for (const { AlarmName, urgency, topics } of ends(synthesize(fullContext).templates.us, what))
      expect({ AlarmName, topics }).toEqual({ AlarmName, topics: [urgency === 'Workday' ? 'later' : 'on-call'] });
});

test('an app without a configured address has no topic', () => {
  synthesize().templates.us.resourceCountIs('AWS::SNS::Topic', 0);
});

test('no alarm needs the optional metrics by route', () => {
  for (const { Dimensions = [] } of propertiesOf(synthesize(fullContext).templates.us, 'AWS::CloudWatch::Alarm'))
    expect((Dimensions as { Name: string }[]).map(({ Name }) => Name)).not.toContain('Resource');
});
