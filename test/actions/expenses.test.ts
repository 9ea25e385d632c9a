import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const least = { amount: 12.5, date: '2026-03-05', category: 'ingredients' };
const expenses = () => dashboard.services.store.expenses;

describe('expense.create', () => {
  test("expense.create creates a draft, and returns the API's full shape", async () => {
    const now = new Date(dashboard.clock.now()).toISOString();
    const made = await dashboard.act('expense.create', account, least);
    expect(made).toEqual({
      id: expect.stringMatching(/^exp_/),
      amount: 12.5,
      currency: 'USD',
      category: 'ingredients',
      subcategory: null,
      description: null,
      notes: null,
      tags: [],
      date: '2026-03-05T00:00:00.000Z',
      status: 'draft',
      source: 'dashboard',
      editable: true,
      supplier: null,
      payment: { method: null, status: null, due_date: null, reference: null },
      tax: null,
      external_id: null,
      created_at: now,
      updated_at: now,
    });
    expect(await expenses().get(account, made['id'])).toMatchObject({ revision: 1, record: { id: made['id'], deleted_at: null } });
  });

  test('expense.create accepts status, source and external_id, which the API does not', async () => {
    const dashboardFields = { status: 'approved', source: 'recurring', external_id: 'ext-1' };
    expect(await dashboard.act('expense.create', account, { ...least, ...dashboardFields })).toMatchObject({
      ...dashboardFields,
      editable: true,
    });
  });

  test('expense.create requires a currency if the account has none', async () => {
    const poor = await dashboard.openAccount({ currency: null });
    expect(await dashboard.errorOf('expense.create', poor, least)).toMatchObject({ status: 400, field: 'currency' });
    expect(await dashboard.act('expense.create', poor, { ...least, currency: 'AUD' })).toMatchObject({ currency: 'AUD' });
  });

  test.each([
    ['amount', { ...least, amount: '5' }],
    ['date', { ...least, date: 'then' }],
    ['category', { ...least, category: 'fun' }],
    ['status', { ...least, status: 'paid' }],
    ['source', { ...least, source: 'gateway_fee' }],
    ['external_id', { ...least, external_id: 5 }],
    ['supplier.name', { ...least, supplier: { name: [] } }],
  ])('expense.create rejects an invalid %s: %j', async (field, input) => {
    expect(await dashboard.errorOf('expense.create', account, input)).toMatchObject({ status: 400, code: 'invalid_value', field });
  });
});

describe('expense.delete', () => {
  test('expense.delete hides the expense from every read, and keeps the record', async () => {
    const owner = await dashboard.openAccount();
    const { id } = await dashboard.act('expense.create', owner, least);
    expect(await dashboard.act('expense.delete', owner, { id })).toEqual({ deleted: true, id });
    expect(await expenses().get(owner, id)).toBeUndefined();
    expect((await expenses().list(owner, { sort: 'updated_at' }, { limit: 10 })).records).toEqual([]);
  });

  test('expense.delete makes later updates and deletes return 404', async () => {
    const { id } = await dashboard.act('expense.create', account, least);
    await dashboard.act('expense.delete', account, { id });
    for (const action of ['expense.delete', 'expense.update']) {
      expect(await dashboard.errorOf(action, account, { id })).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('expense.delete is not undone by a simultaneous update', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await dashboard.act('expense.create', account, least);
      await Promise.all([
        dashboard.act('expense.delete', account, { id }),
        dashboard.call({ action: 'expense.update', account, input: { id, amount: 3 } }),
      ]);
      expect(await expenses().get(account, id)).toBeUndefined();
    }
  });
});
