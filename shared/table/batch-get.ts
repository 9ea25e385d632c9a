import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Db } from './client.ts';
import type { Item } from './write.ts';

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

const mostKeys = 100;
const nameOf = ({ pk, sk }: ItemKey): string => `${pk} ${sk}`;

/** The items of these keys, consistent: one call for each hundred keys; a key may be named twice. The answer finds an item by its key. */
export const batchGet = async (db: Db, keys: readonly ItemKey[]): Promise<(key: ItemKey) => Item | undefined> => {
  const found = new Map<string, Item>();
  let left = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  while (left.length > 0) {
    const { Responses, UnprocessedKeys } = await db.client.send(
      new BatchGetCommand({ RequestItems: { [db.table]: { Keys: left.slice(0, mostKeys), ConsistentRead: true } } }),
    );
    for (const item of Responses?.[db.table] ?? []) found.set(nameOf(item as unknown as ItemKey), item);
    left = [...((UnprocessedKeys?.[db.table]?.Keys ?? []) as ItemKey[]), ...left.slice(mostKeys)];
  }
  return (key) => found.get(nameOf(key));
};
