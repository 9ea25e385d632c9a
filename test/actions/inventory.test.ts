import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const flour = { type: 'ingredient', name: 'Flour', category: 'dry', current_stock: 10, reorder_point: 2, unit: 'kg' };
const isoNow = () => new Date(dashboard.clock.now()).toISOString();
const put = (input: object = {}) => dashboard.act('inventory.put', account, { ...flour, ...input });
const adjust = (id: string, delta: number) => dashboard.act('inventory.adjust', account, { id, delta });
const stored = (id: string) => dashboard.services.store.inventory.get(account, id);

describe('inventory.put', () => {
  test('inventory.put replaces the item with the id, and keeps its created_at', async () => {
    const made = await put({ supplier_name: 'Mill' });
    dashboard.clock.advance(1_000);
    const replaced = await put({ id: made['id'], name: 'Rye', category: null });
    expect(replaced).toEqual({ ...made, name: 'Rye', category: null, supplier_name: null, updated_at: isoNow() });
    expect((await stored(made['id']))?.revision).toBe(2);
  });

  test("inventory.put creates an item under the caller's id, and does so once", async () => {
    await Promise.all([1, 2, 3].map((current_stock) => put({ id: 'flour', current_stock })));
    expect(await stored('flour')).toMatchObject({ revision: 3, record: { id: 'flour', name: 'Flour' } });
  });

  test('inventory.put creates two items for the same id in two accounts', async () => {
    const other = await dashboard.openAccount();
    await put({ id: 'shared', name: 'Mine' });
    await dashboard.act('inventory.put', other, { ...flour, id: 'shared', name: 'Theirs' });
    expect((await stored('shared'))?.record.name).toBe('Mine');
  });
});

describe('inventory.adjust', () => {
  test('inventory.adjust adds and subtracts, also below 0', async () => {
    const { id } = await put();
    expect(await adjust(id, -12)).toMatchObject({ current_stock: -2 });
    expect(await adjust(id, 5)).toMatchObject({ current_stock: 3 });
  });

  test('inventory.adjust adds decimal fractions exactly', async () => {
    const { id } = await put({ current_stock: 0.1 });
    expect(await adjust(id, 0.2)).toMatchObject({ current_stock: 0.3 });
    expect(await adjust(id, -0.000001)).toMatchObject({ current_stock: 0.299999 });
  });

  test.each([999_999_999, -999_999_999])('inventory.adjust rejects a change by %d above the maximum stock', async (delta) => {
    const { id } = await put({ current_stock: Math.sign(delta) });
    expect(await dashboard.errorOf('inventory.adjust', account, { id, delta })).toMatchObject({ status: 400, field: 'delta' });
    expect((await stored(id))?.record.current_stock).toBe(Math.sign(delta));
  });
});
