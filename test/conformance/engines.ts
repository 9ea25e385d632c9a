import { startEngine as startEmbedded } from '../../local/engine/dynamodb.ts';
import { type EngineSource, type EngineSurroundings, locateEngine, thisMachine } from '../../local/engine/locate.ts';
import { createTables } from '../../local/engine/tables.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { openDb } from '../../shared/table/client.ts';
import { connectStore, openStore, type Store } from '../../shared/table/store.ts';
import { promptClient, serviceTables } from '../simulation/engine/client.ts';
import { createEngine } from '../simulation/engine/engine.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { usesPrograms } from '../support/programs.ts';
import { createWire, type Wire } from '../support/wire.ts';

/** A store on one engine, and access to its tables for a suite. */
export interface Bench {
  readonly store: Store;
  readonly clock: TestClock;
  /** Undefined if the engine is not a server: it sends no calls over HTTP and reports no units. */
  readonly wire: Wire | undefined;
  stop(): Promise<void>;
}

export interface EngineUnderTest {
  readonly name: string;
  /** Undefined if this machine lacks the engine. */
  readonly start: (() => Promise<Bench>) | undefined;
  /** Whether the engine reports the units of a call. */
  readonly countsUnits: boolean;
}

const without = (packageName: string): EngineSurroundings => ({
  ...thisMachine,
  env: { PATH: process.env['PATH'], JAVA_HOME: process.env['JAVA_HOME'] },
  packageFolder: (name) => (name === packageName ? undefined : thisMachine.packageFolder(name)),
});

const tableNames = { tableName: 'conformance', bucketsTableName: 'conformance-buckets' };

const startServer = async (source: EngineSource): Promise<Bench> => {
  const engine = await startEmbedded({ locate: () => source });
  const [tables] = await createTables(engine.client, [tableNames]);
  if (!tables) throw new Error('The engine made no tables.');
  const [clock, wire] = [createClock(), createWire()];
  const client = { ...engine.client, requestHandler: wire.requestHandler };
  return { store: connectStore({ ...tables, clock, random: systemRandom, client }), clock, wire, stop: () => engine.stop() };
};

/** The engine that is called over HTTP: Amazon's needs Java, so `npm run test:programs` tests it. */
export const server: { readonly name: string; readonly source: EngineSource | undefined } = usesPrograms
  ? { name: "Amazon's DynamoDB Local", source: locateEngine(without('@dynoxide/linux-x64')) }
  : { name: 'Dynoxide', source: locateEngine(without('amplify-dynamodb-simulator')) };

/** The simulator's engine, in this process: it replaces the stores' client. */
const startSimulated = async (): Promise<Bench> => {
  const clock = createClock();
  const engine = createEngine({ tables: serviceTables(tableNames), now: clock.now });
  return {
    store: openStore(openDb(promptClient(engine), { ...tableNames, clock, random: systemRandom })),
    clock,
    wire: undefined,
    stop: async () => {},
  };
};

/** The simulator's engine has no wire, and reads the SDK's commands. */
const isSimulatedToo = !usesPrograms && process.env['AWS_CLIENT'] !== 'local';

const { name, source } = server;
export const engines: readonly EngineUnderTest[] = [
  { name, start: source && (() => startServer(source)), countsUnits: true },
  ...(isSimulatedToo ? [{ name: "the simulator's engine", start: startSimulated, countsUnits: false }] : []),
];
