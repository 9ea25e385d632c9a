import { expect, test } from '@jest/globals';
import { alarmSpecs } from '../../lib/alarms.ts';
import { type MetricName, metricSpecOf } from '../../lib/metrics.ts';
import { type PolicyDocument, propertiesOf, synthesize, theOnly } from './synthesize.ts';

test('every alarm of the list exists under its stable name, and no other', () => {
  const { templates } = synthesize();
  for (const region of ['us', 'au', 'eu'] as const) {
    const names = propertiesOf(templates[region], 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
    expect(names.sort()).toEqual(
      Object.keys(alarmSpecs)
        .map((id) => `BakeryCommerce-${region}-${id}`)
        .sort(),
    );
  }
});

test.each([
  ['function-errors', 'Errors'],
  ['function-throttles', 'Throttles'],
])('%s is one alarm on all functions of the account in the AWS region', (id, metric) => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName === metric);
  expect(alarms).toEqual([
    expect.objectContaining({
      AlarmName: `BakeryCommerce-us-${id}`,
      Namespace: 'AWS/Lambda',
      Statistic: 'Sum',
      Threshold: 1,
      EvaluationPeriods: 1,
    }),
  ]);
  expect(alarms[0]).not.toHaveProperty('Dimensions');
});

test('alarms on metrics of ours name metrics that have filters, without dimensions', () => {
  const { us } = synthesize().templates;
  const own = propertiesOf(us, 'AWS::CloudWatch::Alarm').filter(({ Namespace }) => Namespace === 'BakeryCommerce-us');
  expect(own.map(({ MetricName }) => MetricName).sort()).toEqual([
    'ActionInternalErrors',
    'CheckoutPageInternalErrors',
    'CheckoutsPaidTwice',
    'GatewayFeesUnbooked',
  ]);
  for (const { MetricName, Dimensions } of own) {
    expect(metricSpecOf(MetricName as MetricName).dimension).toBeUndefined();
    expect(Dimensions).toBeUndefined();
  }
});

test('no alarm rests on metric math, and each is judged by five minutes', () => {
  for (const alarm of propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm')) {
    expect(alarm).toMatchObject({ MetricName: expect.any(String), Period: 300 });
    expect(alarm).not.toHaveProperty('Metrics');
  }
});

test('silence is health, except of the sweep and the change stream', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
  const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching').map(({ AlarmName }) => AlarmName);
  expect(breaching.sort()).toEqual(['BakeryCommerce-us-fan-out-missing', 'BakeryCommerce-us-sweep-missing']);
  expect(alarms.filter(({ TreatMissingData }) => TreatMissingData === 'notBreaching')).toHaveLength(alarms.length - breaching.length);
});

test('one message in a dead-letter queue or one parked record is an alarm', () => {
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

test('with an address configured every alarm is sent there, over TLS', () => {
  const template = synthesize({ alarmEmail: 'ops@example.com' }).templates.us;
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  for (const { AlarmActions } of propertiesOf(template, 'AWS::CloudWatch::Alarm')) expect(AlarmActions).toHaveLength(1);
  const { Statement } = theOnly(template, 'AWS::SNS::TopicPolicy')['PolicyDocument'] as PolicyDocument;
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }));
  expect(Statement).toContainEqual(expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }));
});

test('without one there is no topic', () => {
  synthesize().templates.us.resourceCountIs('AWS::SNS::Topic', 0);
});

test('none rests on what costs more to have: metrics by route', () => {
  for (const { Dimensions = [] } of propertiesOf(synthesize({ routeMetrics: true }).templates.us, 'AWS::CloudWatch::Alarm'))
    expect((Dimensions as { Name: string }[]).map(({ Name }) => Name)).not.toContain('Resource');
});
