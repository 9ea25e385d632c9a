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
    template = synthesize({ customerManagedKey: true }).templates[region];
  });

  test.each(statefulTypes)('every %s keeps its logical id', (type) => {
    expect(Object.keys(resourcesOf(template, type)).sort()).toEqual(statefulIds[type]);
  });

  test('none has a name of its own that two stacks or a replacement would fight over', () => {
    for (const type of statefulTypes)
      for (const { Properties } of Object.values(resourcesOf(template, type)))
        for (const name of ['TableName', 'BucketName', 'QueueName']) expect(Properties ?? {}).not.toHaveProperty(name);
  });

  test('the table can be recovered to the second', () => {
    const [id = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).filter((name) => name.startsWith('DataTable'));
    expect(resourcesOf(template, 'AWS::DynamoDB::Table')[id]?.Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

test('without a key of its own a stack has the same stateful resources but that', () => {
  const template = synthesize().templates.us;
  for (const type of statefulTypes)
    expect(Object.keys(resourcesOf(template, type)).sort()).toEqual(type === 'AWS::KMS::Key' ? [] : statefulIds[type]);
});
