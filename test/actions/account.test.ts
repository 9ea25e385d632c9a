import { describe, expect, test } from '@jest/globals';
import { actions } from '../../functions/actions/app.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 26 (docs/guarantees.md)

const dashboard = shared(startDashboard);

describe('account.create', () => {
  test('account.create requires name and plan only, and sets defaults for everything else', async () => {
    const now = new Date(dashboard.clock.now()).toISOString();
    expect(await dashboard.act('account.create', undefined, { name: '  Crumb <b>&</b> Co ', plan: 'starter' })).toEqual({
      id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
      name: 'Crumb & Co',
      region: 'us',
      plan: 'starter',
      status: 'active',
      currency: 'USD',
      order_limit: null,
      timezone: null,
      created_at: now,
      updated_at: now,
    });
  });

  test('account.create stores every field', async () => {
    const fields = { region: 'us', plan: 'business', status: 'grace', currency: 'cad', order_limit: 0, timezone: 'America/Toronto' };
    expect(await dashboard.act('account.create', undefined, { name: 'x', ...fields })).toMatchObject({ ...fields, currency: 'CAD' });
    expect(await dashboard.act('account.create', undefined, { name: 'x', plan: 'free', currency: null })).toMatchObject({ currency: null });
  });

  test.each([
    ['us', 'USD'],
    ['au', 'AUD'],
    ['eu', 'EUR'],
  ] as const)('account.create in region %s uses the currency %s by default', async (region, currency) => {
    const response = await actions({ ...dashboard.services, region })(
      { action: 'account.create', input: { name: 'x', plan: 'free' } },
      context,
    );
    expect(response).toMatchObject({ ok: true, result: { region, currency } });
  });
});

describe('account.get and account.update', () => {
  test("account.get and account.update accept the account's id in the input, in the call, or in both", async () => {
    const id = await dashboard.openAccount();
    for (const [account, input] of [
      [undefined, { id }],
      [id, {}],
      [id, { id }],
    ] as const) {
      expect(await dashboard.act('account.get', account, input)).toMatchObject({ id, name: 'Crumb' });
      expect(await dashboard.act('account.update', account, input)).toMatchObject({ id });
    }
  });

  test('account.get and account.update reject two different ids in input and call', async () => {
    const [one, two] = [await dashboard.openAccount(), await dashboard.openAccount()];
    expect(await dashboard.errorOf('account.get', one, { id: two })).toMatchObject({ status: 400, field: 'id' });
  });

  test('account.get and account.update reject a missing id, and return 404 for an unknown one', async () => {
    expect(await dashboard.errorOf('account.update', undefined, { plan: 'free' })).toMatchObject({ status: 400, field: 'account' });
    expect(await dashboard.errorOf('account.update', undefined, { id: 'acct_none' })).toMatchObject({ status: 404 });
    expect(await dashboard.errorOf('account.get', 'acct_none')).toMatchObject({ status: 404 });
  });
});
