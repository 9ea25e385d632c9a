import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import type { ApiKey } from '../../shared/domain/account/record.ts';
import type { Store } from '../../shared/table/store.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';

const key = (id: string): ApiKey => ({
  id,
  account: 'acct_1',
  hash: `digest of ${id}`,
  name: id,
  type: 'secret',
  region: 'us',
  group: 'readOnly',
  scopes: ['orders:read'],
  prefix: 'svc_sk_live_us_abcd',
  expires_at: null,
  revoked_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});
const updated_at = '2026-01-02T00:00:00.000Z';

let engine: TestEngine;
let store: Store;
beforeAll(async () => {
  engine = await startEngine();
  store = await engine.createStore('api-keys', systemClock);
});
afterAll(() => engine.stop());

test('a read by digest and a read by account and id return the same key', async () => {
  await store.commit(store.apiKeys.createWrites(key('key_1')));
  expect(await store.apiKeys.findByHash('digest of key_1')).toEqual(key('key_1'));
  expect(await store.apiKeys.get('acct_1', 'key_1')).toEqual(key('key_1'));
  expect(await store.apiKeys.get('acct_2', 'key_1')).toBeUndefined();
  expect(await store.apiKeys.list('acct_2')).toEqual([]);
});

test('an edit made from an old read does not undo a revocation', async () => {
  await store.commit(store.apiKeys.createWrites(key('key_2')));
  const read = key('key_2');
  await store.commit(store.apiKeys.updateWrites(read, { revoked_at: updated_at, updated_at }));
  await store.commit(store.apiKeys.updateWrites(read, { name: 'renamed', scopes: [], group: null, updated_at }));
  const expected = { ...read, name: 'renamed', scopes: [], group: null, revoked_at: updated_at, updated_at };
  expect(await store.apiKeys.findByHash(read.hash)).toEqual(expected);
  expect(await store.apiKeys.get('acct_1', 'key_2')).toEqual(expected);
});

test('concurrent edits of one key are all kept in both of its records', async () => {
  await store.commit(store.apiKeys.createWrites(key('key_3')));
  const changes = [{ name: 'renamed' }, { group: null, scopes: [] }, { revoked_at: updated_at }] as const;
  await Promise.all(changes.map((change) => store.commit(store.apiKeys.updateWrites(key('key_3'), { ...change, updated_at }))));
  const expected = { ...key('key_3'), ...Object.assign({}, ...changes), updated_at };
  expect(await store.apiKeys.findByHash(key('key_3').hash)).toEqual(expected);
  expect(await store.apiKeys.get('acct_1', 'key_3')).toEqual(expected);
});

test('an edit creates no key', async () => {
  await expect(store.commit(store.apiKeys.updateWrites(key('key_4'), { name: 'x', updated_at }))).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await store.apiKeys.findByHash(key('key_4').hash)).toBeUndefined();
});
