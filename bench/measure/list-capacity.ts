import { systemClock } from '../../shared/core/clock.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { openDb } from '../../shared/table/client.ts';
import { openStore, type Store } from '../../shared/table/store.ts';
import { bulkPut } from '../../test/support/bulk.ts';
import { startEngine, type TestEngine } from '../../test/support/engine.ts';
import { expenseOf } from '../../test/support/records.ts';
import { createWire, type Wire } from '../../test/support/wire.ts';

export interface Capacity {
  readonly store: Store;
  readonly wire: Wire;
  readonly engine: TestEngine;
  stop(): Promise<void>;
}

/** Read units of the first and the second page, cursor check included. */
export interface PageUnits {
  readonly title: string;
  readonly records: number;
  readonly first: number;
  readonly second: number;
}

/** Starts an engine whose calls are counted. */
export const startCapacity = async (): Promise<Capacity> => {
  const engine = await startEngine();
  const tables = await engine.createTables('capacity');
  const wire = createWire(engine.client);
  return {
    store: openStore(openDb(wire.client, { ...tables, clock: systemClock, random: systemRandom })),
    wire,
    engine,
    stop: () => engine.stop(),
  };
};

const startMs = Date.UTC(2020, 0, 1);
const orders = [
  { title: 'by date', sort: 'date' },
  { title: 'by date in a range', sort: 'date', from: startMs / 1000, to: startMs / 1000 + 400_000_000 },
  { title: 'by update', sort: 'updated_at' },
  { title: 'by update since a moment', sort: 'updated_at', from: isoFromMs(startMs) },
] as const;
const filters = [undefined, ['category', 'rent'], ['status', 'submitted'], ['supplier_id', 'sup_1']] as const;

/** Every documented filter shape, alone and with each filter. */
export const listShapes = orders.flatMap(({ title, ...sort }) =>
  filters.map((filter) => ({
    title: filter ? `${title}, one ${filter[0]}` : title,
    query: { ...sort, ...(filter ? { where: { [filter[0]]: [filter[1]] } } : {}) },
  })),
);

const limit = 50;

/**
 * Creates an account with this many expenses of equal size that match every filter, and reads two
 * pages of each query.
 */
export const measurePages = async ({ store, wire, engine }: Capacity, size: number): Promise<readonly PageUnits[]> => {
  const account = `acct_${String(size).padStart(26, '0')}`;
  const makeAll = function* () {
    for (let i = 0; i < size; i++) {
      const date = startMs / 1000 + i;
      const fields = {
        date,
        category: 'rent',
        supplier: { id: 'sup_1', name: 'Mill' },
        description: 'Flour, rye and wheat, two bags of 25 kg',
      };
      yield store.expenses.createWrite(account, expenseOf(startMs + i * 1_000, fields));
    }
  };
  await bulkPut(engine, makeAll());
  const units: PageUnits[] = [];
  for (const { title, query } of listShapes) {
    const read = async (after?: { readonly position: string; readonly id: string }) => {
      wire.measure();
      const page = await store.expenses.list(account, query, { limit, ...(after ? { after } : {}) });
      return { page, units: wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0) };
    };
    const first = await read();
    const second = await read(first.page.next);
    units.push({ title, records: first.page.records.length, first: first.units, second: second.units });
  }
  return units;
};
