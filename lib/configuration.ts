import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Region, regions } from '../shared/core/config.ts';
import { leastDeliveries, mostDeliveries } from './event-sources.ts';
import { functionNames } from './functions.ts';

/** A key of the configuration, which is a row of docs/configuration.md. */
export interface ConfigurationKey<Value = unknown> {
  /** Form of a value, as the end of the sentence `must be …`. */
  readonly form: string;
  /** Default value. */
  readonly default: string;
  /** Price if it is on, at the list prices of us-east-1. */
  readonly price?: string;
  /**
   * Set if the key is read as `<key>.<region>` only. Other keys are read as `<key>.<region>` first,
   * then as `<key>` for every region.
   */
  readonly regionalOnly?: true;
  /** Returns the value, or undefined if its form is wrong. Values of the command line are text. */
  readonly read: (value: unknown) => Value | undefined;
}

const matching =
  (pattern: RegExp) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

const domainName = matching(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/);

const days = Object.values(RetentionDays).filter((value): value is RetentionDays => typeof value === 'number' && value < 9_999);

const parsedJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

const deliveries = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= leastDeliveries && count <= mostDeliveries ? count : undefined;
};

const reservations = (value: unknown): Readonly<Record<string, number>> | undefined => {
  const parsed = parsedJson(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const names: readonly string[] = functionNames;
  const isOne = ([name, count]: [string, unknown]) => names.includes(name) && Number.isInteger(count) && Number(count) > 0;
  return Object.entries(parsed).every(isOne) ? (parsed as Record<string, number>) : undefined;
};

const trueOrFalse = (value: unknown): boolean | undefined =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;

/** A key that is off by default. */
const flag = { form: 'true or false', default: 'false', read: trueOrFalse };

/** All keys that a deployment may set by CDK context, in cdk.json or with `-c`. */
export const configurationKeys = {
  awsRegion: {
    form: 'an AWS region, for example us-west-2',
    default: 'us-east-1 (us), ap-southeast-2 (au), eu-west-1 (eu)',
    regionalOnly: true,
    read: matching(/^[a-z]{2}(-[a-z]+)+-\d$/),
  },
  apiDomain: { form: 'a domain name in lower case', default: 'none: the address that API Gateway gives', read: domainName },
  hostedZoneId: { form: 'the id of a Route 53 hosted zone', default: 'none', read: matching(/^Z[A-Z0-9]{1,31}$/) },
  hostedZoneName: { form: 'the API domain or a parent of it', default: 'the API domain', read: domainName },
  alarmEmail: { form: 'an e-mail address', default: 'none', read: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/) },
  alarmTopicArn: {
    form: 'the ARN of an SNS topic in the AWS region of the stack',
    default: 'none',
    read: matching(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/),
  },
  logRetentionDays: {
    form: `a number of days that CloudWatch Logs offers (${days.join(', ')})`,
    default: '30',
    read: (value: unknown) => days.find((one) => String(one) === String(value)),
  },
  deliverConcurrency: {
    form: `a whole number from ${leastDeliveries} to ${mostDeliveries}`,
    default: String(leastDeliveries),
    read: deliveries,
  },
  batchDeliveries: { ...flag, price: 'nothing; attempts begin up to a second later, and up to $2.35 less per million' },
  reservedConcurrency: {
    form: 'an object of positive whole numbers by function name',
    default: 'none is reserved',
    read: reservations,
  },
  secretsPrefix: {
    form: 'a path of Parameter Store without a slash at its end, not below /aws or /ssm',
    default: '/BakeryCommerce-<region>',
    read: matching(/^(?!\/(aws|ssm)(\/|$))(\/[\w.-]{1,100}){1,8}$/i),
  },
  deletionProtection: flag,
  customerManagedKey: { ...flag, price: '$1 a month, up to $3 as it rotates; $0.03 per 10,000 calls of KMS' },
  backupVaultArn: {
    form: 'the ARN of a backup vault, other than Default, in the AWS region of the stack',
    default: 'no second copy',
    price: '$1 a month, and $0.90 a month for each GB of the table without its indexes',
    read: matching(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:(?!Default$)[\w-]{2,50}$/),
  },
  closeDefaultEndpoint: flag,
  dashboard: { ...flag, price: '$3 a month' },
  routeMetrics: { ...flag, price: '$1.80 a month for each route that has requests' },
  logAddresses: flag,
  tracing: { ...flag, price: '$0.25 (busy) to $5 (quiet) per million requests' },
  outsideChecks: { ...flag, price: '$0.40 a month' },
  notices: { ...flag, price: '$0.15 a month, because the sweep runs every minute; $1 per million notices' },
  restoredTableStreamArn: {
    form: 'the ARN of the stream of a restored table',
    default: "the stack's own table",
    regionalOnly: true,
    read: matching(/^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/),
  },
} as const satisfies Record<string, ConfigurationKey>;

export type ConfigurationName = keyof typeof configurationKeys;
type ValueOf<Name extends ConfigurationName> = NonNullable<ReturnType<(typeof configurationKeys)[Name]['read']>>;

export type Context = Readonly<Record<string, unknown>>;

/** An error in the configuration. It names the key as it was written. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const rows: Readonly<Record<ConfigurationName, ConfigurationKey>> = configurationKeys;

/**
 * Whether a key is this project's: one word, with or without a region. Keys of the CDK and its
 * plugins have other characters.
 */
const isOurs = (key: string): boolean => /^[a-z][A-Za-z]*(\.\w*)?$/.test(key);

const spellings = (name: ConfigurationName): string[] => [
  ...(rows[name].regionalOnly ? [] : [name]),
  ...regions.map((region) => `${name}.${region}`),
];

/**
 * Rejects unknown keys that look like this project's. Otherwise a misspelled key for the alarms'
 * address would go unnoticed until an alarm fires.
 */
export const assertKnownKeys = (context: Context): void => {
  const names = Object.keys(rows) as ConfigurationName[];
  const known = new Set(names.flatMap(spellings));
  const unknown = Object.keys(context).filter((key) => isOurs(key) && !known.has(key));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `Unknown context key ${unknown.map((key) => `"${key}"`).join(', ')}. Use one of ${names.map((name) => spellings(name)[0]).join(', ')}, with ".us", ".au" or ".eu" for one region. docs/configuration.md explains them.`,
    );
};

/** Returns the value for a region and the key it was read from; undefined without a value. */
export const readKey = <Name extends ConfigurationName>(
  context: Context,
  name: Name,
  region: Region,
): { readonly key: string; readonly value: ValueOf<Name> } | undefined => {
  const key = [`${name}.${region}`, name].find((one) => context[one] !== undefined && context[one] !== null);
  if (key === undefined) return undefined;
  const value = rows[name].read(context[key]);
  if (value === undefined) throw new ConfigurationError(`Context "${key}" must be ${rows[name].form}.`);
  return { key, value: value as ValueOf<Name> };
};
