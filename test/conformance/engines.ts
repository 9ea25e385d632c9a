import { startEngine as startEmbedded } from '../../local/engine/dynamodb.ts';
import { type EngineSource, type EngineSurroundings, locateEngine, thisMachine } from '../../local/engine/locate.ts';
import { createTables } from '../../local/engine/tables.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectStore, type Store } from '../../shared/table/store.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { createWire, type Wire } from '../support/wire.ts';

/** A store on one engine, with what a suite needs to look at it. */
export interface Bench {
  readonly store: Store;
  readonly clock: TestClock;
  readonly wire: Wire;
  stop(): Promise<void>;
}

export interface EngineUnderTest {
  readonly name: string;
  /** Undefined where this machine lacks it; `missing` says what. */
  readonly source: EngineSource | undefined;
  readonly missing: string;
}

const without = (packageName: string): EngineSurroundings => ({
  ...thisMachine,
  env: { PATH: process.env['PATH'], JAVA_HOME: process.env['JAVA_HOME'] },
  packageFolder: (name) => (name === packageName ? undefined : thisMachine.packageFolder(name)),
});

export const engines: readonly EngineUnderTest[] = [
  { name: 'Dynoxide', source: locateEngine(without('amplify-dynamodb-simulator')), missing: 'its binary is for linux-x64 only' },
  { name: "Amazon's DynamoDB Local", source: locateEngine(without('@dynoxide/linux-x64')), missing: 'no Java was found' },
];

export const startBench = async (source: EngineSource): Promise<Bench> => {
  const engine = await startEmbedded({ locate: () => source });
  const [tables] = await createTables(engine.client, [{ tableName: 'conformance', bucketsTableName: 'conformance-buckets' }]);
  if (!tables) throw new Error('The engine made no tables.');
  const [clock, wire] = [createClock(), createWire()];
  const client = { ...engine.client, requestHandler: wire.requestHandler };
  return { store: connectStore({ ...tables, clock, random: systemRandom, client }), clock, wire, stop: () => engine.stop() };
};
