import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { concurrencyFor, minDeliveries } from '../../functions/event-sources.ts';
import { streamFilters } from '../../shared/table/schema.ts';
import { fullContext, rightsContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { type PolicyDocument, propertiesOf, type Resource, resourcesOf, synthesize, theOnly } from './synthesize.ts';

let template: Template;
beforeAll(() => {
  template = synthesize().templates.us;
});

/**
 * Finds a resource by a part of its logical id; a pattern distinguishes ids with a common start.
 */
const only = (type: string, idPart: string | RegExp): [string, Resource] => {
  const found = Object.entries(resourcesOf(template, type)).filter(([id]) => id.search(idPart) !== -1);
  expect(found).toHaveLength(1);
  return found[0] as [string, Resource];
};

const mapping = (functionPart: string): Record<string, unknown> =>
  theOnly(template, 'AWS::Lambda::EventSourceMapping', ({ FunctionName }) => flatten(FunctionName).includes(functionPart));

describe('the change stream', () => {
  test('the change stream is read from its start, only for kinds with events', () => {
    expect(mapping('FanOut')).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: { Filters: streamFilters.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) },
    });
    expect(flatten(mapping('FanOut')['EventSourceArn'])).toBe(`<${only('AWS::DynamoDB::Table', 'DataTable')[0]}.StreamArn>`);
  });

  test('the change stream repeats a failed record alone until it is 20 hours old', () => {
    expect(mapping('FanOut')).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 20 * 3600,
      MaximumBatchingWindowInSeconds: 0,
    });
  });

  test('the change stream stores parked records whole in the bucket', () => {
    const [bucketId] = only('AWS::S3::Bucket', 'ParkingLot');
    expect(mapping('FanOut')['DestinationConfig']).toEqual({ OnFailure: { Destination: { 'Fn::GetAtt': [bucketId, 'Arn'] } } });
  });
});

describe('the parking bucket', () => {
  test('the parking bucket is private, encrypted, TLS only, and expires objects after 30 days', () => {
    const [bucketId, { Properties }] = only('AWS::S3::Bucket', 'ParkingLot');
    expect(Properties['PublicAccessBlockConfiguration']).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(Properties['BucketEncryption']).toEqual({
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    });
    expect(Properties['LifecycleConfiguration']).toMatchObject({ Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      Bucket: { Ref: bucketId },
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
  });

  test('the parking bucket is encrypted with the data key if there is one', () => {
    const configured = synthesize(rightsContext).templates.us;
    const [keyId = ''] = Object.keys(resourcesOf(configured, 'AWS::KMS::Key'));
    expect(theOnly(configured, 'AWS::S3::Bucket')['BucketEncryption']).toEqual({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: { 'Fn::GetAtt': [keyId, 'Arn'] } },
        },
      ],
    });
  });

  test('a queue gets a notice of each parked record from fan-out or Lambda', () => {
    const [noticesId] = only('AWS::SQS::Queue', 'Notices');
    expect(only('AWS::S3::Bucket', 'ParkingLot')[1].Properties['NotificationConfiguration']).toEqual({
      // Not of `check/`, where a check parks.
      QueueConfigurations: ['stream/', 'aws/lambda/'].map((Value) => ({
        Event: 's3:ObjectCreated:*',
        Filter: { S3Key: { Rules: [{ Name: 'prefix', Value }] } },
        Queue: { 'Fn::GetAtt': [noticesId, 'Arn'] },
      })),
    });
    expect(JSON.stringify(only('AWS::SQS::QueuePolicy', 'Notices')[1].Properties)).toContain('"s3.amazonaws.com"');
  });
});

describe('queues', () => {
  test('queues are encrypted and reject plain HTTP', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue');
    for (const [id, { Properties }] of Object.entries(queues)) {
      expect([id, Properties['SqsManagedSseEnabled']]).toEqual([id, true]);
      const policy = theOnly(template, 'AWS::SQS::QueuePolicy', ({ Queues }) => JSON.stringify(Queues) === JSON.stringify([{ Ref: id }]));
      expect((policy['PolicyDocument'] as PolicyDocument).Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });
});

describe('deliver', () => {
  test('deliver waits a second for more messages only if configured, and other functions never wait', () => {
    const { us } = synthesize(fullContext).templates;
    const windows = propertiesOf(us, 'AWS::Lambda::EventSourceMapping').map(({ FunctionName, MaximumBatchingWindowInSeconds }) => [
      /FanOut|Deliver|SearchSync/.exec(flatten(FunctionName))?.[0],
      MaximumBatchingWindowInSeconds,
    ]);
    expect(Object.fromEntries(windows)).toEqual({ FanOut: 0, Deliver: 1, SearchSync: 0 });
  });

  test("deliver may send to its own queue, because Lambda's recursion detection is off", () => {
    template.hasResourceProperties('AWS::Lambda::Function', { FunctionName: 'BakeryCommerce-us-deliver', RecursiveLoop: 'Allow' });
  });
});

/** Partitions that a new on-demand table has, and so shards of its stream. */
const shards = 4;

describe('the concurrency of an AWS account', () => {
  /** Executions of background functions, including the one sweep. */
  const background = ({ deliver, searchSync, perShard }: ReturnType<typeof concurrencyFor>) => deliver + searchSync + perShard * shards + 1;

  test('background functions take less than the ten executions of a new AWS account by default', () => {
    expect(background(concurrencyFor(minDeliveries))).toBeLessThan(10);
  });

  test.each([20, 50, 100, 300, 1000, 10_000])(
    'background functions take at most half of %d if deliver has the tenth that docs/deploy.md recommends',
    (quota) => {
      const tenth = Math.min(1000, Math.max(2, Math.floor(quota / 10)));
      expect(concurrencyFor(tenth).deliver).toBe(tenth);
      expect(background(concurrencyFor(tenth))).toBeLessThanOrEqual(quota / 2);
    },
  );

  test('search-sync and fan-out stay within the concurrency that the engine and a shard accept', () => {
    expect(concurrencyFor(1000)).toEqual({ deliver: 1000, searchSync: 10, perShard: 10 });
  });

  test.each<[string, Readonly<Record<string, unknown>>, number]>([
    ['nothing', {}, minDeliveries],
    ['everything', fullContext, Number(fullContext.deliverConcurrency)],
  ])('each event source has a maximum concurrency, with %s configured', (_name, context, deliveries) => {
    const { us } = synthesize(context).templates;
    const of = (part: string) =>
      theOnly(us, 'AWS::Lambda::EventSourceMapping', ({ FunctionName }) => flatten(FunctionName).includes(part)) as {
        ParallelizationFactor: number;
        ScalingConfig: { MaximumConcurrency: number };
      };
    expect({
      deliver: of('Deliver').ScalingConfig.MaximumConcurrency,
      searchSync: of('SearchSync').ScalingConfig.MaximumConcurrency,
      perShard: of('FanOut').ParallelizationFactor,
    }).toEqual(concurrencyFor(deliveries));
  });
});

describe('schedules', () => {
  test('the role of schedules is only for Scheduler in this account and group', () => {
    const [groupId] = only('AWS::Scheduler::ScheduleGroup', 'Schedules');
    const [, role] = only('AWS::IAM::Role', 'SchedulerRole');
    expect(role.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' }, 'aws:SourceArn': { 'Fn::GetAtt': [groupId, 'Arn'] } },
          },
        },
      ],
    });
  });

  test("the sweep asks the output ApiUrl, and not before the domain's record exists", () => {
    const publicUrl = (of: Template) =>
      theOnly(of, 'AWS::Lambda::Function', ({ FunctionName }) => /-sweep$/.test(String(FunctionName)))['Environment'];
    const { ApiUrl } = template.toJSON()['Outputs'];
    expect(publicUrl(template)).toMatchObject({ Variables: { PUBLIC_URL: ApiUrl.Value } });
    const { eu } = synthesize(someContext).templates;
    expect(publicUrl(eu)).toMatchObject({ Variables: { PUBLIC_URL: 'https://eu.api.example.com' } });
    const [schedule] = Object.values(resourcesOf(eu, 'AWS::Scheduler::Schedule'));
    expect(schedule?.DependsOn).toEqual(expect.arrayContaining(Object.keys(resourcesOf(eu, 'AWS::Route53::RecordSet'))));
  });

  test('the sweep runs every five minutes; a failed run is not repeated and goes to a queue', () => {
    const [failuresId] = only('AWS::SQS::Queue', 'SweepFailures');
    const failures = { 'Fn::GetAtt': [failuresId, 'Arn'] };
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(5 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { DeadLetterConfig: { Arn: failures } },
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: failures } },
    });
  });
});
