import type { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../../lib/functions.ts';
import { flatten } from '../iam.ts';
import { propertiesOf, resourcesOf } from '../synthesize.ts';

/** Rights that AWS uses on behalf of a function, and no code of the project. */
export interface PlatformImplied {
  readonly actions: readonly string[];
  /** Returns the resources that the rights may be on, for a function in a template. */
  readonly on: (template: Template, name: FunctionName) => readonly string[];
  readonly reason: string;
}

const functionOf = (template: Template, name: FunctionName): [string, Readonly<Record<string, unknown>>] => {
  const [found] = Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).filter(
    ([, { Properties }]) => Properties['FunctionName'] === `BakeryCommerce-us-${name}`,
  );
  if (!found) throw new Error(`No function ${name}`);
  return [found[0], found[1].Properties];
};

const ofFunction = (type: string) => (template: Template, name: FunctionName) => {
  const [id] = functionOf(template, name);
  return propertiesOf(template, type).filter(({ FunctionName }) => flatten(FunctionName).startsWith(`<${id}`));
};

const eventSources = (template: Template, name: FunctionName): string[] =>
  ofFunction('AWS::Lambda::EventSourceMapping')(template, name).map(({ EventSourceArn }) => flatten(EventSourceArn));

const failureDestinations =
  (type: string) =>
  (template: Template, name: FunctionName): string[] =>
    ofFunction(type)(template, name).flatMap(({ DestinationConfig }) => {
      const { OnFailure } = (DestinationConfig ?? {}) as { OnFailure?: { Destination: unknown } };
      return OnFailure ? [flatten(OnFailure.Destination)] : [];
    });

const ownLogGroup = (template: Template, name: FunctionName): string[] => {
  const { LogGroup } = functionOf(template, name)[1]['LoggingConfig'] as { LogGroup: unknown };
  return [flatten(LogGroup).replace('>', '.Arn>')];
};

export const platformImplied: readonly PlatformImplied[] = [
  {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    on: ownLogGroup,
    reason: 'Lambda writes what a function prints to its log group.',
  },
  {
    actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    on: () => ['*'],
    reason: 'Lambda sends the segments of traced invocations.',
  },
  {
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    on: (template) => Object.keys(resourcesOf(template, 'AWS::KMS::Key')).map((id) => `<${id}.Arn>`),
    reason:
      'DynamoDB and S3 open data under the key in the name of whoever calls them; permissions.test.ts holds the right to these services.',
  },
  {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    on: eventSources,
    reason: 'Lambda polls the queue that a function is mapped to.',
  },
  {
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    on: eventSources,
    reason: 'Lambda polls the stream that a function is mapped to.',
  },
  {
    actions: ['s3:PutObject', 's3:ListBucket'],
    on: (template, name) =>
      failureDestinations('AWS::Lambda::EventSourceMapping')(template, name).flatMap((bucket) => [bucket, `${bucket}/*`]),
    reason: 'Lambda parks what a mapping gave up on in its bucket, and looks whether it may.',
  },
  {
    actions: ['sqs:SendMessage'],
    on: failureDestinations('AWS::Lambda::EventInvokeConfig'),
    reason: 'Lambda keeps an asynchronous invocation that failed in the queue it is given.',
  },
];

/** `sqs:ReceiveMessage <Queue.Arn>` for every right that a function may hold without using it. */
export const impliedRights = (template: Template, name: FunctionName, implied = platformImplied): string[] =>
  implied.flatMap(({ actions, on }) => on(template, name).flatMap((resource) => actions.map((action) => `${action} ${resource}`)));
