import type { Region } from '../../core/config.ts';
import type { Scope } from '../../core/scopes.ts';

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
