import { type Engine, startEngine as startEmbedded } from '../../local/engine/dynamodb.ts';
import { createTables, type Tables } from '../../local/engine/tables.ts';
import type { Clock } from '../../shared/core/clock.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectStore, type Store } from '../../shared/table/store.ts';

/**
 * A DynamoDB-compatible engine in memory for one test file. It is the engine of the local service,
 * with the same tables.
 */
export interface TestEngine {
  readonly endpoint: string;
  /** Configuration of an SDK client of the engine: `new DynamoDBClient(engine.client)`. */
  readonly client: Engine['client'];
  /** Creates both tables with stream and indexes. `prefix` has 3 characters or more. */
  createTables(prefix: string): Promise<Tables>;
  /** Creates a store on new tables. */
  createStore(prefix: string, clock: Clock): Promise<Store>;
  stop(): Promise<void>;
}

/**
 * `beforeAll(async () => { engine = await startEngine(); })`, `afterAll(() => engine.stop())`;
 * starting takes about 0.1 s.
 */
export const startEngine = async (): Promise<TestEngine> => {
  const engine = await startEmbedded();
  const create = async (prefix: string): Promise<Tables> => {
    const [tables] = await createTables(engine.client, [{ tableName: prefix, bucketsTableName: `${prefix}-buckets` }]);
    if (!tables) throw new Error('The engine made no tables.');
    return tables;
  };
  return {
    endpoint: engine.client.endpoint,
    client: engine.client,
    createTables: create,
    async createStore(prefix, clock) {
      const { tableName, bucketsTableName } = await create(prefix);
      return connectStore({ tableName, bucketsTableName, clock, random: systemRandom, client: engine.client });
    },
    stop: () => engine.stop(),
  };
};
