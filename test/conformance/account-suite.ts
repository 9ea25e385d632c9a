import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import type { Bench } from './engines.ts';

const at = '2026-01-01T00:00:00.000Z';
const newAccount = (): Account => ({
  id: randomId('acct', 0),
  name: 'Crumb & Ωrust 🍰',
  region: 'us',
  plan: 'business',
  status: 'active',
  currency: null,
  order_limit: null,
  timezone: 'UTC',
  created_at: at,
  updated_at: at,
});
const newKey = (account: string): ApiKey => ({
  id: randomId('key', 0),
  account,
  hash: randomId('key', 1),
  name: '',
  type: 'secret',
  region: 'us',
  group: null,
  scopes: [],
  prefix: 'svc_sk_live_us_abcd',
  expires_at: null,
  revoked_at: null,
  created_at: at,
  updated_at: at,
});

export const accountSuite = (bench: () => Bench): void => {
  describe('accounts and keys', () => {
    test('an account is created once, is read with every field, and can be changed field by field', async () => {
      const { store } = bench();
      const account = newAccount();
      await store.commit([store.accounts.createWrite(account)]);
      await expect(store.commit([store.accounts.createWrite(account)])).rejects.toMatchObject({ name: 'ConditionFailed' });
      const changes = [{ plan: 'free' }, { currency: 'EUR' }, { order_limit: 3 }] as const;
      await Promise.all(changes.map((change) => store.commit([store.accounts.updateWrite(account.id, { ...change, updated_at: at })])));
      expect(await store.accounts.get(account.id)).toEqual({ ...account, plan: 'free', currency: 'EUR', order_limit: 3 });
    });

    test('an unknown account is neither returned nor created by a change', async () => {
      const { store } = bench();
      expect(await store.accounts.get('acct_none')).toBeUndefined();
      const write = store.accounts.updateWrite('acct_none', { plan: 'free', updated_at: at });
      await expect(store.commit([write])).rejects.toMatchObject({ code: 'not_found' });
    });

    test('a document is returned as it was put: empty texts, nulls, nesting, numbers', async () => {
      const { store } = bench();
      const document = { a: '', b: null, c: [[], {}, [null, '']], d: { 'e.f': -0.5, g: 1e-9, h: 999_999_999_999.99 }, i: [true, false] };
      await store.commit([store.accounts.putSettingsWrite('acct_document', document as never)]);
      expect(await store.accounts.getSettings('acct_document')).toEqual(document);
    });

    test('a key is found by its digest and under its account, and both change together', async () => {
      const { store } = bench();
      const key = newKey(randomId('acct', 0));
      await store.commit(store.apiKeys.createWrites(key));
      await store.commit(store.apiKeys.updateWrites(key, { revoked_at: at, updated_at: at }));
      const revoked = { ...key, revoked_at: at };
      expect(await store.apiKeys.findByHash(key.hash)).toEqual(revoked);
      expect(await store.apiKeys.get(key.account, key.id)).toEqual(revoked);
      expect(await store.apiKeys.list(key.account)).toEqual([revoked]);
      // An edit that was decided before the revocation does not undo it.
      await store.commit(store.apiKeys.updateWrites(key, { name: 'renamed', scopes: [], group: null, updated_at: at }));
      for (const stored of [await store.apiKeys.findByHash(key.hash), await store.apiKeys.get(key.account, key.id)])
        expect(stored).toEqual({ ...revoked, name: 'renamed' });
    });

    test('a transaction with one failed condition writes nothing and fails with that write’s message', async () => {
      const { store } = bench();
      const account = newAccount();
      const key = newKey(account.id);
      const writes = [store.accounts.createWrite(account), ...store.apiKeys.updateWrites(key, { name: 'x', updated_at: at })];
      await expect(store.commit(writes)).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.accounts.get(account.id)).toBeUndefined();
    });

    test("a bucket allows its limit in each window and returns the window's end", async () => {
      const { store, clock } = bench();
      const take = () => store.buckets.take('rule', 'subject', 2);
      const resetAtSeconds = (Math.floor(clock.now() / 60_000) + 1) * 60;
      const states = [await take(), await take(), await take()];
      expect(states).toEqual([true, true, false].map((allowed) => ({ allowed, resetAtSeconds })));
      clock.advance(60_000);
      expect(await take()).toEqual({ allowed: true, resetAtSeconds: resetAtSeconds + 60 });
    });

    test('a bucket allows exactly its limit of simultaneous requests', async () => {
      const { store } = bench();
      const states = await Promise.all(Array.from({ length: 12 }, () => store.buckets.take('rule', 'crowd', 5)));
      expect(states.filter(({ allowed }) => allowed)).toHaveLength(5);
    });
  });
};
