import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { AttributeType, BillingMode, type ITable, ProjectionType, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bucketsSchema, indexKeys, indexNames, schema } from '../../shared/table/schema.ts';
import { acknowledge, serviceHost } from '../permissions.ts';
import type { RegionSettings } from '../regions.ts';

/**
 * Properties of the served table that functions and graphs need. It is the stack's own table or a
 * restored one.
 */
export interface ServedTable extends Pick<ITable, 'tableName' | 'tableArn' | 'metric'> {
  readonly tableStreamArn?: string | undefined;
}

export interface DataTables {
  /** Customer-managed key; undefined if DynamoDB's and S3's own keys are used. */
  readonly key: Key | undefined;
  /** The table in use: the stack's own, or a restored one. */
  readonly table: ServedTable;
  readonly buckets: Table;
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

const restored = (here: Construct, tableStreamArn: string): ServedTable =>
  Table.fromTableAttributes(here, 'Restored', { tableArn: tableStreamArn.replace(/\/stream\/.*$/, ''), tableStreamArn });

/**
 * The table stays if the stack is deleted. If the deployment that creates it fails, it is deleted,
 * because the next deployment must not find it.
 */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * Creates the key. Its policy admits the stack's roles through DynamoDB and S3, because a deployment that
 * adds the key encrypts the table before it changes the roles.
 */
const createKey = (here: Construct): Key => {
  const { account, partition, stackName } = Stack.of(here);
  const key = new Key(here, 'Key', {
    description: 'Customer data: table, stream, parked stream records',
    enableKeyRotation: true,
    // CloudFormation deletes the key only if its creation failed. Then nothing is encrypted with
    // it.
    pendingWindow: Duration.days(7),
    removalPolicy,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': account,
          'kms:ViaService': ['dynamodb', 's3'].map((service) => serviceHost(Stack.of(here), service)),
        },
        ArnLike: { 'aws:PrincipalArn': `arn:${partition}:iam::${account}:role/${stackName}-*` },
      },
    }),
  );
  return key;
};

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
    // Without a customer-managed key, the table uses DynamoDB's own. That is equally strong and
    // free, and needs no KMS calls, which could be throttled or rejected.
    ...(key ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key } : { encryption: TableEncryption.DEFAULT }),
    stream: StreamViewType[schema.streamViewType],
    timeToLiveAttribute: schema.ttlAttribute,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // Off for the first deployment, because a protected table could not be rolled back if that
    // deployment fails.
    deletionProtection,
    removalPolicy,
  });
  // All indexes are created with the table. Later, CloudFormation would add only one per update,
  // each with a backfill.
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
  // Rate buckets exist for minutes, so this table needs no recovery and no stream. It holds only
  // hashes and numbers, so it uses DynamoDB's own key: a customer-managed one would add the price
  // and limit of KMS calls to the busiest table.
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
 * Days after which AWS Backup deletes a backup of the table and its copy in the other AWS account.
 * Copies still hold people who were erased since, so they are kept for a short time.
 */
export const secondCopy = { backupDays: 2, copyDays: 7 } as const;

/** Creates a daily backup of the served table, with a copy in a vault of another AWS account. */
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
