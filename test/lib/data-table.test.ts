import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { indexKeys, indexNames } from '../../shared/table/schema.ts';
import { copiesContext, rightsContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { type Resource, resourcesOf, synthesize, theOnly } from './synthesize.ts';

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
  test("the data table is encrypted with DynamoDB's own key by default", () => {
    expect(tableNamed('DataTable').Properties['SSESpecification']).toEqual({ SSEEnabled: false });
    template.resourceCountIs('AWS::KMS::Key', 0);
    expect(JSON.stringify(template.toJSON())).not.toContain('kms:');
  });

  test('the data table is encrypted with a rotating customer-managed key if configured', () => {
    const configured = synthesize(rightsContext).templates.us;
    const { SSESpecification } = theOnly(
      configured,
      'AWS::DynamoDB::Table',
      ({ StreamSpecification }) => StreamSpecification !== undefined,
    );
    expect(SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' });
    const keys = Object.entries(resourcesOf(configured, 'AWS::KMS::Key'));
    expect(keys).toHaveLength(1);
    const [[id, key]] = keys as [[string, Resource]];
    expect(flatten((SSESpecification as Record<string, unknown>)['KMSMasterKeyId'])).toBe(`<${id}.Arn>`);
    expect(key.Properties['EnableKeyRotation']).toBe(true);
    // A deployment that adds the key encrypts the table before it changes the roles.
    const { Statement } = key.Properties['KeyPolicy'] as { Statement: any[] };
    const [stack] = Statement.filter(({ Principal }) => JSON.stringify(Principal) === '{"AWS":"*"}');
    expect(stack).toMatchObject({
      Effect: 'Allow',
      Condition: { StringEquals: { 'kms:CallerAccount': { Ref: 'AWS::AccountId' } }, ArnLike: { 'aws:PrincipalArn': expect.anything() } },
    });
    expect(flatten(stack.Condition.ArnLike['aws:PrincipalArn'])).toMatch(/:role\/BakeryCommerce-\w+-\*$/);
    expect(stack.Condition.StringEquals['kms:ViaService'].map(flatten).map((host: string) => host.split('.')[0])).toEqual([
      'dynamodb',
      's3',
    ]);
  });

  test('the data table expires items, streams both images and is billed on demand', () => {
    expect(tableNamed('Table').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    });
  });

  test('the data table has all indexes, and each projects the list view', () => {
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

test('the rate bucket table expires items and has neither stream nor recovery', () => {
  const { Properties } = tableNamed('Buckets');
  expect(Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
  });
  expect(Properties).not.toHaveProperty('StreamSpecification');
  expect(Properties).not.toHaveProperty('PointInTimeRecoverySpecification');
});

describe('a restored table', () => {
  test('every function of a region and its change stream use a restored table; the original stays unchanged', () => {
    const { us, eu } = synthesize(copiesContext).templates;
    const own = Object.entries(resourcesOf(us, 'AWS::DynamoDB::Table'));
    expect(own).toEqual(tables);
    const ownName = own.find(([id]) => id.startsWith('DataTable'))?.[0] ?? '';
    const uses = JSON.stringify([
      resourcesOf(us, 'AWS::Lambda::Function'),
      resourcesOf(us, 'AWS::IAM::Policy'),
      resourcesOf(us, 'AWS::Lambda::EventSourceMapping'),
    ]);
    expect(uses).toContain('bakery-restored');
    expect(uses).toContain(copiesContext['restoredTableStreamArn.us']);
    expect(uses).not.toContain(ownName);
    expect(JSON.stringify(eu.toJSON())).not.toContain('bakery-restored');
  });
});
