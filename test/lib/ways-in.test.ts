import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { groupNames, pageNames } from '../../functions/groups.ts';
import { type FunctionName, functionNames, specOf } from '../../lib/functions.ts';
import { flatten, functionNameOf } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize, theOnly } from './synthesize.ts';

/** The one trigger of each function. */
const waysIn: Readonly<Record<FunctionName, 'gateway' | 'queue' | 'stream' | 'schedule' | 'caller'>> = {
  ...(Object.fromEntries([...groupNames, ...pageNames].map((name) => [name, 'gateway'])) as Record<
    (typeof groupNames | typeof pageNames)[number],
    'gateway'
  >),
  fallback: 'gateway',
  actions: 'caller',
  'fan-out': 'stream',
  deliver: 'queue',
  'search-sync': 'queue',
  sweep: 'schedule',
};
const comingBy = (way: string): FunctionName[] => functionNames.filter((name) => waysIn[name] === way);

let template: Template;
beforeAll(() => {
  template = synthesize().templates.us;
});

const nameOf = (reference: unknown): string => functionNameOf(template, reference);
const mappingOf = (name: FunctionName) =>
  theOnly(template, 'AWS::Lambda::EventSourceMapping', ({ FunctionName }) => nameOf(FunctionName) === name);
const queueOf = (arn: unknown): Readonly<Record<string, unknown>> => {
  const queue = resourcesOf(template, 'AWS::SQS::Queue')[/<(\w+)\.Arn>/.exec(flatten(arn))?.[1] ?? ''];
  if (!queue) throw new Error(`No queue ${flatten(arn)}`);
  return queue.Properties;
};

/** Expects a queue with SQS's longest retention, and an alarm on its first message. */
const expectWatchedEnd = (arn: unknown): void => {
  expect(queueOf(arn)).toMatchObject({ MessageRetentionPeriod: 14 * 86_400 });
  const queueName = { Name: 'QueueName', Value: { 'Fn::GetAtt': [/<(\w+)\.Arn>/.exec(flatten(arn))?.[1], 'QueueName'] } };
  expect(propertiesOf(template, 'AWS::CloudWatch::Alarm')).toContainEqual(
    expect.objectContaining({
      ...{ MetricName: 'ApproximateNumberOfMessagesVisible', Dimensions: [queueName], EvaluationPeriods: 1 },
      ...{ Threshold: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold' },
    }),
  );
};

test('every function has exactly one trigger', () => {
  const invokers = [
    ...propertiesOf(template, 'AWS::Lambda::Permission').map(({ FunctionName, Principal }) => [nameOf(FunctionName), String(Principal)]),
    ...propertiesOf(template, 'AWS::Lambda::EventSourceMapping').map(({ FunctionName, EventSourceArn }) => [
      nameOf(FunctionName),
      flatten(EventSourceArn).includes('StreamArn') ? 'stream' : 'queue',
    ]),
    ...propertiesOf(template, 'AWS::Scheduler::Schedule').map(({ Target }) => [nameOf((Target as { Arn: unknown }).Arn), 'schedule']),
  ].map(([name, by]) => `${name}: ${by?.replace('apigateway.amazonaws.com', 'gateway')}`);
  expect(invokers.sort()).toEqual(
    functionNames
      .filter((name) => waysIn[name] !== 'caller')
      .map((name) => `${name}: ${waysIn[name]}`)
      .sort(),
  );
});

describe.each(comingBy('queue'))('the queue of %s', (name) => {
  test(`${name} has a maximum concurrency and returns only failed messages`, () => {
    const mapping = mappingOf(name);
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'], BatchSize: 10, MaximumBatchingWindowInSeconds: 0 });
    expect((mapping['ScalingConfig'] as { MaximumConcurrency: number }).MaximumConcurrency).toBeGreaterThanOrEqual(2);
  });

  test(`${name} has a visibility timeout of six function timeouts, and a dead-letter queue with an alarm`, () => {
    const queue = queueOf(mappingOf(name)['EventSourceArn']);
    expect(Number(queue['VisibilityTimeout'])).toBeGreaterThanOrEqual(6 * specOf(name).timeoutSeconds);
    const { deadLetterTargetArn, maxReceiveCount } = queue['RedrivePolicy'] as { deadLetterTargetArn: unknown; maxReceiveCount: number };
    expect(maxReceiveCount).toBe(20);
    expect(queue).not.toHaveProperty('FifoQueue');
    expectWatchedEnd(deadLetterTargetArn);
  });

  test(`${name} keeps a message for two hours in which Lambda cannot invoke it for lack of concurrency`, () => {
    // Each receive counts, and Lambda drops its batch when the visibility timeout ends.
    const { VisibilityTimeout, RedrivePolicy } = queueOf(mappingOf(name)['EventSourceArn']);
    expect(Number(VisibilityTimeout) * (RedrivePolicy as { maxReceiveCount: number }).maxReceiveCount).toBeGreaterThanOrEqual(2 * 3_600);
  });
});

test.each(comingBy('stream'))('%s, behind the stream, bisects failed batches, and parked records fire an alarm', (name) => {
  const mapping = mappingOf(name);
  expect(mapping).toMatchObject({
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    BatchSize: 100,
    ParallelizationFactor: 1,
  });
  expect(mapping['FilterCriteria']).toBeDefined();
  const { OnFailure } = mapping['DestinationConfig'] as { OnFailure: { Destination: unknown } };
  const bucket = resourcesOf(template, 'AWS::S3::Bucket')[/<(\w+)\.Arn>/.exec(flatten(OnFailure.Destination))?.[1] ?? ''];
  const { QueueConfigurations } = (bucket?.Properties['NotificationConfiguration'] ?? { QueueConfigurations: [{}] }) as {
    QueueConfigurations: { Queue: unknown }[];
  };
  for (const { Queue } of QueueConfigurations) expectWatchedEnd(Queue);
});

test.each(comingBy('schedule'))('%s, on a schedule, has dead-letter queues with alarms for Scheduler and Lambda', (name) => {
  const { Target } = theOnly(template, 'AWS::Scheduler::Schedule') as { Target: { DeadLetterConfig: { Arn: unknown } } };
  const invocation = theOnly(template, 'AWS::Lambda::EventInvokeConfig', ({ FunctionName }) => nameOf(FunctionName) === name);
  const { OnFailure } = invocation['DestinationConfig'] as { OnFailure: { Destination: unknown } };
  expectWatchedEnd(Target.DeadLetterConfig.Arn);
  expectWatchedEnd(OnFailure.Destination);
});

test.each(comingBy('caller'))('%s, which is invoked synchronously, is never retried by Lambda', (name) => {
  const invocation = theOnly(template, 'AWS::Lambda::EventInvokeConfig', ({ FunctionName }) => nameOf(FunctionName) === name);
  expect(invocation['MaximumRetryAttempts']).toBe(0);
});
