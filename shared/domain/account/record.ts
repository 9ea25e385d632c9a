import type { Region } from '../../core/regions.ts';

export const plans = ['free', 'starter', 'business'] as const;
export const accountStatuses = ['active', 'grace', 'suspended', 'closed'] as const;

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly region: Region;
  readonly plan: (typeof plans)[number];
  readonly status: (typeof accountStatuses)[number];
  /** ISO 4217; null where the account has none, and creates that need it fail. */
  readonly currency: string | null;
  /** Orders per UTC calendar month; null is no limit. */
  readonly order_limit: number | null;
  /** IANA name: where a day is meant for people, as that of a quick sale. Limits, fees and ranges of dates go by UTC. */
  readonly timezone: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set where the account was erased: what is left of it names nobody. */
  readonly erased_at?: string;
}

/** The REST API is for the Business plan (§ Authentication 9). */
export const hasRestApi = (account: Account): boolean => account.plan === 'business';

/** … and only while the account is active or in grace. */
export const isServed = (account: Account): boolean => account.status === 'active' || account.status === 'grace';

/** A closed account emits nothing; suspended ones still do (decisions §4). */
export const emitsEvents = ({ status }: Pick<Account, 'status'>): boolean => status !== 'closed';
