import { type DocumentClient, embeddedClient } from '../../local/engine/client.ts';
import { decode, type Encoded } from '../../local/engine/encoding.ts';
import { type ChangeStreams, type Engine, openEngine } from '../../local/engine/engine.ts';
import { openMemory, type State } from '../../local/engine/state.ts';
import { shapesOf, type Tables } from '../../local/engine/tables.ts';
import type { Clock } from '../../shared/core/clock.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { openDb } from '../../shared/table/client.ts';
import { openStore, type Store } from '../../shared/table/store.ts';
import { dynoxide, startForeign } from './engines.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * A database in memory for one test file: the engine of the local service, with the same tables.
 * With `TEST_ENGINE=dynoxide`, the engine that proves it.
 */
export interface TestEngine extends ChangeStreams {
  /** Executes commands without faults. */
  readonly client: DocumentClient;
  /** Creates both tables with stream and indexes. `prefix` has 3 characters or more. */
  createTables(prefix: string): Promise<Tables>;
  /** Creates a store on new tables. */
  createStore(prefix: string, clock: Clock): Promise<Store>;
  /** Returns all items of a table. */
  items(table: string): Promise<readonly Item[]>;
  stop(): Promise<void>;
}

/** Returns all items of a table in a state's file. */
export const itemsIn = (state: State, table: string): readonly Item[] =>
  state
    .prepare('SELECT text, special FROM items WHERE t = (SELECT id FROM tables WHERE name = ?)')
    .all(table)
    .map((row) => decode(row as unknown as Encoded));

const namesOf = (prefix: string): Tables => ({ tableName: prefix, bucketsTableName: `${prefix}-buckets` });

type Parts = Omit<TestEngine, 'createStore'>;

const withStores = (parts: Parts): TestEngine => ({
  ...parts,
  async createStore(prefix, clock) {
    return openStore(openDb(parts.client, { ...(await parts.createTables(prefix)), clock, random: systemRandom }));
  },
});

/** An embedded engine of a test. Its tables are made one after another. */
const openTestEngine = (): TestEngine => {
  const state = openMemory();
  const tables: Tables[] = [];
  let engine: Engine | undefined;
  const open = (): Engine => {
    if (!engine) throw new Error('The engine has no tables yet.');
    return engine;
  };
  return withStores({
    client: embeddedClient((operation, input) => open().execute(operation, input)),
    async createTables(prefix) {
      const names = namesOf(prefix);
      tables.push(names);
      engine = openEngine(state, tables.flatMap(shapesOf), Date.now);
      return names;
    },
    items: async (table) => itemsIn(state, table),
    changes: (table, after, limit) => open().changes(table, after, limit),
    trim: (table, position) => open().trim(table, position),
    stop: async () => state.close(),
  });
};

const startForeignEngine = async (): Promise<TestEngine> => {
  const source = dynoxide();
  if (!source) throw new Error('Dynoxide is not installed: npm install --no-save @dynoxide/linux-x64@1.2.1');
  const { client, items, changes, stop, createTables } = await startForeign(source);
  return withStores({
    ...{ client, items, changes, stop, trim: () => {} },
    async createTables(prefix) {
      const names = namesOf(prefix);
      await createTables(names);
      return names;
    },
  });
};

/** Whether tests run on the engine that proves the embedded one. */
const usesForeign = process.env['TEST_ENGINE'] === 'dynoxide';

/** Opens that engine for a service in memory. Undefined if the service uses its own. */
export const foreignDatabase = usesForeign
  ? async (tables: readonly Tables[]): Promise<TestEngine> => {
      const engine = await startForeignEngine();
      for (const { tableName } of tables) await engine.createTables(tableName);
      return engine;
    }
  : undefined;

/** `beforeAll(async () => { engine = await startEngine(); })`, `afterAll(() => engine.stop())`. */
export const startEngine = async (): Promise<TestEngine> => (usesForeign ? startForeignEngine() : openTestEngine());
