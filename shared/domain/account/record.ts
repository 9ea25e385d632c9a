import type { Region } from '../../core/config.ts';
import type { Scope } from '../../core/scopes.ts';

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

export type KeyType = 'secret' | 'publishable';

/** A stored API key. Of its value, only the SHA-256 digest is stored. */
export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly hash: string;
  readonly name: string;
  readonly type: KeyType;
  readonly region: Region;
  readonly group: string | null;
  readonly scopes: readonly Scope[];
  /** First characters of the value, by which people recognize a key. */
  readonly prefix: string;
  readonly expires_at: string | null;
  /**
   * The end that the caller chose, if `key.replace` has set an earlier one or `key.update` any. If
   * absent, `expires_at` is the end that the caller chose. Never returned.
   */
  readonly chosen_end?: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Returns the UTC day of a use, for example `2026-03-10`. */
export const dayOfUse = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/**
 * Whether the key is neither revoked nor expired. It counts as expired from that second on
 * (decisions §4).
 */
export const isUsable = (key: ApiKey, nowMs: number): boolean =>
  key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > nowMs);
