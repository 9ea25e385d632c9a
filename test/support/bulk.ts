import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Write } from '../../shared/table/write.ts';
import type { TestEngine } from './engine.ts';

/** Writes per round: another engine takes several at once. */
const atOnce = 32;

/** Writes items without their conditions. */
export const bulkPut = async ({ client }: TestEngine, writes: Iterable<Write>): Promise<void> => {
  const put = async ({ item }: Write): Promise<void> => {
    if (!item.Put?.TableName || !item.Put.Item) throw new Error('Only puts are loaded in bulk.');
    await client.send(new PutCommand({ TableName: item.Put.TableName, Item: item.Put.Item }));
  };
  let round: Promise<void>[] = [];
  for (const write of writes) {
    round.push(put(write));
    if (round.length < atOnce) continue;
    await Promise.all(round);
    round = [];
  }
  await Promise.all(round);
};
