import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import type { Node } from 'constructs';
import { type ConfigurationKey, configurationKeys } from '../../lib/configuration.ts';
import { type RegionSettings, readRegionSettings } from '../../lib/regions.ts';
import { regions } from '../../shared/core/config.ts';
import { fullContext, sharedContext } from './contexts.ts';
import { synthesize, templateOf } from './synthesize.ts';

const settingsWith = (context: Readonly<Record<string, unknown>>): Readonly<Record<string, RegionSettings>> =>
  Object.fromEntries(readRegionSettings(new App({ context: { ...context } }).node as Node).map((one) => [one.stackName, one]));

test('a stage adds a second set of stacks to the assembly, and leaves those of production as they are', () => {
  const { stacks } = synthesize({ stage: 'staging' });
  const names = regions.map((region) => `BakeryCommerce-${region}`);
  expect(Object.keys(stacks)).toEqual([...names, ...regions.map((region) => `BakeryCommerce-staging-${region}`)]);
  const alone = synthesize().stacks;
  for (const name of names) expect(templateOf(stacks, name).toJSON()).toEqual(templateOf(alone, name).toJSON());
});

test.each([
  ['nothing', {}],
  // Options of production alone are left out.
  [
    'a domain and options',
    Object.fromEntries(Object.entries(sharedContext).filter(([key]) => /^(api|hosted|alarm|dash|route|log|trac|customer)/.test(key))),
  ],
])("a stage's stack with %s configured equals production except for names", (_name, context) => {
  const { stacks } = synthesize({ ...context, stage: 'staging' });
  /** The template with neutral names. Some logical ids hold the stack's name and a digest of it. */
  const neutral = (stackName: string, host: string) =>
    JSON.stringify(templateOf(stacks, stackName).toJSON())
      .replaceAll(host, '<host>')
      .replaceAll(stackName, '<stack>')
      .replaceAll(/ApiPermissionApiScoped\w+/g, 'ApiPermission')
      // A version's id ends with a digest of the function.
      .replaceAll(/(CurrentVersion[0-9A-F]{8})\w{32}/g, '$1');
  const staging = neutral('BakeryCommerce-staging-us', 'staging.us.api.example.com');
  expect(JSON.parse(staging)).toEqual(JSON.parse(neutral('BakeryCommerce-us', 'us.api.example.com')));
  expect(staging).not.toContain('BakeryCommerce-us');
});

test('the page lists the keys that a stage does not take over', () => {
  const names = Object.entries<ConfigurationKey>(configurationKeys).flatMap(([name, { productionOnly }]) => (productionOnly ? [name] : []));
  const [, listed = ''] = /a stage: (`backupVaultArn`[\s\S]*?)\. Notices/.exec(readFileSync('docs/configuration.md', 'utf8')) ?? [];
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(names.sort());
});

describe('a stage', () => {
  test('a stage has the settings of production and its own host name in the same zone', () => {
    const { 'BakeryCommerce-us': us, 'BakeryCommerce-staging-us': staging } = settingsWith({ ...fullContext, stage: 'staging' });
    expect(staging?.customDomain).toEqual({ ...us?.customDomain, hostname: 'staging.us.api.example.com' });
    expect(staging?.awsRegion).toBe('us-west-2');
    expect(staging?.alarmReceivers).toEqual(us?.alarmReceivers);
    expect(staging?.logRetentionDays).toBe(90);
  });

  test('a stage in another AWS account has a zone of its own there', () => {
    const own = { 'apiDomain.staging': 'test.example.com', 'hostedZoneId.staging': 'ZSTAGE', 'hostedZoneName.staging': 'test.example.com' };
    const { 'BakeryCommerce-staging-eu': staging } = settingsWith({ ...fullContext, ...own, stage: 'staging' });
    expect(staging?.customDomain).toEqual({
      hostname: 'staging.eu.test.example.com',
      hostedZoneId: 'ZSTAGE',
      hostedZoneName: 'test.example.com',
    });
  });

  test("a stage takes over nothing that belongs to production's data, secrets or quota", () => {
    const restoredTableStreamArn = 'arn:aws:dynamodb:us-west-2:123456789012:table/restored/stream/2026-03-10T09:00:00.000';
    const { 'BakeryCommerce-staging-us': staging } = settingsWith({
      ...fullContext,
      'restoredTableStreamArn.us': restoredTableStreamArn,
      stage: 'staging',
    });
    expect(staging).toMatchObject({
      backupVaultArn: undefined,
      deletionProtection: false,
      notices: false,
      reservedConcurrency: {},
      restoredTableStreamArn: undefined,
      secretsPrefix: '/BakeryCommerce-staging-us',
    });
  });

  test('a stage reads a key with its name first, which production does not read', () => {
    const context = { stage: 'staging', alarmEmail: 'ops@example.com', 'alarmEmail.staging': 'dev@example.com', 'notices.staging': true };
    const { 'BakeryCommerce-eu': eu, 'BakeryCommerce-staging-eu': staging } = settingsWith(context);
    expect([eu?.alarmReceivers.email, staging?.alarmReceivers.email]).toEqual(['ops@example.com', 'dev@example.com']);
    expect([eu?.notices, staging?.notices]).toEqual([false, true]);
  });

  test.each(['us', 'github', 'Staging', 'a', 'elevenchars', 'pre-prod', ''])('a stage cannot be named %j', (stage) => {
    expect(() => settingsWith({ stage })).toThrow('Context "stage" must be two to ten lower-case letters');
  });

  test('a stage has one name: another name behind a key is unknown', () => {
    expect(() => settingsWith({ stage: 'staging', 'alarmEmail.stage': 'dev@example.com' })).toThrow(
      /"alarmEmail\.stage".*"\.staging" for the stage/,
    );
    expect(() => settingsWith({ 'alarmEmail.staging': 'dev@example.com' })).toThrow('"alarmEmail.staging"');
  });
});
