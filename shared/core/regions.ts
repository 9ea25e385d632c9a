/** The three service regions; an account, its keys and all its data live in exactly one (§ What the service does). */
export const regions = ['us', 'au', 'eu'] as const;
export type Region = (typeof regions)[number];

export const isRegion = (value: unknown): value is Region => regions.includes(value as Region);
