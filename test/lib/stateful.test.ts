import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { regions } from '../../shared/core/regions.ts';
import statefulIds from './stateful-ids.json' with { type: 'json' };
import { resourcesOf, synthesize } from './synthesize.ts';

/** Resources that hold what cannot be made again: under another logical id CloudFormation would make an empty one in its place. */
const statefulTypes = Object.keys(statefulIds) as (keyof typeof statefulIds)[];

describe.each(regions)('in %s', (region) => {
  let template: Template;
  beforeAll(() => {
    template = synthesize().templates[region];
  });

  test.each(statefulTypes)('every %s keeps its logical id', (type) => {
    expect(Object.keys(resourcesOf(template, type)).sort()).toEqual(statefulIds[type]);
  });

  test('none has a name of its own that two stacks or a replacement would fight over', () => {
    for (const type of statefulTypes)
      for (const { Properties } of Object.values(resourcesOf(template, type)))
        for (const name of ['TableName', 'BucketName', 'QueueName']) expect(Properties ?? {}).not.toHaveProperty(name);
  });

  test('table, bucket and key are kept whatever happens to the stack, the table against deletion and to the second', () => {
    const [id = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).filter((name) => name.startsWith('DataTable'));
    const kept = {
      ...resourcesOf(template, 'AWS::S3::Bucket'),
      ...resourcesOf(template, 'AWS::KMS::Key'),
      [id]: resourcesOf(template, 'AWS::DynamoDB::Table')[id],
    };
    for (const [name, resource] of Object.entries(kept))
      expect([name, resource?.DeletionPolicy, resource?.UpdateReplacePolicy]).toEqual([name, 'Retain', 'Retain']);
    expect(kept[id]?.Properties).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('a queue that is replaced or leaves the stack stays with its messages', () => {
    const queues = Object.entries(resourcesOf(template, 'AWS::SQS::Queue'));
    expect(queues).toHaveLength(6);
    for (const [name, { DeletionPolicy, UpdateReplacePolicy }] of queues)
      expect([name, DeletionPolicy, UpdateReplacePolicy]).toEqual([name, 'RetainExceptOnCreate', 'Retain']);
  });
});
