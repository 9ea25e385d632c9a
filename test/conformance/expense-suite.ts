import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import { changeExpense, expenseOf, writeExpense } from '../support/records.ts';
import type { Bench } from './engines.ts';

const day = 86_400;
const start = 1_772_323_200;
const updated = (second: number) => new Date((start + second) * 1000).toISOString();

export const expenseSuite = (bench: () => Bench): void => {
  describe('expenses', () => {
    const save = async (count: number, fieldsOf: (i: number) => Partial<Expense>): Promise<{ account: string; ids: string[] }> => {
      const account = randomId('acct', 0);
      const saved = await Promise.all(Array.from({ length: count }, (_, i) => writeExpense(bench(), account, fieldsOf(i))));
      return { account, ids: saved.map(({ id }) => id) };
    };
    const readAll = async (account: string, query: ListQuery<'expense'>, limit: number): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let after: { position: string; id: string } | undefined; ; ) {
        const page = await bench().store.expenses.list(account, query, { limit, ...(after ? { after } : {}) });
        pages.push(page.records.map(({ id }) => id));
        if (!page.next) return pages;
        after = page.next;
      }
    };

    test('an expense is returned as it was stored, to its own account only', async () => {
      const full = {
        description: '',
        notes: '🍞\u0001\n',
        tags: ['', 'a'],
        supplier: { id: '', name: 'Mill' },
        tax: { amount: -0.01, rate: 8.875 },
        amount: 999_999_999_999.99,
      };
      const { account, ids } = await save(1, () => full);
      const stored = await bench().store.expenses.get(account, ids[0] ?? '');
      expect(stored).toEqual({ record: expect.objectContaining(full), revision: 1 });
      expect(await bench().store.expenses.get('acct_other', ids[0] ?? '')).toBeUndefined();
    });

    test('pages of expenses of every size have the same list, newest first, with ties by id', async () => {
      const { account, ids } = await save(9, (i) => ({ date: start + Math.floor(i / 3), id: `exp_${i}` }));
      const newestFirst = ids.toReversed();
      for (const limit of [1, 2, 3, 4, 9, 10]) {
        const pages = await readAll(account, { sort: 'date' }, limit);
        expect(pages.flat()).toEqual(newestFirst);
        expect(pages).toHaveLength(Math.ceil(9 / limit));
      }
    });

    test.each([
      [{ sort: 'date', from: start + day }, '432'],
      [{ sort: 'date', to: start + day }, '210'],
      [{ sort: 'date', from: start + day, to: start + day }, '2'],
      [{ sort: 'date', from: start + day, to: start }, ''],
      [{ sort: 'date', from: -5, to: -3 }, ''],
      [{ sort: 'date', from: -5, to: 253_402_300_799 }, '43210'],
      [{ sort: 'updated_at', from: updated(2) }, '432'],
      [{ sort: 'updated_at' }, '43210'],
    ] as const)('the bounds of a list of expenses are inclusive: %j', async (query, expected) => {
      const { account } = await save(5, (i) => ({ id: `exp_${i}`, date: start + Math.floor((i * day) / 2), updated_at: updated(i) }));
      for (const limit of [1, 2, 5]) {
        const pages = await readAll(account, query, limit);
        expect(pages.flat().join('')).toBe([...expected].map((i) => `exp_${i}`).join(''));
      }
    });

    test('each filter reads its index; a change moves the record, and a soft delete removes it', async () => {
      const { account, ids } = await save(3, () => ({ category: 'rent', status: 'draft', supplier: { id: 'a#b', name: null } }));
      const [first = '', second = '', third = ''] = ids;
      await changeExpense(bench(), account, first, { category: 'other', status: 'approved', supplier: null });
      await changeExpense(bench(), account, second, { deleted_at: updated(9) });
      for (const sort of ['date', 'updated_at'] as const) {
        const filtered = async (name: 'category' | 'status' | 'supplier_id', value: string) =>
          (await readAll(account, { sort, where: { [name]: [value] } }, 10)).flat();
        expect(await filtered('category', 'rent')).toEqual([third]);
        expect(await filtered('category', 'other')).toEqual([first]);
        expect(await filtered('status', 'approved')).toEqual([first]);
        expect(await filtered('supplier_id', 'a#b')).toEqual([third]);
        expect(await filtered('supplier_id', 'a')).toEqual([]);
        expect((await readAll(account, { sort }, 10)).flat().sort()).toEqual([first, third].sort());
      }
    });

    test('one of two writers with the same revision is rejected', async () => {
      const { store } = bench();
      const { account, ids } = await save(1, () => ({}));
      const stored = await store.expenses.get(account, ids[0] ?? '');
      if (!stored) throw new Error('The expense is gone.');
      const change = (amount: number) => store.commit([store.expenses.replaceWrite(account, { ...stored.record, amount }, stored)]);
      await change(1);
      await expect(change(2)).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.expenses.get(account, ids[0] ?? '')).toMatchObject({ record: { amount: 1 }, revision: 2 });
      const fresh = store.expenses.replaceWrite(account, stored.record, undefined);
      await expect(store.commit([fresh])).rejects.toMatchObject({ code: 'conflict' });
    });

    test('a cursor to a deleted record or an invalid position is rejected', async () => {
      const { store } = bench();
      const { account } = await save(3, (i) => ({ id: `exp_${i}`, date: start + i }));
      const { next } = await store.expenses.list(account, { sort: 'date' }, { limit: 1 });
      if (!next) throw new Error('There is no second page.');
      const second = (query: ListQuery<'expense'>, after = next) => store.expenses.list(account, query, { limit: 1, after });
      expect((await second({ sort: 'date' })).records).toHaveLength(1);
      const invalidCursor = { code: 'invalid_cursor', details: { field: 'cursor' } };
      await expect(second({ sort: 'date', to: start })).rejects.toMatchObject(invalidCursor);
      for (const position of [
        { ...next, id: 'exp_none' },
        { ...next, id: '' },
        { ...next, position: 'é' },
      ])
        await expect(second({ sort: 'date' }, position)).rejects.toMatchObject(invalidCursor);
      await changeExpense(bench(), account, next.id, { deleted_at: updated(9) });
      await expect(second({ sort: 'date' })).rejects.toMatchObject(invalidCursor);
    });

    test('expenses pages that the engine cuts at its own limit of bytes lose no record', async () => {
      const { account, ids } = await save(14, (i) => ({ id: `exp_${10 + i}`, description: 'x'.repeat(100_000) }));
      const pages = await readAll(account, { sort: 'date' }, 100);
      expect(pages.flat()).toEqual(ids.toReversed());
      expect(pages.length).toBe(2);
    });

    test('a write and a page cost the same units', async () => {
      const { store, wire } = bench();
      const account = randomId('acct', 0);
      const fields = { supplier: { id: 'sup_1', name: 'Mill' }, description: 'Two bags of flour' };
      wire.measure();
      for (let i = 0; i < 4; i++) await store.commit([store.expenses.createWrite(account, expenseOf(i, fields))]);
      // The record with its five pairs of index keys is under 1 KB, and so is each index entry.
      expect(wire.calls.map(({ capacityUnits, indexUnits }) => [capacityUnits, indexUnits])).toEqual(Array(4).fill([1 + 5, 5]));
      wire.measure();
      const { next } = await store.expenses.list(account, { sort: 'date' }, { limit: 2 });
      expect(wire.calls.map(({ capacityUnits }) => capacityUnits)).toEqual([0.5]);
      wire.measure();
      await store.expenses.list(account, { sort: 'date' }, { limit: 2, ...(next ? { after: next } : {}) });
      expect(wire.calls.map(({ capacityUnits }) => capacityUnits).sort()).toEqual([0.5, 1]);
    });
  });
};
