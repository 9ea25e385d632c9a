import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { groupNames } from '../../functions/groups.ts';
import { regions } from '../../shared/core/config.ts';
import { rightsContext, someContext } from './contexts.ts';
import namedIds from './named-ids.json' with { type: 'json' };
import statefulIds from './stateful-ids.json' with { type: 'json' };
import { resourcesOf, synthesize } from './synthesize.ts';

/**
 * Resources with data. Under another logical id CloudFormation would create an empty replacement.
 */
const statefulTypes = Object.keys(statefulIds) as (keyof typeof statefulIds)[];

describe.each(regions)('stateful resources in %s', (region) => {
  let template: Template;
  beforeAll(() => {
    template = synthesize(rightsContext).templates[region];
  });

  test.each(statefulTypes)('every %s keeps its logical id', (type) => {
    expect(Object.keys(resourcesOf(template, type)).sort()).toEqual(statefulIds[type]);
  });

  test('no stateful resource has a fixed name that would conflict with another stack or a replacement', () => {
    for (const type of statefulTypes)
      for (const { Properties } of Object.values(resourcesOf(template, type)))
        for (const name of ['TableName', 'BucketName', 'QueueName']) expect(Properties ?? {}).not.toHaveProperty(name);
  });

  test('the table has point-in-time recovery', () => {
    const [id = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).filter((name) => name.startsWith('DataTable'));
    expect(resourcesOf(template, 'AWS::DynamoDB::Table')[id]?.Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

/**
 * Returns the id that CloudFormation has for a group's function since its first deployment: a
 * digest of its path.
 */
const idOfGroup = (group: string): string => {
  const construct = `${group[0]?.toUpperCase()}${group.slice(1)}`;
  const digest = createHash('md5').update(`${construct}/Function/Resource`).digest('hex');
  return `${construct}Function${digest.slice(0, 8).toUpperCase()}`;
};
const idsOfGroups = Object.fromEntries(groupNames.map((group) => [`<stack>-${group}`, idOfGroup(group)]));

/** The property that names a type of resource. */
const nameOf: Readonly<Record<keyof typeof namedIds, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Scheduler::ScheduleGroup': 'Name',
};

test.each(Object.keys(namedIds) as (keyof typeof namedIds)[])(
  'every %s keeps its logical id, because an upgrade with another id would fail on the duplicate name',
  (type) => {
    const resources = Object.entries(resourcesOf(synthesize(someContext).templates.us, type));
    const ids = resources.map(([id, { Properties }]) => [String(Properties[nameOf[type]]).replace('BakeryCommerce-us', '<stack>'), id]);
    expect(Object.fromEntries(ids)).toEqual({ ...namedIds[type], ...(type === 'AWS::Lambda::Function' ? idsOfGroups : {}) });
  },
);

test('a stack without a customer-managed key has the same stateful resources except the key', () => {
  const template = synthesize().templates.us;
  for (const type of statefulTypes)
    expect(Object.keys(resourcesOf(template, type)).sort()).toEqual(type === 'AWS::KMS::Key' ? [] : statefulIds[type]);
});
