import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { maxDeliveries, minDeliveries } from '../functions/event-sources.ts';
import { type Region, regions } from '../shared/core/config.ts';
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
   * How the key is spelled: `<key>.<region>` only, or `<key>` only. Other keys are read as
   * `<key>.<region>` first, then as `<key>` for every region.
   */
  readonly spelled?: 'only with a region' | 'never with a region';
  /** Set if a stage reads `<key>.<stage>` only, and no value of production. */
  readonly productionOnly?: true;
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

const wholeNumber = (min: number, max: number) => ({
  form: `a whole number from ${min} to ${max}`,
  read(value: unknown): number | undefined {
    const count = typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : value;
    return typeof count === 'number' && Number.isInteger(count) && count >= min && count <= max ? count : undefined;
  },
});

/** Requests per second of a route. Far above one key's 300 reads a minute, and low enough to leave concurrency to other functions. */
export const defaultRouteThrottle = 1_000;

const reservations = (value: unknown): Readonly<Record<string, number>> | undefined => {
  const parsed = parsedJson(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const names: readonly string[] = functionNames;
  const isOne = ([name, count]: [string, unknown]) => names.includes(name) && Number.isInteger(count) && Number(count) > 0;
  return Object.entries(parsed).every(isOne) ? (parsed as Record<string, number>) : undefined;
};

const listedRegions = (value: unknown): readonly Region[] | undefined => {
  const listed = typeof value === 'string' ? value.split(',') : [];
  const found = regions.filter((region) => listed.includes(region));
  return found.length > 0 && found.length === listed.length ? found : undefined;
};

const trueOrFalse = (value: unknown): boolean | undefined =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;

const dollars = (value: unknown): number | undefined => {
  const amount = typeof value === 'string' && /^[1-9]\d*(\.\d{1,2})?$/.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 1 ? amount : undefined;
};

const email = /[^\s@]+@[^\s@]+\.[^\s@]+/;
const topicArn = /arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}/;
const whole = (...patterns: readonly RegExp[]) => matching(new RegExp(`^(${patterns.map(({ source }) => source).join('|')})$`));

const topic = {
  form: 'the ARN of an SNS topic in the AWS region of the stack',
  read: whole(topicArn),
};

/** A key that is off by default. */
const flag = { form: 'true or false', default: 'false', read: trueOrFalse };

/** All keys that a deployment may set by CDK context, in cdk.json or with `-c`. */
export const configurationKeys = {
  awsRegion: {
    form: 'an AWS region, for example us-west-2',
    default: 'us-east-1 (us), ap-southeast-2 (au), eu-west-1 (eu)',
    spelled: 'only with a region',
    read: matching(/^[a-z]{2}(-[a-z]+)+-\d$/),
  },
  awsAccount: {
    form: 'the id of an AWS account, which is a text of 12 digits',
    default: 'the AWS account of the credentials',
    read: matching(/^\d{12}$/),
  },
  apiDomain: { form: 'a domain name in lower case', default: 'none: the address that API Gateway gives', read: domainName },
  hostedZoneId: { form: 'the id of a Route 53 hosted zone', default: 'none', read: matching(/^Z[A-Z0-9]{1,31}$/) },
  hostedZoneName: { form: 'the API domain, a parent of it, or the host name of the region', default: 'the API domain', read: domainName },
  alarmEmail: { form: 'an e-mail address', default: 'none', read: whole(email) },
  alarmTopicArn: { ...topic, default: 'none' },
  alarmTopicArnLater: { ...topic, default: '`alarmTopicArn` gets every alarm' },
  budget: {
    form: 'a number of US dollars a month, at least 1',
    default: 'no budget',
    productionOnly: true,
    read: dollars,
  },
  logRetentionDays: {
    form: `a number of days that CloudWatch Logs offers (${days.join(', ')})`,
    default: '30',
    read: (value: unknown) => days.find((one) => String(one) === String(value)),
  },
  deliverConcurrency: { ...wholeNumber(minDeliveries, maxDeliveries), default: String(minDeliveries) },
  batchDeliveries: { ...flag, price: 'nothing; attempts begin up to a second later, and up to $2.35 less per million' },
  reservedConcurrency: {
    form: 'an object of positive whole numbers by function name',
    default: 'none is reserved',
    productionOnly: true,
    read: reservations,
  },
  routeThrottle: { ...wholeNumber(100, 100_000), default: String(defaultRouteThrottle) },
  secretsPrefix: {
    form: 'a path of Parameter Store without a slash at its end, not below /aws or /ssm',
    default: '/BakeryCommerce-<region>',
    productionOnly: true,
    read: matching(/^(?!\/(aws|ssm)(\/|$))(\/[\w.-]{1,100}){1,8}$/i),
  },
  deletionProtection: { ...flag, productionOnly: true },
  customerManagedKey: { ...flag, price: '$1 a month, up to $3 as it rotates; $0.03 per 10,000 calls of KMS' },
  backupVaultArn: {
    form: 'the ARN of a backup vault, other than Default; with a region, also in another AWS region',
    default: 'no second copy',
    price:
      '$1 a month, and $0.90 a month for each GB of the table without its indexes; $0.60 more for each GB if the vault is in another AWS region',
    productionOnly: true,
    read: matching(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:(?!Default$)[\w-]{2,50}$/),
  },
  closeDefaultEndpoint: flag,
  edge: { ...flag, price: '$9.80 a month, or $9.40 in us-east-1; $1.60 per million requests' },
  gradual: { ...flag, price: '$1.20 a month' },
  dashboard: { ...flag, price: '$3 a month' },
  routeMetrics: { ...flag, price: '$1.80 a month for each route that has requests' },
  logAddresses: flag,
  tracing: { ...flag, price: '$0.25 (busy) to $5 (quiet) per million requests' },
  outsideChecks: { ...flag, price: '$0.40 a month', productionOnly: true },
  notices: {
    ...flag,
    price: '$0.15 a month, because the sweep runs every minute; $1 per million notices',
    productionOnly: true,
  },
  noticesTo: {
    form: 'an e-mail address, or the ARN of an SNS topic in the AWS region of the stack',
    default: 'notices only reach the bus',
    productionOnly: true,
    read: whole(email, topicArn),
  },
  restoredTableStreamArn: {
    form: 'the ARN of the stream of a restored table',
    default: "the stack's own table",
    spelled: 'only with a region',
    productionOnly: true,
    read: matching(/^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/),
  },
  regions: {
    form: `regions with a comma between them, for example ${regions.slice(1)}`,
    default: 'all three',
    spelled: 'never with a region',
    read: listedRegions,
  },
  stage: {
    form: 'two to ten lower-case letters, and neither a region, docs nor github',
    default: 'production alone',
    price: 'what each of its stacks costs',
    spelled: 'never with a region',
    read: matching(/^(?!(us|au|eu|docs|github)$)[a-z]{2,10}$/),
  },
  docs: { ...flag, price: 'at most $1.50 per million requests', spelled: 'never with a region' },
  repository: {
    form: 'the repository on GitHub that deploys, as owner/name',
    default: 'none: no stack for GitHub',
    spelled: 'never with a region',
    read: matching(/^[\w-]{1,39}\/[\w.-]{1,100}$/),
  },
  repositoryIds: {
    form: 'the ids of its owner and of the repository, as 1/2',
    default: 'none',
    spelled: 'never with a region',
    read: matching(/^[1-9]\d*\/[1-9]\d*$/),
  },
  githubProviderArn: {
    form: "the ARN of the AWS account's OIDC provider for GitHub",
    default: 'the stack for GitHub creates it',
    spelled: 'never with a region',
    read: matching(/^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/),
  },
} as const satisfies Record<string, ConfigurationKey>;

export type ConfigurationName = keyof typeof configurationKeys;
type ValueOf<Name extends ConfigurationName> = NonNullable<ReturnType<(typeof configurationKeys)[Name]['read']>>;

export type CdkContext = Readonly<Record<string, unknown>>;

/** An error in the configuration. It names the key as it was written. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const rows: Readonly<Record<ConfigurationName, ConfigurationKey>> = configurationKeys;

/**
 * Whether a key is this project's: one word, with or without a region. Keys of the CDK and its
 * plugins have other characters.
 */
const isOwnKey = (key: string): boolean => /^[a-z][A-Za-z]*(\.\w*)?$/.test(key);

const spellings = (name: ConfigurationName, stages: readonly string[] = []): string[] => {
  const withSuffixes = (suffixes: readonly string[]) => suffixes.map((suffix) => `${name}.${suffix}`);
  switch (rows[name].spelled) {
    case 'only with a region':
      return withSuffixes(regions);
    case 'never with a region':
      return [name];
    default:
      return [name, ...withSuffixes([...regions, ...stages])];
  }
};

/**
 * Rejects unknown keys that look like this project's. Otherwise a misspelled key for the alarms'
 * address would go unnoticed until an alarm fires.
 */
export const assertKnownKeys = (context: CdkContext): void => {
  const names = Object.keys(rows) as ConfigurationName[];
  const stage = readKey(context, 'stage')?.value;
  const known = new Set(names.flatMap((name) => spellings(name, stage ? [stage] : [])));
  const unknown = Object.keys(context).filter((key) => isOwnKey(key) && !known.has(key));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `Unknown context key ${unknown.map((key) => `"${key}"`).join(', ')}. Use one of ${names.map((name) => spellings(name)[0]).join(', ')}, with ".us", ".au" or ".eu" for one region${stage ? `, or ".${stage}" for the stage` : ''}. docs/configuration.md explains them.`,
    );
};

/** The stack that a value is for. Keys that are never spelled with a region need neither. */
export interface StackTarget {
  readonly region?: Region;
  /** Undefined for production. */
  readonly stage?: string | undefined;
}

/**
 * Returns the value for a stack and the key it was read from; undefined without a value. A stage
 * reads its own key first, then those of production.
 */
export const readKey = <Name extends ConfigurationName>(
  context: CdkContext,
  name: Name,
  { region, stage }: StackTarget = {},
): { readonly key: string; readonly value: ValueOf<Name> } | undefined => {
  const production = stage && rows[name].productionOnly ? [] : [`${name}.${region}`, name];
  const key = [...(stage ? [`${name}.${stage}`] : []), ...production].find((one) => context[one] !== undefined && context[one] !== null);
  if (key === undefined) return undefined;
  const value = rows[name].read(context[key]);
  if (value === undefined) throw new ConfigurationError(`Context "${key}" must be ${rows[name].form}.`);
  return { key, value: value as ValueOf<Name> };
};
