/**
 * The three service regions; an account, its keys and all its data live in exactly one (§ What the
 * service does).
 */
export const regions = ['us', 'au', 'eu'] as const;
export type Region = (typeof regions)[number];

/** Default AWS region of each service region. A deployment may configure another (decisions §1). */
export const awsRegions: Readonly<Record<Region, string>> = { us: 'us-east-1', au: 'ap-southeast-2', eu: 'eu-west-1' };

export const isRegion = (value: unknown): value is Region => regions.includes(value as Region);
