import type { DocumentClient } from '../../local/engine/client.ts';
import { shapesOf, type Tables } from '../../local/engine/tables.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { openDb } from '../../shared/table/client.ts';
import { openStore, type Store } from '../../shared/table/store.ts';
import { promptClient } from '../simulation/engine/client.ts';
import { createEngine } from '../simulation/engine/engine.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { openTestEngine } from '../support/engine.ts';
import { dynamodbLocal, dynoxide, startForeign } from '../support/engines.ts';
import { usesPrograms } from '../support/programs.ts';
import { createWire, type Wire } from '../support/wire.ts';

/** A store on one engine, and access to its tables for a suite. */
export interface Bench {
  readonly store: Store;
  readonly clock: TestClock;
  readonly wire: Wire;
  stop(): Promise<void>;
}

export interface EngineUnderTest {
  readonly name: string;
  /** Undefined if this machine lacks the engine. */
  readonly start: (() => Promise<Bench>) | undefined;
}

const tables: Tables = { tableName: 'conformance', bucketsTableName: 'conformance-buckets' };

const benchOf = (client: DocumentClient, clock: TestClock, stop: () => Promise<void>): Bench => {
  const wire = createWire(client);
  return { store: openStore(openDb(wire.client, { ...tables, clock, random: systemRandom })), clock, wire, stop };
};

/** Amazon's engine needs Java, so `npm run test:programs` tests it. */
const foreign = usesPrograms ? dynamodbLocal() : dynoxide();

const startServer = async (source: NonNullable<typeof foreign>): Promise<Bench> => {
  const engine = await startForeign(source);
  await engine.createTables(tables);
  return benchOf(engine.client, createClock(), engine.stop);
};

const startEmbedded = async (): Promise<Bench> => {
  const engine = openTestEngine();
  await engine.createTables(tables.tableName);
  return benchOf(engine.client, createClock(), engine.stop);
};

const startSimulated = async (): Promise<Bench> => {
  const clock = createClock();
  const engine = createEngine({ tables: shapesOf(tables), now: clock.now });
  return benchOf(promptClient(engine), clock, async () => {});
};

export const engines: readonly EngineUnderTest[] = [
  { name: foreign?.name ?? 'another engine', start: foreign && (() => startServer(foreign)) },
  { name: 'the embedded engine', start: startEmbedded },
  { name: "the simulator's engine", start: startSimulated },
];
