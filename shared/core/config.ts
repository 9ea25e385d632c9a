/** Names of the environment variables that CDK sets and the functions read at cold start. */
export const environment = {
  region: 'SERVICE_REGION',
  table: 'TABLE_NAME',
  bucketsTable: 'BUCKETS_TABLE_NAME',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  deliveryDeadLettersUrl: 'DELIVERY_DEAD_LETTERS_URL',
  searchQueueUrl: 'SEARCH_QUEUE_URL',
  searchDeadLettersUrl: 'SEARCH_DEAD_LETTERS_URL',
  sweepFailuresUrl: 'SWEEP_FAILURES_URL',
  parkingNoticesUrl: 'PARKING_NOTICES_URL',
  scheduleGroup: 'SCHEDULE_GROUP',
  schedulerRoleArn: 'SCHEDULER_ROLE_ARN',
  parkingBucket: 'PARKING_BUCKET',
  secretsPrefix: 'SECRETS_PREFIX',
  apiLogGroup: 'API_LOG_GROUP',
  notices: 'NOTICES',
  publicUrl: 'PUBLIC_URL',
} as const;

/**
 * Purpose of a stored secret, which is part of its path. A function may read only the secrets of
 * its own purpose.
 */
export type SecretPurpose = 'search' | 'stripe';

export type EnvironmentName = (typeof environment)[keyof typeof environment];

/** Returns the named variables. Throws at cold start with the names of all missing variables. */
export const requireEnv = <const Names extends readonly EnvironmentName[]>(
  env: Readonly<Record<string, string | undefined>>,
  names: Names,
): Record<Names[number], string> => {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Names[number], string>;
};

/**
 * Whether this deployment sends notices to the platform, which the context key `notices` enables.
 */
export const hasNotices = (env: Readonly<Record<string, string | undefined>>): boolean => env[environment.notices] === 'true';

export const requireRegion = (env: Readonly<Record<string, string | undefined>>): Region => {
  const region = requireEnv(env, [environment.region])[environment.region];
  if (!isRegion(region)) throw new Error(`${environment.region} is "${region}"; it must be one of us, au, eu`);
  return region;
};

/**
 * The three service regions; an account, its keys and all its data live in exactly one (§ What the
 * service does).
 */
export const regions = ['us', 'au', 'eu'] as const;
export type Region = (typeof regions)[number];

/** Default AWS region of each service region. A deployment may configure another (decisions §1). */
export const awsRegions: Readonly<Record<Region, string>> = { us: 'us-east-1', au: 'ap-southeast-2', eu: 'eu-west-1' };

export const isRegion = (value: unknown): value is Region => regions.includes(value as Region);

/** Header in which CloudFront names the caller, as `<address>:<port>`. */
export const viewerAddressHeader = 'CloudFront-Viewer-Address';
