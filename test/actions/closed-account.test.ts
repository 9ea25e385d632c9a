import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../shared/domain/account/record.ts';
import { standstillAt } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { addEndpoint } from './deliveries.ts';

// Guarantee 14 (docs/guarantees.md)

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
});

const closedness = async (): Promise<boolean[]> =>
  (await dashboard.services.store.endpoints.all(account)).map(({ account_closed }) => account_closed);
const setStatus = (status: Account['status']) => dashboard.act('account.update', account, { status });
const register = () =>
  dashboard.act('webhook.create', account, { url: `https://receiver.example.com/${crypto.randomUUID()}`, events: ['expense.created'] });

describe('endpoints of an account that is closed', () => {
  test.each([0, 1, 10])('all %i endpoints of an account are marked when it closes, and unmarked when it opens', async (count) => {
    for (let i = 0; i < count; i++) await addEndpoint(dashboard, account);
    await setStatus('closed');
    expect(await closedness()).toEqual(Array(count).fill(true));
    await setStatus('suspended');
    expect(await closedness()).toEqual(Array(count).fill(false));
  });

  test('endpoints of an account that is closed include an endpoint that is registered while the account is closed', async () => {
    await setStatus('closed');
    await register();
    expect(await closedness()).toEqual([true]);
    await setStatus('active');
    expect(await closedness()).toEqual([false]);
  });

  test('endpoints of an account that is closed include an endpoint that is registered while the account is being closed', async () => {
    dashboard.wire.reset();
    await register();
    const commit = dashboard.wire.calls.findIndex(({ operation }) => operation === 'TransactWriteItems');
    const standstill = standstillAt(dashboard.wire, commit, 'before');
    const registering = register();
    await standstill.reached;
    await setStatus('closed');
    standstill.goOn();
    await registering;
    dashboard.wire.intercept(undefined);
    expect(await closedness()).toEqual([true, true]);
  });

  test('endpoints of a closed account include those that are registered and deleted at the same time', async () => {
    const ids = [await addEndpoint(dashboard, account), await addEndpoint(dashboard, account)];
    await Promise.all([
      setStatus('closed'),
      ...[1, 2, 3].map(register),
      ...ids.map((id) => dashboard.act('webhook.delete', account, { id })),
    ]);
    expect(await closedness()).toEqual(Array(3).fill(true));
  });

  test('endpoints of an account that is closed do not show the mark, neither in the list nor alone', async () => {
    const id = await addEndpoint(dashboard, account);
    const { data } = await dashboard.act('webhook.list', account);
    expect(data.map(({ id: listed }: { id: string }) => listed)).toEqual([id]);
    expect(JSON.stringify(data)).not.toContain('account_closed');
  });
});

test("account.erase closes the account's endpoints in the same commit", async () => {
  await addEndpoint(dashboard, account);
  dashboard.wire.intercept(async (call, send) => {
    if (call.operation === 'DeleteItem') throw new Error('gone');
    return await send();
  });
  await dashboard.call({ action: 'account.erase', account, input: { confirm: account } }).catch(() => {});
  dashboard.wire.intercept(undefined);
  expect(await closedness()).toEqual([true]);
});
