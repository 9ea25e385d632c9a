import type { Node } from 'constructs';
import { concurrencyFor, minDeliveries } from '../functions/event-sources.ts';
import { awsRegions, type Region, regions } from '../shared/core/config.ts';
import {
  assertKnownKeys,
  type CdkContext,
  ConfigurationError,
  type ConfigurationName,
  defaultRouteThrottle,
  readKey,
  type StackTarget,
} from './configuration.ts';

export interface CustomDomain {
  /** The host name of a region, for example `us.api.example.com`, or of the docs. */
  readonly hostname: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** Receivers of alarms. Without receivers, alarms only change their state. */
export interface AlarmReceivers {
  readonly email: string | undefined;
  /** ARN of an existing topic. */
  readonly topicArn: string | undefined;
  /** ARN of an existing topic that gets the alarms of urgency Workday in place of `topicArn`. */
  readonly laterTopicArn: string | undefined;
}

/** Settings that may differ between regional stacks. */
export interface RegionSettings {
  readonly region: Region;
  readonly awsRegion: string;
  /** Undefined for production. */
  readonly stage: string | undefined;
  /** AWS account that the stack is for; undefined for that of the credentials. */
  readonly awsAccount: string | undefined;
  readonly stackName: string;
  readonly customDomain: CustomDomain | undefined;
  readonly alarmReceivers: AlarmReceivers;
  /** US dollars a month that the AWS account may spend in the AWS region; undefined for no budget. */
  readonly budget: number | undefined;
  readonly logRetentionDays: number;
  /** Maximum number of simultaneous invocations of `deliver`. */
  readonly deliverConcurrency: number;
  /** Whether Lambda collects messages for a second before it invokes `deliver`. */
  readonly batchDeliveries: boolean;
  /** Reserved concurrent executions by function name. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** Requests per second of each route, above which the gateway returns 429. */
  readonly routeThrottle: number;
  /** Path of Parameter Store below which accounts' secrets may be. */
  readonly secretsPrefix: string;
  /** Whether the table rejects its deletion. Off for the deployment that creates it. */
  readonly deletionProtection: boolean;
  /** Whether table, stream and parked records use a KMS key of this stack. */
  readonly customerManagedKey: boolean;
  /** Vault in another AWS account that gets a copy of the table every day. */
  readonly backupVaultArn: string | undefined;
  /** Whether the API is reachable at its custom domain only. */
  readonly closeDefaultEndpoint: boolean;
  /** Whether CloudFront and WAF are in front of the API. */
  readonly edge: boolean;
  /** Whether a new version of the API gets a tenth of the requests first. */
  readonly gradual: boolean;
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
  /** Address or topic that a rule sends the notices to. */
  readonly noticesTo: string | undefined;
  /** Stream of the restored table that is served instead of the stack's own. */
  readonly restoredTableStreamArn: string | undefined;
}

export const defaultLogRetentionDays = 30;

/** A region of production or of the stage. */
interface RegionalTarget extends StackTarget {
  readonly region: Region;
}

const domainOf = (context: CdkContext, target: StackTarget, label: Region | 'docs'): CustomDomain | undefined => {
  const [domain, zoneId, zoneName] = [
    readKey(context, 'apiDomain', target),
    readKey(context, 'hostedZoneId', target),
    readKey(context, 'hostedZoneName', target),
  ];
  if (!domain) {
    const stray = zoneId ?? zoneName;
    if (stray) throw new ConfigurationError(`Context "${stray.key}" needs "apiDomain" beside it.`);
    return undefined;
  }
  const hostname = `${target.stage ? `${target.stage}.` : ''}${label}.${domain.value}`;
  // The id is configured, because looking the zone up would need credentials at synthesis.
  if (!zoneId)
    throw new ConfigurationError(
      `Context "${domain.key}" needs "hostedZoneId" for ${hostname} (and "hostedZoneName" where the zone is a parent).`,
    );
  // The zone of the host name itself can belong to another AWS account than its parent.
  if (zoneName && !`.${hostname}`.endsWith(`.${zoneName.value}`))
    throw new ConfigurationError(`Context "${zoneName.key}" must be ${hostname}, the API domain or a parent of it.`);
  return { hostname, hostedZoneId: zoneId.value, hostedZoneName: zoneName?.value ?? domain.value };
};

/** Returns the domain of the docs, below the API domain of all regions; undefined if only some have one. */
export const docsDomainOf = (context: CdkContext, stage: string | undefined): CustomDomain | undefined =>
  readKey(context, 'apiDomain', { stage }) && domainOf(context, { stage }, 'docs');

/** Returns an ARN that must be in the AWS region of the stack. */
const inRegion = (found: { readonly key: string; readonly value: string } | undefined, what: string, awsRegion: string, region: Region) => {
  if (found && found.value.split(':')[3] !== awsRegion)
    throw new ConfigurationError(`Context "${found.key}" must be the ARN of ${what} in ${awsRegion}, where the stack of ${region} is.`);
  return found?.value;
};

const receiversOf = (context: CdkContext, target: RegionalTarget, awsRegion: string): AlarmReceivers => {
  const [topic, later] = [readKey(context, 'alarmTopicArn', target), readKey(context, 'alarmTopicArnLater', target)];
  if (later && !topic) throw new ConfigurationError(`Context "${later.key}" needs "alarmTopicArn" beside it.`);
  return {
    email: readKey(context, 'alarmEmail', target)?.value,
    // An alarm can only notify a topic in its own AWS region.
    topicArn: inRegion(topic, 'an SNS topic', awsRegion, target.region),
    laterTopicArn: inRegion(later, 'an SNS topic', awsRegion, target.region),
  };
};

const noticesToOf = (context: CdkContext, target: RegionalTarget, awsRegion: string): string | undefined => {
  const to = readKey(context, 'noticesTo', target);
  if (to && !readKey(context, 'notices', target)?.value) throw new ConfigurationError(`Context "${to.key}" needs "notices" beside it.`);
  return to?.value.startsWith('arn:') ? inRegion(to, 'an SNS topic', awsRegion, target.region) : to?.value;
};

const budgetOf = (context: CdkContext, target: RegionalTarget, { email, topicArn }: AlarmReceivers): number | undefined => {
  const budget = readKey(context, 'budget', target);
  if (budget && email === undefined && topicArn === undefined)
    throw new ConfigurationError(`Context "${budget.key}" needs "alarmEmail" or "alarmTopicArn", which get its messages.`);
  return budget?.value;
};

const closesDefaultEndpoint = (context: CdkContext, target: StackTarget, customDomain: CustomDomain | undefined): boolean => {
  const close = readKey(context, 'closeDefaultEndpoint', target);
  if (close?.value && !customDomain)
    throw new ConfigurationError(`Context "${close.key}" needs "apiDomain": without a domain the API would have no address.`);
  return close?.value ?? false;
};

const hasEdge = (context: CdkContext, target: StackTarget, customDomain: CustomDomain | undefined): boolean => {
  const edge = readKey(context, 'edge', target);
  if (edge?.value && !customDomain) throw new ConfigurationError(`Context "${edge.key}" needs "apiDomain", which leads to the edge.`);
  return edge?.value ?? false;
};

/**
 * A vault for all regions must be in each of them. Customers' data leaves its AWS region only by a
 * key that names the region.
 */
const vaultOf = (context: CdkContext, target: RegionalTarget, awsRegion: string): string | undefined => {
  const vault = readKey(context, 'backupVaultArn', target);
  return vault?.key === 'backupVaultArn' ? inRegion(vault, 'a backup vault', awsRegion, target.region) : vault?.value;
};

/**
 * Returns the reserved concurrency by function. If a function may run less often than its queue
 * invokes it, receives fail, and after twenty failed receives a message becomes a dead letter.
 */
const reservationsOf = (context: CdkContext, target: StackTarget, deliverConcurrency: number): Readonly<Record<string, number>> => {
  const reserved = readKey(context, 'reservedConcurrency', target);
  if (!reserved) return {};
  const { deliver, searchSync } = concurrencyFor(deliverConcurrency);
  for (const [name, minConcurrency] of Object.entries({ deliver, 'search-sync': searchSync })) {
    const count = reserved.value[name];
    if (count !== undefined && count < minConcurrency)
      throw new ConfigurationError(
        `Context "${reserved.key}" must reserve at least ${minConcurrency} for ${name}, because "deliverConcurrency" is ${deliverConcurrency}.`,
      );
  }
  return reserved.value;
};

const settingsOf = (context: CdkContext, target: RegionalTarget): RegionSettings => {
  const settingOf = <Name extends ConfigurationName>(name: Name) => readKey(context, name, target)?.value;
  const { region, stage } = target;
  const awsRegion = settingOf('awsRegion') ?? awsRegions[region];
  const stackName = `BakeryCommerce-${stage ? `${stage}-` : ''}${region}`;
  const customDomain = domainOf(context, target, region);
  const alarmReceivers = receiversOf(context, target, awsRegion);
  const deliverConcurrency = settingOf('deliverConcurrency') ?? minDeliveries;
  return {
    region,
    awsRegion,
    stage,
    awsAccount: settingOf('awsAccount'),
    stackName,
    alarmReceivers,
    budget: budgetOf(context, target, alarmReceivers),
    logRetentionDays: settingOf('logRetentionDays') ?? defaultLogRetentionDays,
    deliverConcurrency,
    batchDeliveries: settingOf('batchDeliveries') ?? false,
    reservedConcurrency: reservationsOf(context, target, deliverConcurrency),
    routeThrottle: settingOf('routeThrottle') ?? defaultRouteThrottle,
    secretsPrefix: settingOf('secretsPrefix') ?? `/${stackName}`,
    deletionProtection: settingOf('deletionProtection') ?? false,
    customerManagedKey: settingOf('customerManagedKey') ?? false,
    closeDefaultEndpoint: closesDefaultEndpoint(context, target, customDomain),
    edge: hasEdge(context, target, customDomain),
    gradual: settingOf('gradual') ?? false,
    dashboard: settingOf('dashboard') ?? false,
    routeMetrics: settingOf('routeMetrics') ?? false,
    logAddresses: settingOf('logAddresses') ?? false,
    tracing: settingOf('tracing') ?? false,
    outsideChecks: settingOf('outsideChecks') ?? false,
    notices: settingOf('notices') ?? false,
    noticesTo: noticesToOf(context, target, awsRegion),
    customDomain,
    backupVaultArn: vaultOf(context, target, awsRegion),
    restoredTableStreamArn: settingOf('restoredTableStreamArn'),
  };
};

/** Throws if only some stacks have an AWS account: the others would be deployed in that of the credentials. */
export const assertAccounts = (all: readonly Pick<RegionSettings, 'awsAccount' | 'stackName'>[]): void => {
  const without = all.find(({ awsAccount }) => awsAccount === undefined);
  if (without && all.some(({ awsAccount }) => awsAccount !== undefined))
    throw new ConfigurationError(`Context "awsAccount" must be set for ${without.stackName} too, because another stack has it.`);
};

/**
 * Returns the settings of each deployed region from the CDK context, and then those of the stage if it has a
 * name. Throws a `ConfigurationError` that names the key.
 */
export const readRegionSettings = (node: Node): readonly RegionSettings[] => {
  const context = node.getAllContext() as CdkContext;
  assertKnownKeys(context);
  const stage = readKey(context, 'stage')?.value;
  const deployed = readKey(context, 'regions')?.value ?? regions;
  const all = [undefined, ...(stage ? [stage] : [])].flatMap((one) =>
    deployed.map((region) => settingsOf(context, { region, stage: one })),
  );
  assertAccounts(all);
  return all;
};
