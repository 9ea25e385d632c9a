import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assertUsable, presentedKey } from '../../shared/auth/authenticate.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

let dashboard: Dashboard;
let account: string;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const hourMs = 3_600_000;

const open = async (more: Record<string, unknown> = {}) => {
  account = await dashboard.openAccount();
  return dashboard.act('key.create', account, { type: 'secret', name: 'Till', scopes: ['orders:read', 'products:read'], ...more });
};
const replace = (input: Record<string, unknown>) => dashboard.act('key.replace', account, input);
const login = async (value: string) => {
  const presented = presentedKey({ authorization: `Bearer ${value}`, host: undefined, region: 'us' });
  return assertUsable(await dashboard.services.store.apiKeys.findByHash(presented.hash), presented, dashboard.clock.now());
};
const refusedKey = { code: 'invalid_api_key' };

test('key.replace creates a key with the name, type and rights of the old key', async () => {
  const old = await open();
  const made = await replace({ id: old.id, old_key_hours: 24 });
  const { name, type, group, scopes } = old;
  expect(made).toMatchObject({ name, type, group, scopes, expires_at: null, revoked_at: null });
  expect(await login(made.key)).toMatchObject({ id: made.id, scopes });
});

test.each([1, 24, 168])('key.replace lets the old key work for %i hours', async (old_key_hours) => {
  const old = await open();
  const until = new Date(dashboard.clock.now() + old_key_hours * hourMs).toISOString();
  expect(await replace({ id: old.id, old_key_hours })).toMatchObject({ replaced: { id: old.id, expires_at: until } });
  dashboard.clock.advance(old_key_hours * hourMs - 1);
  expect(await login(old.key)).toMatchObject({ id: old.id });
  dashboard.clock.advance(1);
  await expect(login(old.key)).rejects.toMatchObject(refusedKey);
});

test('key.replace without a number of hours ends the old key at once', async () => {
  const old = await open();
  await replace({ id: old.id });
  await expect(login(old.key)).rejects.toMatchObject(refusedKey);
});

test('key.replace keeps the expiry of an old key that expires earlier', async () => {
  const expires_at = new Date(dashboard.clock.now() + hourMs).toISOString();
  const old = await open({ expires_at });
  expect((await replace({ id: old.id, old_key_hours: 24 })).replaced).toEqual({ id: old.id, expires_at });
});

test('key.replace returns the same key if repeated with its token, and creates no second one', async () => {
  const old = await open();
  const call = { action: 'key.replace', account, input: { id: old.id }, token: 'replace-till' };
  const first = await dashboard.call(call);
  expect(await dashboard.call(call)).toEqual(first);
  expect((await dashboard.act('key.list', account)).data).toHaveLength(2);
});

test('key.replace fails for a revoked or expired key', async () => {
  const revoked = await open();
  await dashboard.act('key.revoke', account, { id: revoked.id });
  const { id } = await dashboard.act('key.create', account, { type: 'secret', expires_at: '2020-01-01' });
  for (const one of [revoked.id, id])
    expect(await dashboard.refused('key.replace', account, { id: one })).toMatchObject({ status: 409, code: 'conflict' });
  expect((await dashboard.act('key.list', account)).data).toHaveLength(2);
});

test("key.replace returns 404 for another account's key", async () => {
  const { id } = await open();
  expect(await dashboard.refused('key.replace', await dashboard.openAccount(), { id })).toMatchObject({ status: 404 });
});

test.each([-1, 169, 0.5, '1'])('key.replace rejects old_key_hours %j', async (old_key_hours) => {
  const { id } = await open();
  expect(await dashboard.refused('key.replace', account, { id, old_key_hours })).toMatchObject({ status: 400, field: 'old_key_hours' });
});
