import type { Region } from '../../core/regions.ts';
import type { Scope } from '../../core/scopes.ts';

export type KeyType = 'secret' | 'publishable';

/** A stored API key; its value is known only as a SHA-256 digest. */
export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly hash: string;
  readonly name: string;
  readonly type: KeyType;
  readonly region: Region;
  readonly group: string | null;
  readonly scopes: readonly Scope[];
  /** First characters of the value, so that people can tell keys apart. */
  readonly prefix: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The UTC day that a key is used on: `2026-03-10`. */
export const dayOfUse = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Expired means expired at that second (decisions §4). */
export const isUsable = (key: ApiKey, nowMs: number): boolean =>
  key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > nowMs);
