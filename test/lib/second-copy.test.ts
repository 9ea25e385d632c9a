import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import type { Node } from 'constructs';
import { secondCopy } from '../../lib/constructs/data-table.ts';
import { readRegionSettings } from '../../lib/regions.ts';
import { copiesContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { resourcesOf, synthesize, theOnly } from './synthesize.ts';

const vaultArn = copiesContext['backupVaultArn.au'];
const configured = () => synthesize(copiesContext).templates.au;

test('a stack without a configured vault has no AWS Backup plan', () => {
  expect(JSON.stringify(synthesize().templates.us.toJSON())).not.toContain('AWS::Backup');
});

test('the table is backed up daily and copied to the configured vault, and both expire', () => {
  const { BackupPlan } = theOnly(configured(), 'AWS::Backup::BackupPlan') as { BackupPlan: { BackupPlanRule: unknown[] } };
  expect(BackupPlan.BackupPlanRule).toEqual([
    expect.objectContaining({
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Lifecycle: { DeleteAfterDays: secondCopy.backupDays },
      CopyActions: [{ DestinationBackupVaultArn: vaultArn, Lifecycle: { DeleteAfterDays: secondCopy.copyDays } }],
    }),
  ]);
  const { BackupSelection } = theOnly(configured(), 'AWS::Backup::BackupSelection') as { BackupSelection: { Resources: unknown[] } };
  const [table = ''] = Object.keys(resourcesOf(configured(), 'AWS::DynamoDB::Table')).filter((id) => id.startsWith('DataTable'));
  expect(BackupSelection.Resources.map(flatten)).toEqual([`<${table}.Arn>`]);
});

test('a vault in another AWS region needs the key of the region, so that no other region sends its data there', () => {
  const abroad = 'arn:aws:backup:eu-central-1:210987654321:backup-vault:bakery';
  const settings = (context: object) => readRegionSettings(new App({ context: { ...context } }).node as Node);
  expect(settings({ 'backupVaultArn.eu': abroad }).map(({ backupVaultArn }) => backupVaultArn)).toEqual([undefined, undefined, abroad]);
  expect(() => settings({ backupVaultArn: abroad })).toThrow('Context "backupVaultArn" must be the ARN of a backup vault in us-east-1');
});

test('backups are in a vault with its own rotating key', () => {
  const vault = theOnly(configured(), 'AWS::Backup::BackupVault');
  const [key = ''] = Object.keys(resourcesOf(configured(), 'AWS::KMS::Key'));
  expect(flatten(vault['EncryptionKeyArn'])).toBe(`<${key}.Arn>`);
  expect(theOnly(configured(), 'AWS::KMS::Key')['EnableKeyRotation']).toBe(true);
});

test('the receivers of alarms learn if a backup of the table or its copy fails, is aborted or expires', () => {
  const { EventPattern, Targets } = theOnly(configured(), 'AWS::Events::Rule') as { EventPattern: any; Targets: { Arn: unknown }[] };
  expect(EventPattern).toEqual({
    source: ['aws.backup'],
    'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
    detail: { resourceArn: [expect.anything()], state: ['ABORTED', 'EXPIRED', 'FAILED', 'PARTIAL'] },
  });
  expect(flatten(EventPattern.detail.resourceArn[0])).toMatch(/^<DataTable\w+\.Arn>$/);
  const [topic] = Object.keys(resourcesOf(configured(), 'AWS::SNS::Topic'));
  expect(Targets.map(({ Arn }) => Arn)).toEqual([{ Ref: topic }]);
  expect(JSON.stringify(theOnly(configured(), 'AWS::SNS::TopicPolicy'))).toContain('"events.amazonaws.com"');
  expect(JSON.stringify(synthesize({ alarmEmail: 'on-call@example.com' }).templates.us.toJSON())).not.toContain('events.amazonaws.com');
});

test('a restored table is the one that is backed up while it is in use', () => {
  const { us } = synthesize(copiesContext).templates;
  const { BackupSelection } = theOnly(us, 'AWS::Backup::BackupSelection') as { BackupSelection: { Resources: unknown[] } };
  expect(BackupSelection.Resources).toEqual(['arn:aws:dynamodb:us-east-1:123456789012:table/bakery-restored']);
});

test.each(['docs/backup-restore.md', 'docs/privacy.md'])('%s states the retention of copies', (page) => {
  expect(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')).toContain(`${secondCopy.copyDays} days`);
});
