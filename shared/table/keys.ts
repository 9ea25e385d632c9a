import { timeText } from '../core/ids.ts';
import type { Item } from './client.ts';
import { type IndexName, indexKeys, type Kind, type KindsWith, kindNames, kinds } from './schema.ts';

/**
 * `exp#acct_…[#…]`: the kind first, so that a policy can hold a function to its kinds; the owner
 * second.
 */
export const partition = (kind: Kind, owner: string, ...rest: readonly string[]): string => [kinds[kind].prefix, owner, ...rest].join('#');

const accountPrefix = 'acct_';

/**
 * The partition of an account in an index, without the prefix of its id: every entry of a record
 * carries it. An id without the prefix is marked, so that no two accounts share a partition.
 */
export const indexPartition = (kind: Kind, account: string, ...rest: readonly string[]): string =>
  partition(kind, account.startsWith(accountPrefix) ? account.slice(accountPrefix.length) : `#${account}`, ...rest);

/** Returns the kind of a partition; undefined for an unknown one. */
export const kindOf = (partition: unknown): Kind | undefined =>
  kindNames.find((kind) => String(partition).startsWith(`${kinds[kind].prefix}#`));

/** Returns the account that owns a partition. */
export const ownerOf = (partition: string): string => partition.split('#')[1] ?? '';

/** Key attributes of one index entry; spread over an item, absent ones keep it out of the index. */
export const indexEntry = (index: IndexName, pk: string, sk: string): Record<string, string> => {
  const keys = indexKeys(index);
  return { [keys.pk]: pk, [keys.sk]: sk };
};

/** Position in a list by time: ISO 8601 with milliseconds as ten characters. */
export const timePosition = (iso: string): string => timeText(Date.parse(iso));

export const nowSeconds = (nowMs: number): number => Math.floor(nowMs / 1000);

/** Expired means expired at that second, also while DynamoDB has not yet deleted the item. */
export const isExpired = (item: Item, nowMs: number): boolean =>
  typeof item['expires_at'] === 'number' && item['expires_at'] <= nowSeconds(nowMs);

/** How long each item of a kind is kept that is not kept for good. */
export const retentionSeconds = (kind: KindsWith<'kept', number>): number => kinds[kind].kept * 86_400;
