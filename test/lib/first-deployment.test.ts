import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { copiesContext, fullContext } from './contexts.ts';
import { mostAtOnce } from './creation-order.ts';
import { propertiesOf, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const contexts: [string, Record<string, unknown>][] = [
  ['nothing', {}],
  ['everything but deletion protection', { ...fullContext, deletionProtection: 'false' }],
];
const allOf = (template: Template): [string, Resource][] =>
  Object.entries((template.toJSON() as { Resources: Record<string, Resource> }).Resources);

/** Resources that hold data. */
const stateful = ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket', 'AWS::SQS::Queue', 'AWS::Backup::BackupVault'];

describe.each(contexts)('the first deployment with %s configured', (name, context) => {
  let template: Template;
  beforeAll(() => {
    template = synthesize(context).templates.us;
  });

  // CloudWatch accepts 5 PutMetricFilter and 3 PutMetricAlarm calls a second in an account and
  // region.
  test.each(['AWS::Logs::MetricFilter', 'AWS::CloudWatch::Alarm'])(
    `a first deployment with ${name} configured makes at most three of %s at a time`,
    (type) => {
      expect(Object.keys(resourcesOf(template, type)).length).toBeGreaterThan(3);
      expect(mostAtOnce(template, type)).toBeLessThanOrEqual(3);
    },
  );

  test(`a first deployment with ${name} configured makes no more than 35 metric filters`, () => {
    expect(Object.keys(resourcesOf(template, 'AWS::Logs::MetricFilter')).length).toBeLessThanOrEqual(35);
  });

  test(`a first deployment with ${name} configured that fails deletes everything that it created`, () => {
    expect(
      allOf(template).filter(([, { DeletionPolicy }]) => !['Delete', 'RetainExceptOnCreate', undefined].includes(DeletionPolicy)),
    ).toEqual([]);
    expect(JSON.stringify(template.toJSON())).not.toMatch(/"(DeletionProtection\w*|TerminationProtection\w*)":\s*true/);
  });

  test(`a first deployment with ${name} configured that succeeds retains resources with data if the stack is deleted`, () => {
    for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of allOf(template)) {
      if (!stateful.includes(Type) || id.startsWith('DataBuckets')) continue;
      expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, 'RetainExceptOnCreate', 'Retain']);
    }
  });
});

test('a key that is switched on later has its waiting period', () => {
  const keys = propertiesOf(synthesize(fullContext).templates.us, 'AWS::KMS::Key');
  expect(keys).toHaveLength(2);
  for (const { PendingWindowInDays } of keys)
    expect(readFileSync('docs/configuration.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(`${PendingWindowInDays} days`);
});

test('deletion protection changes nothing but the table', () => {
  const text = (context: Record<string, unknown>) => JSON.stringify(synthesize(context).templates.eu.toJSON());
  const protectedTable = '"DeletionProtectionEnabled":true';
  expect(text(copiesContext)).toContain(protectedTable);
  expect(text(copiesContext).replace(protectedTable, '"DeletionProtectionEnabled":false')).toBe(text({}));
});

describe('the number of resources that are created at once', () => {
  const type = 'T';
  const count = (resources: Record<string, object>): number =>
    mostAtOnce(
      Template.fromJSON({
        Resources: Object.fromEntries(Object.entries(resources).map(([id, rest]) => [id, { Type: type, Properties: {}, ...rest }])),
      }),
      type,
    );

  test('the number of simultaneous creations counts parallel chains, even at different depths', () => {
    expect(count({ a: {}, b: { DependsOn: 'a' }, c: { DependsOn: 'b' }, d: {}, e: { DependsOn: ['a', 'd'] } })).toBe(2);
    expect(count({ root: {}, a: { DependsOn: 'root' }, b: { DependsOn: 'root' }, c: { DependsOn: 'root' }, d: { DependsOn: 'a' } })).toBe(
      3,
    );
  });
});
