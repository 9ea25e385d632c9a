import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const least = { amount: 12.5, date: '2026-03-05', category: 'ingredients' };

describe('expense.create', () => {
  test('expense.create creates a draft of the dashboard, which it may edit', async () => {
    expect(await dashboard.act('expense.create', account, least)).toMatchObject({ status: 'draft', source: 'dashboard', editable: true });
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
});
