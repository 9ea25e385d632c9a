import type { Node } from 'constructs';
import { awsRegions, type Region, regions } from '../shared/core/regions.ts';
import type { AwsClient } from './aws-clients.ts';
import { assertKnownKeys, ConfigurationError, type ConfigurationName, type Context, readKey } from './configuration.ts';

export interface CustomDomain {
  /** `us.api.example.com` */
  readonly hostname: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** Who hears of alarms; without either they only change state. */
export interface AlarmReceivers {
  readonly email?: string;
  /** A topic that exists already. */
  readonly topicArn?: string;
}

/** What one regional stack may differ in; everything else is the same in every region. */
export interface RegionSettings {
  readonly region: Region;
  readonly awsRegion: string;
  readonly stackName: string;
  readonly customDomain?: CustomDomain;
  readonly alarmReceivers: AlarmReceivers;
  readonly logRetentionDays: number;
  /** Reserved concurrent executions by function name. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** Who speaks to AWS in its functions. */
  readonly awsClient: AwsClient;
  /** Path of Parameter Store below which accounts' secrets may be. */
  readonly secretsPrefix: string;
  /** The stream of the table that is served instead of the stack's own, after a restore. */
  readonly restoredTableStreamArn?: string;
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
  // Looking the zone up would need credentials at synthesis.
  if (!zoneId)
    throw new ConfigurationError(`Context "${domain.key}" needs "hostedZoneId" (and "hostedZoneName" where the zone is a parent).`);
  const hostname = `${region}.${domain.value}`;
  if (zoneName && !hostname.endsWith(`.${zoneName.value}`))
    throw new ConfigurationError(`Context "${zoneName.key}" must be the API domain or a parent of it.`);
  return { hostname, hostedZoneId: zoneId.value, hostedZoneName: zoneName?.value ?? domain.value };
};

const receiversOf = (context: Context, region: Region, awsRegion: string): AlarmReceivers => {
  const [email, topic] = [readKey(context, 'alarmEmail', region), readKey(context, 'alarmTopicArn', region)];
  // Alarms reach topics of their own AWS region only.
  if (topic && topic.value.split(':')[3] !== awsRegion)
    throw new ConfigurationError(
      `Context "${topic.key}" must be the ARN of an SNS topic in ${awsRegion}, where the stack of ${region} is.`,
    );
  return { ...(email && { email: email.value }), ...(topic && { topicArn: topic.value }) };
};

const settingsOf = (context: Context, region: Region): RegionSettings => {
  const settingOf = <Name extends ConfigurationName>(name: Name) => readKey(context, name, region)?.value;
  const awsRegion = settingOf('awsRegion') ?? awsRegions[region];
  const stackName = `BakeryCommerce-${region}`;
  const customDomain = domainOf(context, region);
  const restoredTableStreamArn = settingOf('restoredTableStreamArn');
  return {
    region,
    awsRegion,
    stackName,
    alarmReceivers: receiversOf(context, region, awsRegion),
    logRetentionDays: settingOf('logRetentionDays') ?? defaultLogRetentionDays,
    reservedConcurrency: settingOf('reservedConcurrency') ?? {},
    awsClient: settingOf('awsClient') ?? 'lean',
    secretsPrefix: settingOf('secretsPrefix') ?? `/${stackName}`,
    ...(customDomain && { customDomain }),
    ...(restoredTableStreamArn && { restoredTableStreamArn }),
  };
};

/** The settings of every region by CDK context; throws a `ConfigurationError` that names the key. */
export const readRegionSettings = (node: Node): readonly RegionSettings[] => {
  const context = node.getAllContext() as Context;
  assertKnownKeys(context);
  return regions.map((region) => settingsOf(context, region));
};
