import type { Region } from '../../core/config.ts';

export const plans = ['free', 'starter', 'business'] as const;
export const accountStatuses = ['active', 'grace', 'suspended', 'closed'] as const;

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly region: Region;
  readonly plan: (typeof plans)[number];
  readonly status: (typeof accountStatuses)[number];
  /** ISO 4217 code, or null. Without a currency, requests that need one fail. */
  readonly currency: string | null;
  /** Maximum number of orders per UTC calendar month; null means no limit. */
  readonly order_limit: number | null;
  /**
   * Name of an IANA time zone; null if the account has none. It decides the day of quick sales, UTC
   * without one, and the first delivery date of a checkout. Limits, fees and date ranges use UTC.
   */
  readonly timezone: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set if the account was erased. The remaining fields identify no person. */
  readonly erased_at?: string;
}

/** Whether the plan includes the REST API (§ Authentication 9). */
export const hasRestApi = (account: Account): boolean => account.plan === 'business';

/** Whether the account's status allows requests (§ Authentication 9). */
export const isServed = (account: Account): boolean => account.status === 'active' || account.status === 'grace';

/**
 * Whether changes emit events. A closed account emits none, a suspended one still does (decisions
 * §4).
 */
export const emitsEvents = ({ status }: Pick<Account, 'status'>): boolean => status !== 'closed';
