import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { indexKeys, indexNames } from '../../shared/table/schema.ts';
import { flatten } from './iam.ts';
import { type Resource, resourcesOf, synthesize } from './synthesize.ts';

let template: Template;
let tables: [string, Resource][];
beforeAll(() => {
  template = synthesize().templates.us;
  tables = Object.entries(resourcesOf(template, 'AWS::DynamoDB::Table'));
});

const tableNamed = (part: string): Resource => {
  const [found] = tables.filter(([id]) => id.includes(part));
  if (!found) throw new Error(`No table ${part}`);
  return found[1];
};

describe('the data table', () => {
  test('is kept when the stack goes, and cannot be deleted by a call', () => {
    const { DeletionPolicy, UpdateReplacePolicy, Properties } = tableNamed('Table');
    expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(Properties['DeletionProtectionEnabled']).toBe(true);
  });

  test('can be recovered to a point in time', () => {
    expect(tableNamed('Table').Properties['PointInTimeRecoverySpecification']).toEqual({ PointInTimeRecoveryEnabled: true });
  });

  test('is encrypted under a customer-managed key that rotates and is kept', () => {
    const sse = tableNamed('Table').Properties['SSESpecification'] as Record<string, unknown>;
    expect(sse).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' });
    const keys = Object.entries(resourcesOf(template, 'AWS::KMS::Key'));
    expect(keys).toHaveLength(1);
    const [[id, key]] = keys as [[string, Resource]];
    expect(flatten(sse['KMSMasterKeyId'])).toBe(`<${id}.Arn>`);
    expect(key.Properties['EnableKeyRotation']).toBe(true);
    expect(key.DeletionPolicy).toBe('Retain');
  });

  test('expires items, streams both images and is paid per request', () => {
    expect(tableNamed('Table').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    });
  });

  test('is made with all its indexes, each projecting the list view', () => {
    const { Properties } = tableNamed('Table');
    expect(Properties['GlobalSecondaryIndexes']).toEqual(
      indexNames.map((IndexName) => ({
        IndexName,
        KeySchema: [
          { AttributeName: indexKeys(IndexName).pk, KeyType: 'HASH' },
          { AttributeName: indexKeys(IndexName).sk, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['view'] },
      })),
    );
  });
});

test('the bucket table expires items and has neither stream nor recovery', () => {
  const { Properties } = tableNamed('Buckets');
  expect(Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
  });
  expect(Properties).not.toHaveProperty('StreamSpecification');
  expect(Properties).not.toHaveProperty('PointInTimeRecoverySpecification');
});
