import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Store } from '../../shared/table/store.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';

const account: Account = {
  id: 'acct_1',
  name: 'Crumb',
  region: 'us',
  plan: 'business',
  status: 'active',
  currency: 'USD',
  order_limit: null,
  timezone: 'UTC',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const updated_at = '2026-01-02T00:00:00.000Z';

let engine: TestEngine;
let store: Store;
beforeAll(async () => {
  engine = await startEngine();
  store = await engine.createStore('accounts', systemClock);
  await store.commit([store.accounts.createWrite(account)]);
});
afterAll(() => engine.stop());

test('concurrent updates of different fields are all kept', async () => {
  const changes = [{ plan: 'free' }, { status: 'grace' }, { currency: null }, { order_limit: 3 }, { name: 'Crust' }] as const;
  await Promise.all(changes.map((change) => store.commit([store.accounts.updateWrite(account.id, { ...change, updated_at })])));
  expect(await store.accounts.get(account.id)).toEqual({ ...account, ...Object.assign({}, ...changes), updated_at });
});

test('an update creates no account', async () => {
  const write = store.accounts.updateWrite('acct_2', { plan: 'free', updated_at });
  await expect(store.commit([write])).rejects.toMatchObject({ code: 'not_found' });
  expect(await store.accounts.get('acct_2')).toBeUndefined();
});

test('a second account of the same id is rejected', async () => {
  await expect(store.commit([store.accounts.createWrite({ ...account, name: 'Other' })])).rejects.toThrow();
  expect((await store.accounts.get(account.id))?.name).not.toBe('Other');
});

test('settings are stored as they were put, and are an empty document before', async () => {
  expect(await store.accounts.getSettings('acct_3')).toEqual({});
  const document = { search: null, time_slots: { pickup: [{ start: null, multiplier: 'a lot' }] } };
  await store.commit([store.accounts.putSettingsWrite('acct_3', document)]);
  expect(await store.accounts.getSettings('acct_3')).toEqual(document);
});
