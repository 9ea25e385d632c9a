import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type CfnElement, Stack, Token, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import { kinds } from '../shared/table/schema.ts';
import type { TableGrant } from './functions.ts';

/** Returns a statement that allows the actions on the resources. */
export const allow = (actions: readonly string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources });

/** Returns the AWS account of a stack as cdk-nag prints it in a finding. */
export const accountInFindings = ({ account }: Stack): string => (Token.isUnresolved(account) ? '<AWS::AccountId>' : account);

const writes = new Set<string>(['PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * Returns a statement per action on the table or an index, with all kinds that the grants name.
 * `dynamodb:LeadingKeys` contains every key of a batch or transaction. All kinds are in one
 * statement, so it does not matter whether IAM checks the keys one by one or as a set.
 * `ForAllValues` alone would allow a request without keys (a Scan, an export), so `Null` requires
 * that there are keys.
 */
export const tableStatements = (tableArn: string, grants: readonly TableGrant[]): PolicyStatement[] => {
  const rights = grants.flatMap(({ kinds: granted, actions, indexes = [undefined] }) =>
    actions.flatMap((action) => indexes.map((index) => ({ action, index, granted }))),
  );
  const byActionAndIndex = Map.groupBy(rights, ({ action, index }) => `${action} ${index}`);
  return [...byActionAndIndex.values()].map((same) => {
    const { action, index } = same[0] as (typeof same)[number];
    const leadingKeys = new Set(same.flatMap(({ granted }) => granted.map((kind) => `${kinds[kind].prefix}#*`)));
    return new PolicyStatement({
      actions: [`dynamodb:${action}`],
      resources: [index ? `${tableArn}/index/${index}` : tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys].sort() },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    });
  });
};

export const serviceHost = (stack: Stack, service: string): string => `${service}.${stack.region}.${stack.urlSuffix}`;

type KeyUse = 'read' | 'write';

/**
 * Returns the statements that DynamoDB and S3 require of a caller of data under a customer-managed
 * key, usable through that service only. Returns none without such a key.
 */
export const keyStatements = (key: IKey | undefined, use: KeyUse, viaService: string): PolicyStatement[] => {
  if (!key) return [];
  const writing = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
  return [
    new PolicyStatement({
      actions: ['kms:Decrypt', 'kms:DescribeKey', ...(use === 'write' ? writing : [])],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService } },
    }),
  ];
};

export const keyUse = (grants: readonly TableGrant[]): KeyUse =>
  grants.some((grant) => grant.actions.some((action) => writes.has(action))) ? 'write' : 'read';

/**
 * Maps a cdk-nag rule id, with `[finding]` if the rule reports several, to the reason why the
 * finding is accepted.
 */
export type Reasons = Readonly<Record<string, string>>;

/** Returns the name of the finding about rights to every object of a bucket. */
export const everyObjectOf = (bucket: Bucket): string =>
  `AwsSolutions-IAM5[Resource::<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*]`;

/** Why the role of a function that X-Ray records has a right on every resource. */
export const tracingReasons: Reasons = {
  'AwsSolutions-IAM5[Resource::*]': 'X-Ray has no resources to name: PutTraceSegments and PutTelemetryRecords only exist on "*".',
};

/** Accepts findings of cdk-nag and warnings of the CDK on a construct. */
export const acknowledge = (construct: IConstruct, reasons: Reasons): void => {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
};
