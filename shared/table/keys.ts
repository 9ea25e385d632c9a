import { timeText } from '../core/ids.ts';
import { type IndexName, indexKeys, type Kind, kinds } from './schema.ts';

/** `exp#acct_…[#…]`: the kind first, so that a policy can hold a function to its kinds; the owner second. */
export const partition = (kind: Kind, owner: string, ...rest: readonly string[]): string => [kinds[kind], owner, ...rest].join('#');

/** Whose the records of a partition are. */
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
export const isExpired = (item: Record<string, unknown>, nowMs: number): boolean =>
  typeof item['expires_at'] === 'number' && item['expires_at'] <= nowSeconds(nowMs);
