import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { functionNames } from '../../lib/functions.ts';
import { awsRegions, regions } from '../../shared/core/config.ts';
import { fullContext, sharedContext, someContext } from './contexts.ts';
import { propertiesOf, synthesize } from './synthesize.ts';
import { synthesizeApp } from './synthesize-app.ts';

const [{ app: plain }, { app: full }] = [synthesizeApp(), synthesizeApp(fullContext)];

describe('the three regions', () => {
  test('the three regions are separate stacks, each in its AWS region', () => {
    expect(awsRegions).toEqual({ us: 'us-east-1', au: 'ap-southeast-2', eu: 'eu-west-1' });
    const { stacks } = plain.synth();
    expect(Object.fromEntries(stacks.map(({ stackName, environment }) => [stackName, environment.region]))).toEqual(
      Object.fromEntries(regions.map((region) => [`BakeryCommerce-${region}`, awsRegions[region]])),
    );
    // The one dependency is the asset manifest: no stack waits for another.
    for (const { dependencies } of stacks) expect(dependencies.map(({ manifest }) => manifest.type)).toEqual(['cdk:asset-manifest']);
  });

  test('the three regions can be moved to other AWS regions by context', () => {
    const { stacks } = full.synth();
    const regional = stacks.filter(({ stackName }) => !/-(github|edge|docs)$/.test(stackName));
    expect(regional.map(({ environment }) => environment.region).sort()).toEqual(['ap-southeast-2', 'eu-west-1', 'us-west-2']);
  });

  test('the three regions output the values that operators and tests need', () => {
    const outputs = synthesize().templates.eu.findOutputs('*');
    expect(Object.keys(outputs).sort()).toEqual([
      'ActionsFunctionName',
      'ApiUrl',
      'DeliveryDeadLetterQueueUrl',
      'DeliveryQueueUrl',
      'ParkingBucketName',
      'ParkingNoticeQueueUrl',
      'SearchDeadLetterQueueUrl',
      'SweepFailureQueueUrl',
      'TableName',
    ]);
    for (const output of Object.values(outputs)) expect(output).not.toHaveProperty('Export');
  });
});

describe('the custom domain', () => {
  test('the custom domain is absent without context', () => {
    synthesize().templates.us.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
  });

  test('the custom domain is `<region>.<apiDomain>`, with certificate, mapping and alias', () => {
    const { templates } = synthesize(sharedContext);
    for (const region of regions) {
      const name = `${region}.api.example.com`;
      templates[region].hasResourceProperties('AWS::CertificateManager::Certificate', { DomainName: name, ValidationMethod: 'DNS' });
      templates[region].hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: name });
      templates[region].resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 1);
      templates[region].hasResourceProperties('AWS::Route53::RecordSet', { Name: `${name}.`, HostedZoneId: 'Z123', Type: 'A' });
      templates[region].hasOutput('ApiUrl', { Value: `https://${name}` });
    }
  });
});

test('a template for tests and tables is made without a word', () => {
  expect(spawnSync(process.execPath, ['test/lib/print-templates.ts'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stderr).toBe('');
});

test('alarms can go to an existing topic, to an address, or to both', () => {
  const actionsIn = (template: Template) =>
    propertiesOf(template, 'AWS::CloudWatch::Alarm')
      // Alarms that watch a deployment notify no one.
      .filter(({ AlarmName }) => !String(AlarmName).includes('-deployment-'))
      .map(({ AlarmActions }) => AlarmActions as unknown[]);
  for (const actions of actionsIn(synthesize(someContext).templates.au)) expect(actions).toEqual([someContext['alarmTopicArn.au']]);
  for (const actions of actionsIn(synthesize(fullContext).templates.eu))
    expect(actions).toEqual([{ Ref: expect.stringContaining('Topic') }, fullContext['alarmTopicArn.eu']]);
});

test.each([
  ['nothing', plain],
  ['everything', full],
])('cdk-nag finds nothing that is not suppressed with a reason, with %s configured', (_name, app) => {
  const report = new AwsSolutionsChecks(app).validateScope(app);
  expect(report.violations).toEqual([]);
});

test('bin/app.ts synthesizes one asset per function, without credentials, and the CDK warns of alarms without a receiver for the stack that is asked for only', async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
  try {
    const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
    // The environment has no AWS credentials.
    await promisify(execFile)(process.execPath, ['bin/app.ts'], {
      env: { PATH: process.env['PATH'], CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_VALIDATION: 'false' },
    });
    const { stderr } = spawnSync(
      process.execPath,
      ['node_modules/aws-cdk/bin/cdk', 'synth', 'BakeryCommerce-eu', '--quiet', '--app', outdir],
      { encoding: 'utf8' },
    );
    expect(stderr).toContain('Alarms have no receiver.');
    expect(stderr.match(/BakeryCommerce-\w+/g)).toEqual(['BakeryCommerce-eu']);
    for (const region of regions) {
      const template = JSON.parse(readFileSync(join(outdir, `BakeryCommerce-${region}.template.json`), 'utf8')) as {
        readonly Resources: Readonly<
          Record<string, { readonly Type: string; readonly Properties: { readonly Code: { readonly S3Key: string } } }>
        >;
      };
      const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
      const assets = functions.map(({ Properties }) => `asset.${Properties.Code.S3Key.replace('.zip', '')}`);
      expect(new Set(assets).size).toBe(functionNames.length);
      for (const asset of assets) expect(readdirSync(join(outdir, asset))).toContain('index.mjs');
    }
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
});

test('no deployed function can allow loopback receivers or scale time', () => {
  const variables = propertiesOf(synthesize().templates.us, 'AWS::Lambda::Function').flatMap(({ Environment }) =>
    Object.keys((Environment as { Variables: object } | undefined)?.Variables ?? {}),
  );
  expect(variables.filter((name) => /LOOPBACK|SCALE|POLICY/i.test(name))).toEqual([]);
  expect(readFileSync('bin/app.ts', 'utf8')).not.toMatch(/loopback|timeScale|process\.(env|argv)/i);
});
