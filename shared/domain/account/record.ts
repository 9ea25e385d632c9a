import type { Region } from '../../core/regions.ts';

export const plans = ['free', 'starter', 'business'] as const;
export const accountStatuses = ['active', 'grace', 'suspended', 'closed'] as const;

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly region: Region;
  readonly plan: (typeof plans)[number];
  readonly status: (typeof accountStatuses)[number];
  /** ISO 4217; null if the account has none, and then creates that need a currency fail. */
  readonly currency: string | null;
  /** Orders per UTC calendar month; null is no limit. */
  readonly order_limit: number | null;
  /**
   * IANA name. It decides days that people mean, such as that of a quick sale. Limits, fees and
   * date ranges use UTC.
   */
  readonly timezone: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set if the account was erased. The remaining fields identify no person. */
  readonly erased_at?: string;
}

/** The REST API is for the Business plan (§ Authentication 9). */
export const hasRestApi = (account: Account): boolean => account.plan === 'business';

/** … and only while the account is active or in grace. */
export const isServed = (account: Account): boolean => account.status === 'active' || account.status === 'grace';

/** A closed account emits nothing; suspended ones still do (decisions §4). */
export const emitsEvents = ({ status }: Pick<Account, 'status'>): boolean => status !== 'closed';
