import { expect, test } from '@jest/globals';
import { assertUsable, presentedKey } from '../../shared/auth/authenticate.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;

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
const invalidKey = { code: 'invalid_api_key' };
const pastEnd = { status: 400, code: 'invalid_value', field: 'expires_at' };
const inHours = (hours: number) => new Date(dashboard.clock.now() + hours * hourMs).toISOString();

test.each(['key.create', 'key.replace', 'key.update'])('%s rejects an end that is not in the future', async (action) => {
  const old = await open();
  const input = action === 'key.create' ? { type: 'secret', name: 'Till' } : { id: old.id };
  for (const expires_at of ['2020-01-01', '0', inHours(-1), inHours(0)])
    expect(await dashboard.errorOf(action, account, { ...input, expires_at })).toMatchObject(pastEnd);
  expect((await dashboard.act('key.list', account)).data).toMatchObject([{ id: old.id, expires_at: null }]);
});

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
  await expect(login(old.key)).rejects.toMatchObject(invalidKey);
});

test('key.replace without a number of hours ends the old key at once', async () => {
  const old = await open();
  await replace({ id: old.id });
  await expect(login(old.key)).rejects.toMatchObject(invalidKey);
});

test('key.replace gives both keys the end of the old key if that ends earlier than the hours', async () => {
  const expires_at = inHours(1);
  const old = await open({ expires_at });
  expect(await replace({ id: old.id, old_key_hours: 24 })).toMatchObject({ expires_at, replaced: { id: old.id, expires_at } });
});

test('key.replace returns the same key if repeated with its token, and creates no second one', async () => {
  const old = await open();
  const call = { action: 'key.replace', account, input: { id: old.id }, token: 'replace-till' };
  const first = await dashboard.call(call);
  expect(await dashboard.call(call)).toEqual(first);
  expect((await dashboard.act('key.list', account)).data).toHaveLength(2);
});

test('key.replace gives the new key the name and end that the caller sends', async () => {
  const old = await open({ expires_at: inHours(1) });
  expect(await replace({ id: old.id, name: 'Counter', expires_at: inHours(2) })).toMatchObject({ name: 'Counter', expires_at: inHours(2) });
});

test('key.replace gives the new key no end if the caller sends null', async () => {
  const old = await open({ expires_at: inHours(1) });
  expect(await replace({ id: old.id, expires_at: null })).toMatchObject({ name: old['name'], expires_at: null });
});

test('key.replace fails for a revoked key', async () => {
  const { id } = await open();
  await dashboard.act('key.revoke', account, { id });
  expect(await dashboard.errorOf('key.replace', account, { id })).toMatchObject({ status: 409, code: 'conflict' });
  expect((await dashboard.act('key.list', account)).data).toHaveLength(1);
});

test('key.replace of an expired key needs the end of the new key, which null removes', async () => {
  const old = await open({ expires_at: inHours(1) });
  dashboard.clock.advance(hourMs);
  expect(await dashboard.errorOf('key.replace', account, { id: old.id, old_key_hours: 24 })).toMatchObject(pastEnd);
  expect((await dashboard.act('key.list', account)).data).toHaveLength(1);
  const { key, replaced } = await replace({ id: old.id, old_key_hours: 24, expires_at: null });
  expect(replaced.expires_at).toBe(old['expires_at']);
  await login(key);
  await expect(login(old.key)).rejects.toMatchObject(invalidKey);
});

test('each replacement of a key gives the new key the end that the old key had before the first one', async () => {
  for (const expires_at of [null, inHours(100)]) {
    const old = await open({ expires_at });
    // The response to the first call is lost, so the caller repeats it with another token.
    await replace({ id: old.id, old_key_hours: 24 });
    const again = await replace({ id: old.id, old_key_hours: 12 });
    expect(again).toMatchObject({ expires_at, replaced: { expires_at: inHours(12) } });
    dashboard.clock.advance(13 * hourMs);
    expect(await replace({ id: old.id })).toMatchObject({ expires_at });
  }
});

test('key.replace of a key that would have ended by now needs the end of the new key, also at a later replacement', async () => {
  const old = await open({ expires_at: inHours(2) });
  await replace({ id: old.id, old_key_hours: 1 });
  dashboard.clock.advance(2 * hourMs);
  expect(await dashboard.errorOf('key.replace', account, { id: old.id })).toMatchObject(pastEnd);
  expect(await replace({ id: old.id, expires_at: inHours(5) })).toMatchObject({ expires_at: inHours(5) });
});

test.each<[string, number | null]>([
  ['another end', 50],
  ['no end', null],
])('key.replace gives the new key the end that key.update has set after a replacement: %s', async (_title, hours) => {
  const old = await open({ expires_at: inHours(100) });
  await replace({ id: old.id, old_key_hours: 24 });
  const expires_at = hours === null ? null : inHours(hours);
  await dashboard.act('key.update', account, { id: old.id, expires_at });
  for (let time = 0; time < 2; time++) expect(await replace({ id: old.id, old_key_hours: 24 })).toMatchObject({ expires_at });
});
