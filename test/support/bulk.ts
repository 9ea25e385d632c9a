import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Write } from '../../shared/table/write.ts';
import type { TestEngine } from './engine.ts';

/** Writes items without their conditions. */
export const bulkPut = async ({ client }: TestEngine, writes: Iterable<Write>): Promise<void> => {
  for (const { item } of writes) {
    if (!item.Put?.TableName || !item.Put.Item) throw new Error('Only puts are loaded in bulk.');
    await client.send(new PutCommand({ TableName: item.Put.TableName, Item: item.Put.Item }));
  }
};
