import { timeText } from '../core/ids.ts';
import type { Db, Item, ItemKey } from './client.ts';
import { type IndexName, indexKeys, type Kind, type KindsWith, kindNames, kinds } from './schema.ts';

/**
 * Returns a partition key such as `exp#acct_…`. The kind comes first, so that an IAM policy can
 * limit a function to some kinds.
 */
export const partition = (kind: Kind, owner: string, ...rest: readonly string[]): string => [kinds[kind].prefix, owner, ...rest].join('#');

const accountPrefix = 'acct_';

/**
 * Returns an account's partition key in an index. It omits the prefix `acct_`, which every index
 * entry would store. An account id without that prefix is marked, so that no two accounts share a
 * partition.
 */
export const indexPartition = (kind: Kind, account: string, ...rest: readonly string[]): string =>
  partition(kind, account.startsWith(accountPrefix) ? account.slice(accountPrefix.length) : `#${account}`, ...rest);

/** Returns the kind of a partition; undefined for an unknown one. */
export const kindOf = (partition: unknown): Kind | undefined =>
  kindNames.find((kind) => String(partition).startsWith(`${kinds[kind].prefix}#`));

/** Returns the account that owns a partition. */
export const ownerOf = (partition: string): string => partition.split('#')[1] ?? '';

/** Returns the key attributes of an index entry. An item without them is not in the index. */
export const indexEntry = (index: IndexName, pk: string, sk: string): Record<string, string> => {
  const keys = indexKeys(index);
  return { [keys.pk]: pk, [keys.sk]: sk };
};

/** Returns the position in a list by time: an ISO 8601 time as ten characters. */
export const timePosition = (iso: string): string => timeText(Date.parse(iso));

export const nowSeconds = (nowMs: number): number => Math.floor(nowMs / 1000);

/**
 * Whether the item has expired. An item counts as expired from that second on, even if DynamoDB
 * deletes it later.
 */
export const isExpired = (item: Item, nowMs: number): boolean =>
  typeof item['expires_at'] === 'number' && item['expires_at'] <= nowSeconds(nowMs);

/** Reads an item consistently. Returns undefined if it does not exist or has expired. */
export const readUnexpired = async ({ get, clock }: Db, key: ItemKey): Promise<Item | undefined> => {
  const item = await get(key);
  return item && !isExpired(item, clock.now()) ? item : undefined;
};

/** Returns how long items of the kind are kept, in seconds. */
export const retentionSeconds = (kind: KindsWith<'retention', number>): number => kinds[kind].retention * 86_400;

/** Returns the epoch seconds until which an item of the kind is kept that begins at `startMs`. */
export const expiryOf = (kind: KindsWith<'retention', number>, startMs: number): number => nowSeconds(startMs) + retentionSeconds(kind);
