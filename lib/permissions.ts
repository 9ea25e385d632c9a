import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { kinds } from '../shared/table/schema.ts';
import type { TableGrant } from './functions.ts';

const writes = new Set<string>(['PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * Holds each grant to its kinds by the first segment of the partition key. `ForAllValues` alone would be true for a request
 * without the key (a Scan, an export), so `Null` demands that it is there.
 */
export const tableStatements = (tableArn: string, grants: readonly TableGrant[]): PolicyStatement[] =>
  grants.map(
    (grant) =>
      new PolicyStatement({
        actions: grant.actions.map((action) => `dynamodb:${action}`),
        resources: grant.indexes ? grant.indexes.map((index) => `${tableArn}/index/${index}`) : [tableArn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': grant.kinds.map((kind) => `${kinds[kind]}#*`) },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
  );

export type KeyUse = 'read' | 'write';

/** What DynamoDB and S3 ask of a caller of data under a customer-managed key, usable through that service only. */
export const keyStatement = (keyArn: string, use: KeyUse, viaService: string): PolicyStatement =>
  new PolicyStatement({
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      ...(use === 'write'
        ? ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncryptFrom', 'kms:ReEncryptTo']
        : []),
    ],
    resources: [keyArn],
    conditions: { StringEquals: { 'kms:ViaService': viaService } },
  });

export const keyUse = (grants: readonly TableGrant[]): KeyUse =>
  grants.some((grant) => grant.actions.some((action) => writes.has(action))) ? 'write' : 'read';
