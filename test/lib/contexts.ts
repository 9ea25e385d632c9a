import { awsRegions, regions } from '../../shared/core/config.ts';

/**
 * A deployment that configures everything (docs/configuration.md): some for every region, some for
 * one.
 */
export const fullContext = {
  'awsRegion.us': 'us-west-2',
  apiDomain: 'api.example.com',
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'example.com',
  'apiDomain.eu': 'bakery.example.eu',
  'hostedZoneId.eu': 'Z0EUROPE',
  'hostedZoneName.eu': 'example.eu',
  alarmEmail: 'on-call@example.com',
  'alarmTopicArn.us': 'arn:aws:sns:us-west-2:123456789012:on-call',
  'alarmTopicArn.au': 'arn:aws:sns:ap-southeast-2:123456789012:on-call',
  'alarmTopicArn.eu': 'arn:aws:sns:eu-west-1:123456789012:on-call',
  'alarmTopicArnLater.us': 'arn:aws:sns:us-west-2:123456789012:later',
  budget: '200',
  'backupVaultArn.us': 'arn:aws:backup:us-west-2:210987654321:backup-vault:bakery',
  'backupVaultArn.au': 'arn:aws:backup:ap-southeast-2:210987654321:backup-vault:bakery',
  'backupVaultArn.eu': 'arn:aws:backup:eu-west-1:210987654321:backup-vault:bakery',
  closeDefaultEndpoint: 'true',
  logRetentionDays: '90',
  deliverConcurrency: '100',
  routeThrottle: '2500',
  reservedConcurrency: '{"deliver":100,"orders":50}',
  batchDeliveries: 'true',
  secretsPrefix: '/bakery/secrets',
  deletionProtection: 'true',
  customerManagedKey: 'true',
  edge: 'true',
  docs: 'true',
  gradual: 'true',
  dashboard: 'true',
  routeMetrics: 'true',
  logAddresses: 'true',
  tracing: 'true',
  outsideChecks: 'true',
  notices: 'true',
  noticesTo: 'platform@example.com',
  repository: 'acme/bakery',
  repositoryIds: '1/2',
} as const;

/** The same for every region, so that the stacks differ only in what the region itself binds. */
export const sharedContext = {
  apiDomain: 'api.example.com',
  hostedZoneId: 'Z123',
  hostedZoneName: 'example.com',
  alarmEmail: 'on-call@example.com',
  ...Object.fromEntries(regions.map((region) => [`alarmTopicArn.${region}`, `arn:aws:sns:${awsRegions[region]}:123456789012:on-call`])),
  ...Object.fromEntries(
    regions.map((region) => [`backupVaultArn.${region}`, `arn:aws:backup:${awsRegions[region]}:210987654321:backup-vault:bakery`]),
  ),
  closeDefaultEndpoint: true,
  logRetentionDays: 90,
  reservedConcurrency: { deliver: 100 },
  batchDeliveries: true,
  deletionProtection: true,
  customerManagedKey: true,
  gradual: true,
  dashboard: true,
  routeMetrics: true,
  logAddresses: true,
  tracing: true,
  outsideChecks: true,
  notices: true,
  noticesTo: 'platform@example.com',
};

/** A region with an edge. */
export const edgeContext = { 'apiDomain.eu': 'api.example.com', 'hostedZoneId.eu': 'Z123', 'edge.eu': true };

/** A region that gets new versions of its API gradually. */
export const gradualContext = { 'gradual.us': true };

/** All settings that grant functions additional rights, except notices. */
export const rightsContext = { customerManagedKey: true, tracing: true };

/** The same with notices, which also grant rights. */
export const allRightsContext = { ...rightsContext, notices: true };

const restoredStream = 'arn:aws:dynamodb:us-east-1:123456789012:table/bakery-restored/stream/2026-03-10T09:00:00.000';

/**
 * Some settings in each region: one synthesis for many tests, which compare a region with itself
 * without configuration.
 */
export const someContext = {
  'dashboard.us': true,
  'logRetentionDays.us': 90,
  'alarmEmail.us': 'ops@example.com',
  'customerManagedKey.au': true,
  'alarmTopicArn.au': 'arn:aws:sns:ap-southeast-2:123456789012:on-call',
  ...{ 'deletionProtection.eu': true, 'routeMetrics.eu': true, 'logAddresses.eu': true, 'tracing.eu': true },
  ...{ 'apiDomain.eu': 'api.example.com', 'hostedZoneId.eu': 'Z123' },
};

/**
 * A second copy in two regions, one of which serves a restored table; the third protects its table
 * and has no more than that.
 */
export const copiesContext = {
  'restoredTableStreamArn.us': restoredStream,
  'backupVaultArn.us': 'arn:aws:backup:us-east-1:210987654321:backup-vault:bakery',
  'backupVaultArn.au': 'arn:aws:backup:ap-southeast-2:210987654321:backup-vault:bakery',
  'alarmEmail.au': 'on-call@example.com',
  'deletionProtection.eu': true,
};

/** Docs of production and of a stage, below a domain. */
export const docsContext = {
  docs: true,
  stage: 'staging',
  apiDomain: 'api.example.com',
  hostedZoneId: 'Z123',
  repository: 'acme/bakery',
  repositoryIds: '1/2',
};
