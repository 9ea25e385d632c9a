import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { kindOf } from '../../shared/table/keys.ts';
import { eventKinds, indexesOf, indexKeys, indexNames, type Kind } from '../../shared/table/schema.ts';
import { allItems } from './person.ts';
import type { World } from './world.ts';

const listed: readonly (Kind | undefined)[] = eventKinds.filter((kind) => indexesOf(kind).length > 0);
const names = indexNames.flatMap((name) => Object.values(indexKeys(name)));

/**
 * Removes the index keys of the account's records, as if they were from before the indexes. Returns
 * their number.
 */
export const removeIndexKeys = async (world: Pick<World, 'engine' | 'tables'>, account: string): Promise<number> => {
  const items = (await allItems(world)).filter(({ item: { pk } }) => listed.includes(kindOf(pk)) && String(pk).endsWith(account));
  for (const { item } of items)
    await world.engine.client.send(
      new UpdateCommand({
        TableName: world.tables.tableName,
        Key: { pk: item['pk'], sk: item['sk'] },
        UpdateExpression: `REMOVE ${names.join(', ')}`,
      }),
    );
  return items.length;
};
