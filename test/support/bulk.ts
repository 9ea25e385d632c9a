import { DynamoDBClient, marshall } from '../../local/client/dynamodb.ts';
import type { Write } from '../../shared/table/write.ts';
import type { TestEngine } from './engine.ts';

const batchSize = 25;
const inFlight = 4;

/**
 * Writes items without their conditions, 25 per call. It uses the client of the local service: that
 * of the SDK takes several times as long.
 */
export const bulkPut = async (engine: TestEngine, writes: Iterable<Write>): Promise<void> => {
  const client = new DynamoDBClient(engine.client);
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
      const items: Record<string, { PutRequest: { Item: object } }[]> = {};
      for (const { item } of batch) {
        if (!item.Put?.TableName || !item.Put.Item) throw new Error('Only puts are loaded in bulk.');
        items[item.Put.TableName] = [...(items[item.Put.TableName] ?? []), { PutRequest: { Item: marshall(item.Put.Item) } }];
      }
      const { UnprocessedItems = {} } = await client.call('DynamoDB_20120810.BatchWriteItem', JSON.stringify({ RequestItems: items }));
      if (Object.keys(UnprocessedItems as object).length > 0) throw new Error('The engine left items unprocessed.');
    }
  };
  try {
    await Promise.all(Array.from({ length: inFlight }, work));
  } finally {
    client.destroy();
  }
};
