import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Write } from '../../shared/table/write.ts';

const batchSize = 25;
const inFlight = 4;

/** Writes items without their conditions, 25 per call. */
export const bulkPut = async (client: DynamoDBDocumentClient, writes: Iterable<Write>): Promise<void> => {
  const source = writes[Symbol.iterator]();
  const nextBatch = (): Write[] => {
    const batch: Write[] = [];
    for (let next = source.next(); !next.done; next = source.next()) {
      batch.push(next.value);
      if (batch.length === batchSize) break;
    }
    return batch;
  };
  const work = async (): Promise<void> => {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const items: Record<string, { PutRequest: { Item: Record<string, unknown> } }[]> = {};
      for (const { item } of batch) {
        if (!item.Put?.TableName || !item.Put.Item) throw new Error('Only puts are loaded in bulk.');
        items[item.Put.TableName] = [...(items[item.Put.TableName] ?? []), { PutRequest: { Item: item.Put.Item } }];
      }
      const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems: items }));
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('The engine left items unprocessed.');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
};
