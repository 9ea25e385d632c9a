import type { Node } from 'constructs';
import { awsRegions, type Region, regions } from '../shared/core/config.ts';
import { assertKnownKeys, ConfigurationError, type ConfigurationName, type Context, readKey } from './configuration.ts';
import { concurrencyOf, leastDeliveries } from './event-sources.ts';

export interface CustomDomain {
  /** The region's host name, for example `us.api.example.com`. */
  readonly hostname: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** Receivers of alarms. Without receivers, alarms only change their state. */
export interface AlarmReceivers {
  readonly email: string | undefined;
  /** ARN of an existing topic. */
  readonly topicArn: string | undefined;
}

/** Settings that may differ between regional stacks. */
export interface RegionSettings {
  readonly region: Region;
  readonly awsRegion: string;
  readonly stackName: string;
  readonly customDomain: CustomDomain | undefined;
  readonly alarmReceivers: AlarmReceivers;
  readonly logRetentionDays: number;
  /** Maximum number of simultaneous invocations of `deliver`. */
  readonly deliverConcurrency: number;
  /** Whether Lambda collects messages for a second before it invokes `deliver`. */
  readonly batchDeliveries: boolean;
  /** Reserved concurrent executions by function name. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** Path of Parameter Store below which accounts' secrets may be. */
  readonly secretsPrefix: string;
  /** Whether the table rejects its deletion. Off for the deployment that creates it. */
  readonly deletionProtection: boolean;
  /** Whether table, stream and quarantined records use a KMS key of this stack. */
  readonly customerManagedKey: boolean;
  /** Vault in another AWS account that gets a copy of the table every day. */
  readonly backupVaultArn: string | undefined;
  /** Whether the API is reachable at its custom domain only. */
  readonly closeDefaultEndpoint: boolean;
  readonly dashboard: boolean;
  /** Whether API Gateway publishes metrics by route. */
  readonly routeMetrics: boolean;
  /**
   * Whether the access log has callers' addresses, for a day. Switch it on only to find the source
   * of a flood.
   */
  readonly logAddresses: boolean;
  /** Whether X-Ray records invocations. */
  readonly tracing: boolean;
  /** Whether an alarm fires if no check from outside passes. */
  readonly outsideChecks: boolean;
  /** Whether the platform gets notices on the AWS account's default event bus. */
  readonly notices: boolean;
  /** Stream of the restored table that is served instead of the stack's own. */
  readonly restoredTableStreamArn: string | undefined;
}

const defaultLogRetentionDays = 30;

const domainOf = (context: Context, region: Region): CustomDomain | undefined => {
  const [domain, zoneId, zoneName] = [
    readKey(context, 'apiDomain', region),
    readKey(context, 'hostedZoneId', region),
    readKey(context, 'hostedZoneName', region),
  ];
  if (!domain) {
    const stray = zoneId ?? zoneName;
    if (stray) throw new ConfigurationError(`Context "${stray.key}" needs "apiDomain" beside it.`);
    return undefined;
  }
  // The id is configured, because looking the zone up would need credentials at synthesis.
  if (!zoneId)
    throw new ConfigurationError(`Context "${domain.key}" needs "hostedZoneId" (and "hostedZoneName" where the zone is a parent).`);
  const hostname = `${region}.${domain.value}`;
  if (zoneName && !hostname.endsWith(`.${zoneName.value}`))
    throw new ConfigurationError(`Context "${zoneName.key}" must be the API domain or a parent of it.`);
  return { hostname, hostedZoneId: zoneId.value, hostedZoneName: zoneName?.value ?? domain.value };
};

/** Returns an ARN that must be in the AWS region of the stack. */
const inRegion = (found: { readonly key: string; readonly value: string } | undefined, what: string, awsRegion: string, region: Region) => {
  if (found && found.value.split(':')[3] !== awsRegion)
    throw new ConfigurationError(`Context "${found.key}" must be the ARN of ${what} in ${awsRegion}, where the stack of ${region} is.`);
  return found?.value;
};

const receiversOf = (context: Context, region: Region, awsRegion: string): AlarmReceivers => {
  const [email, topic] = [readKey(context, 'alarmEmail', region), readKey(context, 'alarmTopicArn', region)];
  // An alarm can only notify a topic in its own AWS region.
  return { email: email?.value, topicArn: inRegion(topic, 'an SNS topic', awsRegion, region) };
};

const closesDefaultEndpoint = (context: Context, region: Region, customDomain: CustomDomain | undefined): boolean => {
  const close = readKey(context, 'closeDefaultEndpoint', region);
  if (close?.value && !customDomain)
    throw new ConfigurationError(`Context "${close.key}" needs "apiDomain": without a domain the API would have no address.`);
  return close?.value ?? false;
};

/**
 * Returns the reserved concurrency by function. If a function may run less often than its queue
 * invokes it, receives fail, and after five failed receives a message becomes a dead letter.
 */
const reservationsOf = (context: Context, region: Region, deliverConcurrency: number): Readonly<Record<string, number>> => {
  const reserved = readKey(context, 'reservedConcurrency', region);
  if (!reserved) return {};
  const { deliver, searchSync } = concurrencyOf(deliverConcurrency);
  for (const [name, least] of Object.entries({ deliver, 'search-sync': searchSync })) {
    const count = reserved.value[name];
    if (count !== undefined && count < least)
      throw new ConfigurationError(
        `Context "${reserved.key}" must reserve at least ${least} for ${name}, because "deliverConcurrency" is ${deliverConcurrency}.`,
      );
  }
  return reserved.value;
};

const settingsOf = (context: Context, region: Region): RegionSettings => {
  const settingOf = <Name extends ConfigurationName>(name: Name) => readKey(context, name, region)?.value;
  const awsRegion = settingOf('awsRegion') ?? awsRegions[region];
  const stackName = `BakeryCommerce-${region}`;
  const customDomain = domainOf(context, region);
  const deliverConcurrency = settingOf('deliverConcurrency') ?? leastDeliveries;
  return {
    region,
    awsRegion,
    stackName,
    alarmReceivers: receiversOf(context, region, awsRegion),
    logRetentionDays: settingOf('logRetentionDays') ?? defaultLogRetentionDays,
    deliverConcurrency,
    batchDeliveries: settingOf('batchDeliveries') ?? false,
    reservedConcurrency: reservationsOf(context, region, deliverConcurrency),
    secretsPrefix: settingOf('secretsPrefix') ?? `/${stackName}`,
    deletionProtection: settingOf('deletionProtection') ?? false,
    customerManagedKey: settingOf('customerManagedKey') ?? false,
    closeDefaultEndpoint: closesDefaultEndpoint(context, region, customDomain),
    dashboard: settingOf('dashboard') ?? false,
    routeMetrics: settingOf('routeMetrics') ?? false,
    logAddresses: settingOf('logAddresses') ?? false,
    tracing: settingOf('tracing') ?? false,
    outsideChecks: settingOf('outsideChecks') ?? false,
    notices: settingOf('notices') ?? false,
    customDomain,
    // The vault must be in the same AWS region, because customers' data stays in their region.
    backupVaultArn: inRegion(readKey(context, 'backupVaultArn', region), 'a backup vault', awsRegion, region),
    restoredTableStreamArn: settingOf('restoredTableStreamArn'),
  };
};

/**
 * Returns the settings of every region from the CDK context. Throws a `ConfigurationError` that
 * names the key.
 */
export const readRegionSettings = (node: Node): readonly RegionSettings[] => {
  const context = node.getAllContext() as Context;
  assertKnownKeys(context);
  return regions.map((region) => settingsOf(context, region));
};

/**
 * Returns a warning that names the regions without a receiver of alarms; undefined if every region
 * has one.
 */
export const alarmWarning = (node: Node): string | undefined => {
  const silent = readRegionSettings(node).filter(
    ({ alarmReceivers: { email, topicArn } }) => email === undefined && topicArn === undefined,
  );
  if (silent.length === 0) return undefined;
  return `Warning: alarms of ${silent.map(({ region }) => region).join(', ')} have no receiver. Set the context key "alarmEmail" or "alarmTopicArn" (docs/configuration.md).`;
};
