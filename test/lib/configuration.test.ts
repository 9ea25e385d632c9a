import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import type { Node } from 'constructs';
import { readRegionSettings } from '../../lib/regions.ts';
import { regions } from '../../shared/core/config.ts';
import { fullContext } from './contexts.ts';

const settingsWith = (context: Readonly<Record<string, unknown>>) => {
  const [us, au, eu] = readRegionSettings(new App({ context: { ...context } }).node as Node);
  if (!us || !au || !eu) throw new Error('A region is missing.');
  return { us, au, eu };
};

test("each region has by default its AWS region, API Gateway's URL, 30 days of logs and no optional cost", () => {
  const { us, au, eu } = settingsWith({});
  const off = {
    batchDeliveries: false,
    deletionProtection: false,
    customerManagedKey: false,
    closeDefaultEndpoint: false,
    edge: false,
    gradual: false,
    dashboard: false,
    routeMetrics: false,
    logAddresses: false,
    tracing: false,
    notices: false,
    outsideChecks: false,
  };
  const common = { alarmReceivers: {}, logRetentionDays: 30, deliverConcurrency: 2, routeThrottle: 1_000, reservedConcurrency: {}, ...off };
  expect([us, au, eu]).toEqual([
    { ...common, region: 'us', awsRegion: 'us-east-1', stackName: 'BakeryCommerce-us', secretsPrefix: '/BakeryCommerce-us' },
    { ...common, region: 'au', awsRegion: 'ap-southeast-2', stackName: 'BakeryCommerce-au', secretsPrefix: '/BakeryCommerce-au' },
    { ...common, region: 'eu', awsRegion: 'eu-west-1', stackName: 'BakeryCommerce-eu', secretsPrefix: '/BakeryCommerce-eu' },
  ]);
});

test("a key with a region's name applies there, and the plain key in all other regions", () => {
  const { us, au, eu } = settingsWith(fullContext);
  expect([us.awsRegion, au.awsRegion, eu.awsRegion]).toEqual(['us-west-2', 'ap-southeast-2', 'eu-west-1']);
  const world = { hostedZoneId: 'Z0123456789ABC', hostedZoneName: 'example.com' };
  expect([us.customDomain, au.customDomain, eu.customDomain]).toEqual([
    { ...world, hostname: 'us.api.example.com' },
    { ...world, hostname: 'au.api.example.com' },
    { hostname: 'eu.bakery.example.eu', hostedZoneId: 'Z0EUROPE', hostedZoneName: 'example.eu' },
  ]);
  expect(eu).toMatchObject({
    alarmReceivers: { email: 'on-call@example.com', topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' },
    budget: 200,
    logRetentionDays: 90,
    deliverConcurrency: 100,
    reservedConcurrency: { deliver: 100, orders: 50 },
    routeThrottle: 2_500,
    secretsPrefix: '/bakery/secrets',
    batchDeliveries: true,
    backupVaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:bakery',
    closeDefaultEndpoint: true,
    edge: true,
    deletionProtection: true,
    customerManagedKey: true,
    dashboard: true,
    routeMetrics: true,
    logAddresses: true,
    tracing: true,
  });
});

test('a setting for all regions can be switched off in one', () => {
  const { us, eu } = settingsWith({ dashboard: true, 'dashboard.eu': false });
  expect([us.dashboard, eu.dashboard]).toEqual([true, false]);
});

test('values in cdk.json may be numbers and booleans', () => {
  const { us } = settingsWith({ logRetentionDays: 7, deliverConcurrency: 20, reservedConcurrency: { deliver: 100 } });
  expect(us).toMatchObject({ logRetentionDays: 7, deliverConcurrency: 20, reservedConcurrency: { deliver: 100 } });
});

test('one region can have a domain without the others', () => {
  const { us, au, eu } = settingsWith({ 'apiDomain.au': 'api.example.com.au', 'hostedZoneId.au': 'Z1' });
  expect([us.customDomain, au.customDomain?.hostname, eu.customDomain]).toEqual([undefined, 'au.api.example.com.au', undefined]);
});

test("a hosted zone may be the region's own host name, which another AWS account can own", () => {
  const { us } = settingsWith({ 'apiDomain.us': 'api.example.com', 'hostedZoneId.us': 'Z1', 'hostedZoneName.us': 'us.api.example.com' });
  expect(us.customDomain).toEqual({ hostname: 'us.api.example.com', hostedZoneId: 'Z1', hostedZoneName: 'us.api.example.com' });
});

describe('invalid values', () => {
  const domain = { apiDomain: 'api.example.com', hostedZoneId: 'Z1' };
  test.each<[string, Record<string, unknown>]>([
    ['awsRegion.us', { 'awsRegion.us': 'Virginia' }],
    ['apiDomain', { ...domain, apiDomain: 'https://api.example.com' }],
    ['apiDomain', { ...domain, apiDomain: 'API.example.com' }],
    ['apiDomain.eu', { 'apiDomain.eu': 'localhost', 'hostedZoneId.eu': 'Z1' }],
    ['apiDomain', { apiDomain: 'api.example.com' }],
    ['hostedZoneId', { ...domain, hostedZoneId: '/hostedzone/Z1' }],
    ['hostedZoneId.au', { 'hostedZoneId.au': 'Z1' }],
    ['hostedZoneName', { hostedZoneName: 'example.com' }],
    ['hostedZoneName', { ...domain, hostedZoneName: 'example.org' }],
    ['hostedZoneName', { ...domain, hostedZoneName: 'ample.com' }],
    ['hostedZoneName', { ...domain, hostedZoneName: 'us.api.example.com' }],
    ['alarmEmail', { alarmEmail: 'on-call' }],
    ['alarmEmail', { alarmEmail: '' }],
    ['alarmEmail', { alarmEmail: ['a@example.com'] }],
    ['alarmTopicArn', { alarmTopicArn: 'on-call' }],
    ['alarmTopicArn', { alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:on-call' }],
    ['alarmTopicArn.eu', { 'alarmTopicArn.eu': 'arn:aws:sns:us-east-1:123456789012:on-call' }],
    ['alarmTopicArnLater.us', { 'alarmTopicArnLater.us': 'arn:aws:sns:us-east-1:123456789012:later' }],
    ['alarmTopicArnLater.us', { 'alarmTopicArn.us': 'arn:aws:sns:us-east-1:123456789012:on-call', 'alarmTopicArnLater.us': 'later' }],
    [
      'alarmTopicArnLater.us',
      {
        'alarmTopicArn.us': 'arn:aws:sns:us-east-1:123456789012:on-call',
        'alarmTopicArnLater.us': 'arn:aws:sns:eu-west-1:123456789012:later',
      },
    ],
    ...[0, 0.5, -5, '0', '12.345', '1e3', ' 20', '', 'much', true, [200]].map((budget) => {
      return ['budget', { alarmEmail: 'on-call@example.com', budget }] as [string, Record<string, unknown>];
    }),
    ['budget', { budget: 200 }],
    ['budget.eu', { 'alarmEmail.us': 'on-call@example.com', 'budget.eu': 200 }],
    ['backupVaultArn', { backupVaultArn: 'bakery' }],
    ['backupVaultArn', { backupVaultArn: 'arn:aws:backup:us-east-1:210987654321:backup-plan:bakery' }],
    ['backupVaultArn', { backupVaultArn: 'arn:aws:backup:us-east-1:210987654321:backup-vault:Default' }],
    ['backupVaultArn', { backupVaultArn: 'arn:aws:backup:us-east-1:210987654321:backup-vault:bakery' }],
    ['closeDefaultEndpoint', { closeDefaultEndpoint: true }],
    ['closeDefaultEndpoint', { ...domain, closeDefaultEndpoint: 'yes' }],
    ['edge', { edge: true }],
    ['edge.eu', { ...domain, 'edge.eu': 'yes' }],
    ['logRetentionDays', { logRetentionDays: 31 }],
    ['logRetentionDays', { logRetentionDays: 'forever' }],
    ...[1, 1001, 0, -2, 2.5, '1', '1001', '2.5', '1e2', '0x10', ' 10', '', 'many', true, [10], {}].map((deliverConcurrency) => {
      return ['deliverConcurrency', { deliverConcurrency }] as [string, Record<string, unknown>];
    }),
    ...[99, 100_001, 1000.5, '2e3', '', 'none'].map((routeThrottle) => {
      return ['routeThrottle', { routeThrottle }] as [string, Record<string, unknown>];
    }),
    ['deliverConcurrency.eu', { deliverConcurrency: 10, 'deliverConcurrency.eu': 1 }],
    ['reservedConcurrency', { deliverConcurrency: 50, reservedConcurrency: { deliver: 49 } }],
    ['reservedConcurrency', { reservedConcurrency: { deliver: 1 } }],
    ['reservedConcurrency', { reservedConcurrency: { 'search-sync': 1 } }],
    ['reservedConcurrency.au', { deliverConcurrency: 100, 'reservedConcurrency.au': { 'search-sync': 9 } }],
    ['reservedConcurrency', { reservedConcurrency: '{deliver:50}' }],
    ['reservedConcurrency', { reservedConcurrency: { delivery: 50 } }],
    ['reservedConcurrency', { reservedConcurrency: { deliver: 0 } }],
    ['reservedConcurrency', { reservedConcurrency: '[50]' }],
    ['dashboard', { dashboard: 'yes' }],
    ['tracing', { tracing: 1 }],
    ['routeMetrics.eu', { 'routeMetrics.eu': 'constructor' }],
    ['deletionProtection', { deletionProtection: ['true'] }],
    ['noticesTo', { noticesTo: 'platform@example.com' }],
    ['noticesTo', { notices: true, noticesTo: 'pager' }],
    ['noticesTo.eu', { notices: true, 'noticesTo.eu': 'arn:aws:sns:us-east-1:123456789012:pager' }],
    ['secretsPrefix', { secretsPrefix: 'bakery' }],
    ['secretsPrefix', { secretsPrefix: '/bakery/' }],
    ['secretsPrefix', { secretsPrefix: '/aws/bakery' }],
  ])('the value %s of %j is rejected with the name of its key', (key, context) => {
    expect(() => settingsWith(context)).toThrow(`Context "${key}"`);
  });
});

describe('an unknown key', () => {
  test.each(['alarmMail', 'alarmEmail.uk', 'apidomain', 'awsRegion', 'alarmEmail.'])(
    'an unknown key is rejected with a list of the known keys: %s',
    (key) => {
      expect(() => settingsWith({ [key]: 'x' })).toThrow(new RegExp(`Unknown context key "${key}".*alarmEmail`));
    },
  );

  test('an unknown key is reported as written, with its region', () => {
    expect(() => settingsWith({ awsRegion: 'us-west-2' })).toThrow(/Use one of awsRegion\.us, /);
  });

  test('an unknown key is ignored if its format belongs to another tool', () => {
    const context = {
      '@aws-cdk/core:newStyle': true,
      'aws:cdk:enable-path-metadata': true,
      'cli-telemetry': false,
      'acknowledged-issue-numbers': [1],
    };
    expect(Object.keys(settingsWith(context))).toEqual([...regions]);
  });
});
