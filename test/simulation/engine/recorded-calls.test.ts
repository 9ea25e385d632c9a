import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentClient, embeddedClient } from '../../../local/engine/client.ts';
import { openEngine } from '../../../local/engine/engine.ts';
import { openMemory } from '../../../local/engine/state.ts';
import { shapesOf, type Tables } from '../../../local/engine/tables.ts';
import { commandOf } from '../../support/commands.ts';
import { dynamodbLocal, dynoxide, startForeign } from '../../support/engines.ts';
import { usesPrograms } from '../../support/programs.ts';
import { formOf, type RecordedCall, recordCalls } from './recorded-calls.ts';
import { seen } from './seen.ts';

/** Replaces the names of the recorded tables. */
const onTables = (value: unknown, names: Readonly<Record<string, string>>): unknown => {
  if (Array.isArray(value)) return value.map((entry) => onTables(entry, names));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Set) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      names[name] ?? name,
      name === 'TableName' ? (names[String(inner)] ?? inner) : onTables(inner, names),
    ]),
  );
};

const kindOf = (operation: string): string => operation.replace(/Items?$/, '');

const commandOn = ({ operation, input, tables: [data, buckets] }: RecordedCall, { tableName, bucketsTableName }: Tables): object => {
  const { ClientRequestToken: _, ...own } = onTables(input, { [data]: tableName, [buckets]: bucketsTableName }) as Record<string, unknown>;
  return commandOf(kindOf(operation), { ...own, ReturnConsumedCapacity: 'INDEXES' });
};

const foreign = usesPrograms ? dynamodbLocal() : dynoxide();
const runs = Number(process.env['RUNS'] ?? 4);

(foreign ? describe : describe.skip)(`the embedded engine agrees with ${foreign?.name} on the calls that the stores send`, () => {
  let engine: Awaited<ReturnType<typeof startForeign>>;
  let calls: readonly RecordedCall[];
  beforeAll(async () => {
    if (foreign) engine = await startForeign(foreign);
    calls = await recordCalls();
  });
  afterAll(() => engine?.stop());

  let serial = 0;
  /** Sends the same calls to both engines, on new tables. */
  const compare = async (sent: readonly RecordedCall[]): Promise<void> => {
    const tables: Tables = { tableName: `calls-${++serial}`, bucketsTableName: `calls-${serial}-buckets` };
    await engine.createTables(tables);
    const state = openMemory();
    const embedded: DocumentClient = embeddedClient(openEngine(state, shapesOf(tables), () => 0).execute);
    for (const call of sent) {
      const command = commandOn(call, tables);
      const [theirs, ours] = [await seen(engine.client, command), await seen(embedded, command)];
      expect({ call, response: ours }).toEqual({ call, response: theirs });
    }
    state.close();
  };

  test('the engine equals another one in responses and units of the calls of every route, every action and the work behind them', async () => {
    const forms = new Set(calls.map(formOf));
    expect(forms.size).toBeGreaterThan(100);
    await compare(calls);
  });

  test('the engine equals another one in responses and units of calls of every form, if other calls before them were lost', async () => {
    const byForm = new Map(calls.map((call) => [formOf(call), call]));
    const someCalls = fc.subarray([...calls], { minLength: Math.floor(calls.length / 10), maxLength: Math.floor(calls.length / 4) });
    await fc.assert(
      fc.asyncProperty(someCalls, fc.shuffledSubarray([...byForm.values()], { minLength: byForm.size }), async (some, others) =>
        compare([...some, ...others]),
      ),
      { seed: Number(process.env['SEED'] ?? 20_260_310), numRuns: runs, endOnFailure: true },
    );
  });
});
