import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { ServedTable } from './data-table.ts';

/** Days after which AWS Backup deletes a backup of the table, and its copy in the other AWS account; copies hold people who were erased since. */
export const secondCopy = { backupDays: 2, copyDays: 7 } as const;

const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

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
