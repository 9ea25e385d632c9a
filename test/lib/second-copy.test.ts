import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { secondCopy } from '../../lib/constructs/data-table.ts';
import { copiesContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { resourcesOf, synthesize, theOnly } from './synthesize.ts';

const vaultArn = copiesContext['backupVaultArn.au'];
const configured = () => synthesize(copiesContext).templates.au;

test('without a configured vault the stack has no AWS Backup plan', () => {
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

test('backups are in a vault with its own rotating key', () => {
  const vault = theOnly(configured(), 'AWS::Backup::BackupVault');
  const [key = ''] = Object.keys(resourcesOf(configured(), 'AWS::KMS::Key'));
  expect(flatten(vault['EncryptionKeyArn'])).toBe(`<${key}.Arn>`);
  expect(theOnly(configured(), 'AWS::KMS::Key')['EnableKeyRotation']).toBe(true);
});

test('a restored table is the one that is backed up while it is in use', () => {
  const { us } = synthesize(copiesContext).templates;
  const { BackupSelection } = theOnly(us, 'AWS::Backup::BackupSelection') as { BackupSelection: { Resources: unknown[] } };
  expect(BackupSelection.Resources).toEqual(['arn:aws:dynamodb:us-east-1:123456789012:table/bakery-restored']);
});

test.each(['docs/backup-restore.md', 'docs/privacy.md'])('%s states the retention of copies', (page) => {
  expect(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')).toContain(`${secondCopy.copyDays} days`);
});
