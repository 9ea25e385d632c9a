import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCheckpoint } from '../local/engine/checkpoint.ts';
import { embeddedClient } from '../local/engine/client.ts';
import { openEngine } from '../local/engine/engine.ts';
import { openState, type State } from '../local/engine/state.ts';
import { shapesOf } from '../local/engine/tables.ts';
import { systemClock } from '../shared/core/clock.ts';
import { systemRandom } from '../shared/core/random.ts';
import { openDb } from '../shared/table/client.ts';
import { openStore } from '../shared/table/store.ts';
import { expenseOf } from '../test/support/records.ts';
import { root } from '../test/support/service.ts';
import { measureKinds, medianOf, type Subject, startSubject } from './measure/request-costs.ts';

/**
 * Measures the local service on a data directory with many expenses of the calling account, beside an
 * empty one: ready, CPU per request, memory. The expenses are written through the engine's storage,
 * and their changes are trimmed as the stream's poller does. Then it writes as many changes again,
 * and prints how much the file has grown. Linux only.
 *
 *   node bench/local-size.ts [--records 1000000] [--rounds 5]
 */
const { values: options } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
});
const [records, rounds] = [Number(options.records), Number(options.rounds)];
/** Changes between two deletions of handled ones. */
const trimEvery = 200;
const tables = { tableName: 'bakery-us', bucketsTableName: 'bakery-us-buckets' };

/** Handles and trims all changes, as the stream's poller does. */
const trimAll = (state: State, trim: (table: string, position: number) => void): void => {
  const { newest } = state
    .prepare('SELECT max(position) AS newest FROM changes WHERE t = (SELECT id FROM tables WHERE name = ?)')
    .get(tables.tableName) as { readonly newest: number };
  trim(tables.tableName, newest);
  openCheckpoint(state, tables.tableName).save(newest);
};

/** Writes the expenses, then replaces each once. Returns the bytes of the file after each of the two. */
const fill = async (dataDir: string, account: string): Promise<readonly number[]> => {
  const state = await openState(dataDir);
  const engine = openEngine(state, shapesOf(tables), Date.now);
  const store = openStore(openDb(embeddedClient(engine.execute), { ...tables, clock: systemClock, random: systemRandom }));
  const firstMs = Date.UTC(2000, 0, 1);
  const sizes: number[] = [];
  for (const description of ['Flour and rye', 'Wheat and malt']) {
    for (let i = 0; i < records; i++) {
      const id = `exp_${String(i).padStart(26, '0')}`;
      const expense = expenseOf(firstMs, { id, date: Math.floor(firstMs / 1000) + i, description });
      engine.execute('Put', { TableName: tables.tableName, Item: store.expenses.createWrite(account, expense).item.Put?.Item });
      if (i % trimEvery === 0 || i === records - 1) trimAll(state, engine.trim);
    }
    state.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    sizes.push(statSync(join(dataDir, 'state.db')).size);
  }
  state.close();
  return sizes;
};

const folder = mkdtempSync(join(tmpdir(), 'local-size-'));
const rows: Record<string, string>[] = [];
/** Adds a row: the value on the empty file and on the full one, and their ratio. */
const report = (what: string, unit: string, [empty = Number.NaN, full = Number.NaN]: readonly number[]): void =>
  void rows.push({ what, empty: `${empty.toFixed(2)} ${unit}`, full: `${full.toFixed(2)} ${unit}`, ratio: (full / empty).toFixed(2) });

const restart = async (dataDir: string, subject: Subject): Promise<Subject> => {
  await subject.stop();
  return startSubject({ checkout: root, dataDir, account: subject.account });
};

const subjects: Subject[] = [];
try {
  const dirs = ['empty', 'full'].map((name) => join(folder, name));
  for (const dataDir of dirs) subjects.push(await startSubject({ checkout: root, dataDir }));
  const [, full] = subjects as [Subject, Subject];
  await full.stop();
  const startedMs = performance.now();
  const sizes = await fill(dirs[1] as string, full.account.id);
  console.error(`${records} expenses written and replaced in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  const readyMs = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [n, dataDir] of dirs.entries()) {
      subjects[n] = await restart(dataDir, subjects[n] as Subject);
      readyMs[n]?.push((subjects[n] as Subject).readyMs);
    }
  report('start to ready, wall', 'ms', readyMs.map(medianOf));
  await measureKinds(subjects, rounds, (kind, cpuMs) => report(`${kind}, CPU`, 'ms', cpuMs));
  report(
    'memory',
    'MB',
    subjects.map((subject) => subject.residentBytes() / 1e6),
  );
  console.table(rows);
  const [created = 0, replaced = 0] = sizes;
  console.log(`File: ${(created / 1e6).toFixed(0)} MB, and ${(replaced / 1e6).toFixed(0)} MB after each expense was replaced once.`);
} finally {
  for (const subject of subjects) await subject.stop();
  rmSync(folder, { recursive: true, force: true });
}
