import { expect, test } from '@jest/globals';
import { alarmSpecs } from '../../lib/alarms.ts';
import { functionNames } from '../../lib/functions.ts';
import { type MetricName, metricSpecOf } from '../../lib/metrics.ts';
import { type PolicyDocument, propertiesOf, resourcesOf, synthesize, theOnly } from './synthesize.ts';

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

test('every function has an alarm on its errors, with its own name on it', () => {
  const { us } = synthesize().templates;
  const alarms = propertiesOf(us, 'AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName === 'Errors');
  const functions = resourcesOf(us, 'AWS::Lambda::Function');
  expect(alarms).toHaveLength(functionNames.length);
  for (const { AlarmName, Namespace, Dimensions, Statistic } of alarms) {
    const [{ Name, Value } = { Name: '', Value: { Ref: '' } }] = Dimensions as { Name: string; Value: { Ref: string } }[];
    expect([Namespace, Name, Statistic]).toEqual(['AWS/Lambda', 'FunctionName', 'Sum']);
    expect(AlarmName).toBe(`${functions[Value.Ref]?.Properties['FunctionName']}-errors`);
  }
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

test('silence is health, except of the sweep', () => {
  const alarms = propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
  const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching').map(({ AlarmName }) => AlarmName);
  expect(breaching).toEqual(['BakeryCommerce-us-sweep-missing']);
  expect(alarms.filter(({ TreatMissingData }) => TreatMissingData === 'notBreaching')).toHaveLength(alarms.length - 1);
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
