import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { readRegionSettings } from '../../lib/regions.ts';
import type { Region } from '../../shared/core/config.ts';
import { fullContext } from './contexts.ts';
import { propertiesOf, synthesize, templateOf } from './synthesize.ts';
import type { Context } from './synthesize-app.ts';
import { type Call, samplesOf, stepsOfEu, walk } from './walk-page.ts';

const settingsOf = (context: Context, stack: string) =>
  readRegionSettings(new App({ context: { ...context } }).node).find(({ stackName }) => stackName === stack);
const steps = samplesOf('docs/deploy.md', '# Deploy');

const callsOf = (calls: readonly Call[], start: string) => calls.filter(({ command }) => command.join(' ').startsWith(start));

describe.each<[Region, string, readonly Call[]]>([
  ['us', 'us-east-1', walk(steps)],
  ['eu', 'eu-west-1', walk(stepsOfEu())],
])('docs/deploy.md for %s alone', (region, awsRegion, calls) => {
  const stack = `BakeryCommerce-${region}`;
  const deployed = callsOf(calls, `npx cdk deploy ${stack}`).map(({ context }) => templateOf(synthesize(context).stacks, stack));

  test(`docs/deploy.md for ${region} alone runs every command in its AWS region, for its stack`, () => {
    expect(new Set(calls.map((call) => call.awsRegion))).toEqual(new Set([awsRegion]));
    const named = calls.flatMap(({ command }) => command.join(' ').match(/BakeryCommerce-\w+/g) ?? []);
    expect(new Set(named)).toEqual(new Set([stack]));
    expect(callsOf(calls, 'npx cdk bootstrap').map(({ command }) => command.at(-1))).toEqual([`aws://111122223333/${awsRegion}`]);
    for (const { context } of calls.slice(-1)) expect(settingsOf(context, stack)).toMatchObject({ awsRegion });
    expect(callsOf(calls, 'curl')[0]?.command[1]).toMatch(`https://${region}.api.example.com/`);
    expect(callsOf(calls, 'aws lambda get-account-settings')).toHaveLength(1);
    expect(callsOf(calls, 'aws cloudformation set-stack-policy')).toHaveLength(1);
  });

  test(`docs/deploy.md for ${region} alone deploys a table without protection first, then with it, an alarm address and a domain`, () => {
    const protection = deployed.map((template) =>
      propertiesOf(template, 'AWS::DynamoDB::Table').map((table) => table['DeletionProtectionEnabled']),
    );
    expect(protection).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
    for (const template of deployed) {
      template.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'oncall@example.com' });
      template.hasOutput('ApiUrl', { Value: `https://${region}.api.example.com` });
    }
  });
});

test('docs/configuration.md: the stack for GitHub has the roles of each environment that its steps create, in their AWS region', () => {
  const samples = samplesOf('docs/configuration.md', '## Deploy from GitHub');
  const loop = samples.findIndex(({ text }) => text.startsWith('for environment'));
  const calls = walk([...samples, ...samples.slice(loop, loop + 1)]);
  const [deployment] = callsOf(calls, 'npx cdk deploy BakeryCommerce-github');
  const roles = propertiesOf(templateOf(synthesize(deployment?.context).stacks, 'BakeryCommerce-github'), 'AWS::IAM::Role');
  const created = callsOf(calls, 'gh variable set AWS_ROLE_ARN').map(({ command }) => command.at(-1)?.split('/').at(-1));
  expect(created.sort()).toEqual(roles.map(({ RoleName }) => RoleName).sort());
  expect(new Set(callsOf(calls, 'gh variable set AWS_REGION').map(({ command }) => command.at(-1)))).toEqual(new Set(['us-east-1']));
});

describe('docs/backup-restore.md: a region that moves into another AWS region', () => {
  const name = 'BakeryCommerce-us';
  const before = {
    ...fullContext,
    'awsRegion.us': 'us-east-1',
    docs: null,
    alarmTopicArn: null,
    'alarmTopicArn.us': null,
    'alarmTopicArnLater.us': null,
  };
  const [, ...samples] = samplesOf('docs/backup-restore.md', '## Restore into another AWS region');
  const calls = walk([{ language: 'sh', text: `export STACK=${name} T=t AWS_REGION=us-west-2` }, ...samples], {
    ...before,
    'backupVaultArn.us': 'arn:aws:backup:us-west-2:210987654321:backup-vault:bakery',
  });
  const [deployment] = callsOf(calls, `npx cdk deploy ${name}`);
  const moved = synthesize(deployment?.context).stacks;

  test('docs/backup-restore.md: the moved stack has no edge, no protection and serves the restored table', () => {
    expect(settingsOf(deployment?.context ?? {}, name)).toMatchObject({ awsRegion: 'us-west-2', edge: false, deletionProtection: false });
    expect(Object.keys(moved)).not.toContain(`${name}-edge`);
    expect(JSON.stringify(templateOf(moved, name).toJSON())).not.toMatch(/us-east-1|Fn::GetStackOutput/);
  });

  test('docs/backup-restore.md: the moved stack takes no global name of the old one but the record that the page deletes', () => {
    const global = {
      'AWS::Route53::RecordSet': 'Name',
      'AWS::CloudWatch::Dashboard': 'DashboardName',
      'AWS::IAM::Role': 'RoleName',
      'AWS::S3::Bucket': 'BucketName',
    };
    const old = synthesize(before).stacks;
    const namesIn = (template: Template) =>
      Object.entries(global).flatMap(([type, key]) =>
        propertiesOf(template, type).flatMap((one) => (one[key] === undefined ? [] : [String(one[key])])),
      );
    const held = new Set(namesIn(templateOf(old, name)));
    expect(namesIn(templateOf(moved, name)).filter((one) => held.has(one))).toEqual(['us.api.example.com.']);
    expect([...held].sort()).toEqual(['BakeryCommerce-us', 'origin.us.api.example.com.', 'us.api.example.com.']);
  });

  test("docs/backup-restore.md: GitHub's roles name the new AWS region, and so do its environments", () => {
    const roles = JSON.stringify(propertiesOf(templateOf(moved, 'BakeryCommerce-github'), 'AWS::IAM::Role'));
    expect(roles).toContain('us-west-2');
    expect(roles).not.toContain('us-east-1');
    expect(callsOf(calls, 'gh variable set AWS_REGION').map(({ command }) => command.slice(-4))).toEqual(
      ['us-plan', 'us', 'us-check'].map((environment) => ['--env', environment, '--body', 'us-west-2'].slice(-4)),
    );
  });
});

test('docs/configuration.md: each command of a stage names a stack of the assembly, the stage first', () => {
  const calls = walk(samplesOf('docs/configuration.md', '### A stage before production'));
  const named = calls.flatMap(({ context, command }) =>
    (command.join(' ').match(/BakeryCommerce-[\w-]+/g) ?? []).map((stack) => [stack, settingsOf(context, stack)?.stackName]),
  );
  const [staging, production] = ['BakeryCommerce-staging-us', 'BakeryCommerce-us'];
  expect(named).toEqual([staging, staging, production].map((stack) => [stack, stack]));
});

test.each(['', 'uk', 'us,', 'us,us', 'us, eu', ['us']])('`regions` rejects %j', (regions) => {
  expect(() => settingsOf({ regions }, 'BakeryCommerce-us')).toThrow('Context "regions" must be regions with a comma between them');
});
