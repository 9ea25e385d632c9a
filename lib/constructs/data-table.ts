import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { AttributeType, BillingMode, type ITable, ProjectionType, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bucketsSchema, indexKeys, indexNames, schema } from '../../shared/table/schema.ts';
import { acknowledge } from '../permissions.ts';
import type { RegionSettings } from '../regions.ts';

/** Properties of a table that functions and graphs need, of the stack's own table or another. */
export interface ServedTable extends Pick<ITable, 'tableName' | 'tableArn' | 'metric'> {
  readonly tableStreamArn?: string | undefined;
}

export interface DataTables {
  /** Undefined under the keys that DynamoDB and S3 own. */
  readonly key: Key | undefined;
  /** The table in use: the stack's own, or one that was restored from it. */
  readonly table: ServedTable;
  readonly buckets: Table;
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

const restored = (here: Construct, tableStreamArn: string): ServedTable =>
  Table.fromTableAttributes(here, 'Restored', { tableArn: tableStreamArn.replace(/\/stream\/.*$/, ''), tableStreamArn });

/**
 * Stays if the stack is deleted, unless the deployment that creates it fails: then the next one
 * must not find it.
 */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

const createKey = (here: Construct): Key =>
  new Key(here, 'Key', {
    description: 'Customer data: table, stream, parked stream records',
    enableKeyRotation: true,
    // CloudFormation deletes a key only if its creation failed, and then nothing is encrypted with
    // it.
    pendingWindow: Duration.days(7),
    removalPolicy,
  });

/**
 * Creates the table, its key, and the table of rate buckets. If a restored table is served, the
 * stack's own stays, with its protection.
 */
export const createDataTables = (
  scope: Construct,
  { customerManagedKey, deletionProtection, restoredTableStreamArn }: RegionSettings,
): DataTables => {
  const here = new Construct(scope, 'Data');
  const key = customerManagedKey ? createKey(here) : undefined;
  const table = new Table(here, 'Table', {
    partitionKey: text(schema.partitionKey),
    sortKey: text(schema.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    // Without its own key the table uses one that DynamoDB owns: equally strong, free, and without
    // KMS calls that could be throttled or rejected.
    ...(key ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key } : { encryption: TableEncryption.DEFAULT }),
    stream: StreamViewType[schema.streamViewType],
    timeToLiveAttribute: schema.ttlAttribute,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // Off for the deployment that makes it: a protected table could not go with a first deployment
    // that fails.
    deletionProtection,
    removalPolicy,
  });
  // All in the creating deployment: CloudFormation adds one index an update, each a backfill of its
  // own.
  for (const indexName of indexNames) {
    const { pk, sk } = indexKeys(indexName);
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: text(pk),
      sortKey: text(sk),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [schema.viewAttribute],
    });
  }
  // Counters that live for minutes: nothing to recover, nothing to stream. The AWS-owned key,
  // because a customer-managed one would put a KMS call's price and limit on the busiest table to
  // guard hashes and numbers.
  const buckets = new Table(here, 'Buckets', {
    partitionKey: text(bucketsSchema.partitionKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: bucketsSchema.ttlAttribute,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(buckets, {
    'AwsSolutions-DDB3': 'Rate buckets live for minutes and are rebuilt by the next request: there is no point in time to recover to.',
  });
  return { key, table: restoredTableStreamArn ? restored(here, restoredTableStreamArn) : table, buckets };
};

/**
 * Days after which AWS Backup deletes a backup of the table, and its copy in the other AWS account;
 * copies hold people who were erased since.
 */
export const secondCopy = { backupDays: 2, copyDays: 7 } as const;

/** A daily backup of the served table, copied into a vault of another AWS account. */
export const createSecondCopy = (scope: Construct, { tableArn }: ServedTable, vaultArn: string): void => {
  const here = new Construct(scope, 'SecondCopy');
  const encryptionKey = new Key(here, 'Key', {
    description: 'Backups of the data table before they are copied to another account',
    enableKeyRotation: true,
    pendingWindow: Duration.days(7),
    removalPolicy,
  });
  const vault = new BackupVault(here, 'Vault', { backupVaultName: Stack.of(here).stackName, encryptionKey, removalPolicy });
  const role = new Role(here, 'Role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
  });
  acknowledge(role, {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]':
      'AWS Backup demands the rights of this policy for advanced backups of DynamoDB, and changes them with its features.',
  });
  const plan = new BackupPlan(here, 'Plan', { backupPlanName: Stack.of(here).stackName });
  plan.addRule(
    new BackupPlanRule({
      ruleName: 'daily',
      backupVault: vault,
      scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
      deleteAfter: Duration.days(secondCopy.backupDays),
      copyActions: [
        {
          destinationBackupVault: BackupVault.fromBackupVaultArn(here, 'Destination', vaultArn),
          deleteAfter: Duration.days(secondCopy.copyDays),
        },
      ],
    }),
  );
  plan.addSelection('Table', { role, disableDefaultBackupPolicy: true, resources: [BackupResource.fromArn(tableArn)] });
};
