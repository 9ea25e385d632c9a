import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { actions } from '../../functions/actions/app.ts';
import { follow } from '../../ops/invoke.ts';
import { assertUsable, presentedKey } from '../../shared/auth/authenticate.ts';
import { publishableScopes, scopeGroups, selectableScopes } from '../../shared/core/scopes.ts';
import type { ApiKey } from '../../shared/domain/account/record.ts';
import { bulkPut } from '../support/bulk.ts';
import { context } from '../support/context.ts';
import { brokenConnection, isCommit, runBefore } from '../support/faults.ts';
import { allItems } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { startBakeries } from './bakery.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const create = (input: Record<string, unknown>) => dashboard.act('key.create', account, input);
const login = async (value: string) => {
  const presented = presentedKey({ authorization: `Bearer ${value}`, host: undefined, region: 'us' });
  return assertUsable(await dashboard.services.store.apiKeys.findByHash(presented.hash), presented, dashboard.clock.now());
};

describe('key.create', () => {
  test.each([
    ['svc_sk_live_us_', { type: 'secret' }],
    ['svc_pk_live_us_', { type: 'publishable' }],
    ['svc_live_us_', { type: 'secret', legacy: true }],
  ])('key.create returns a key of %s and 43 characters, which authenticates requests', async (head, input) => {
    const { key, ...shown } = await create(input);
    expect(key.startsWith(head)).toBe(true);
    expect(key.slice(head.length)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(shown['prefix']).toBe(key.slice(0, head.length + 4));
    expect(await login(key)).toMatchObject({ id: shown['id'], account, type: input.type, scopes: shown['scopes'] });
  });

  test("key.create puts the deployed region into the key's value", async () => {
    const response = await actions({ ...dashboard.services, region: 'eu' })(
      { action: 'key.create', account, input: { type: 'secret' } },
      context,
    );
    expect(response).toMatchObject({ ok: true, result: { key: expect.stringMatching(/^svc_sk_live_eu_/), region: 'eu' } });
  });

  test('key.create returns every field of the key', async () => {
    const now = new Date(dashboard.clock.now()).toISOString();
    expect(await create({ type: 'secret', name: 'Till', group: 'readOnly', expires_at: '2099-01-01' })).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Till',
      type: 'secret',
      region: 'us',
      group: 'readOnly',
      scopes: scopeGroups.readOnly,
      prefix: expect.any(String),
      expires_at: '2099-01-01T00:00:00.000Z',
      last_used_on: null,
      revoked_at: null,
      created_at: now,
      updated_at: now,
      key: expect.any(String),
    });
  });

  test('key.create stores only a digest of the value', async () => {
    const { id, key } = await create({ type: 'secret' });
    const stored = await dashboard.services.store.apiKeys.get(account, id);
    expect(stored?.hash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  test('key.create gives a secret key its group, the named scopes, or full access', async () => {
    for (const group of Object.keys(scopeGroups) as (keyof typeof scopeGroups)[]) {
      expect(await create({ type: 'secret', group })).toMatchObject({ group, scopes: scopeGroups[group] });
    }
    expect(await create({ type: 'secret', scopes: ['orders:read', 'orders:read'] })).toMatchObject({
      group: null,
      scopes: ['orders:read'],
    });
    expect(await create({ type: 'secret', scopes: [] })).toMatchObject({ group: null, scopes: [] });
    expect(await create({ type: 'secret', name: 'x', group: null })).toMatchObject({ group: 'fullAccess', scopes: selectableScopes });
  });

  test('key.create gives a publishable key all publishable scopes', async () => {
    for (const more of [{}, { group: 'commerce' }, { scopes: ['products:read'] }, { scopes: [] }]) {
      expect(await create({ type: 'publishable', ...more })).toMatchObject({ group: 'commerce', scopes: publishableScopes });
    }
  });
});

test('key.list shows every key of the account, oldest first, without value or digest', async () => {
  const owner = await dashboard.openAccount();
  const made = [];
  for (const name of ['a', 'b', 'c']) {
    dashboard.clock.advance(5);
    made.push(await dashboard.act('key.create', owner, { type: 'secret', name }));
  }
  const { data } = await dashboard.act('key.list', owner);
  expect(data).toEqual(made.map(({ key: _, ...shown }) => shown));
  expect(JSON.stringify(data)).not.toMatch(/hash|[0-9a-f]{64}/);
});

describe('an account with many keys', () => {
  const most = 1_000;
  const isoAt = (ms: number) => new Date(ms).toISOString();
  let owner: string;
  let made: string[];
  /** Stores keys of which these many have expired and are revoked. */
  beforeAll(async () => {
    owner = await dashboard.openAccount();
    const { id } = await dashboard.act('key.create', owner, { type: 'secret', name: 'First' });
    const { engine, services, clock } = dashboard;
    const first = await services.store.apiKeys.get(owner, id);
    if (!first) throw new Error('The key is not stored.');
    const keyAt = (n: number): ApiKey => ({
      ...first,
      id: services.newId('key', clock.now() + n),
      hash: `${owner}-${n}`,
      name: '\u00e9"'.repeat(120),
      expires_at: n === 1 ? isoAt(clock.now()) : null,
      revoked_at: n === 2 ? isoAt(clock.now()) : null,
    });
    const keys = Array.from({ length: most }, (_, n) => keyAt(n + 1));
    await bulkPut(
      engine,
      keys.flatMap((key) => services.store.apiKeys.createWrites(key)),
    );
    made = [id, ...keys.map((key) => key.id)];
    dashboard.clock.advance(most + 1);
  });
  const list = (input: object) => dashboard.act('key.list', owner, input);
  const idsOf = ({ data }: Record<string, any>): string[] => data.map((key: { id: string }) => key.id);

  test('key.list returns 500 keys at once by default and the next ones after next_cursor, which is null on the last page', async () => {
    const [first, second, third] = [made.slice(0, 500), made.slice(500, 1_000), made.slice(1_000)];
    const page = await list({});
    expect(idsOf(page)).toEqual(first);
    const next = await list({ cursor: page['next_cursor'] });
    expect(idsOf(next)).toEqual(second);
    const last = await list({ cursor: next['next_cursor'] });
    expect([idsOf(last), last['next_cursor']]).toEqual([third, null]);
    const bothPages = await list({ cursor: page['next_cursor'], limit: 501 });
    expect([idsOf(bothPages), bothPages['next_cursor']]).toEqual([[...second, ...third], null]);
    for (const limit of [0, 1_001, 1.5, '5'])
      expect(await dashboard.errorOf('key.list', owner, { limit })).toMatchObject({ field: 'limit' });
  });

  test('key.list rejects a cursor that it did not return for this account', async () => {
    const { next_cursor } = await list({ limit: 1 });
    const [, fingerprint = ''] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString());
    const forged = ['', 'key_none', 'k'.repeat(2_000), made[0]?.replace('key', 'acct') ?? ''];
    const cursors = ['nonsense', ...forged.map((id) => Buffer.from(JSON.stringify([1, fingerprint, '', id])).toString('base64url'))];
    for (const cursor of cursors)
      expect(await dashboard.errorOf('key.list', owner, { cursor: cursor.slice(0, 2_048) })).toMatchObject({
        status: 400,
        code: 'invalid_cursor',
      });
    expect(await dashboard.errorOf('key.list', account, { cursor: next_cursor })).toMatchObject({ code: 'invalid_cursor' });
  });

  test('account.export has every key once, in pages, with the day of its last use', async () => {
    await dashboard.services.store.apiKeys.noteUse({ account: owner, id: made[700] ?? '', created_at: isoAt(0) }, '2026-03-01');
    const document = (await follow('account.export', (input) => dashboard.act('account.export', owner, input ?? {}), {})) as Record<
      string,
      any
    >;
    const pages = [await list({ limit: 1_000 })];
    pages.push(await list({ cursor: pages[0]?.['next_cursor'] }));
    expect(document['keys']).toEqual(pages.flatMap(({ data }) => data));
    expect(document['keys'][700].last_used_on).toBe('2026-03-01');
  });

  test('key.create fails with 409 if 1,000 keys are neither revoked nor expired, and key.replace works', async () => {
    const create_ = () => dashboard.act('key.create', owner, { type: 'secret' });
    await create_();
    expect(await dashboard.errorOf('key.create', owner, { type: 'secret' })).toMatchObject({ status: 409, code: 'conflict' });
    await dashboard.act('key.replace', owner, { id: made[5], old_key_hours: 24 });
    await dashboard.act('key.revoke', owner, { id: made[5] });
    expect(await dashboard.errorOf('key.create', owner, { type: 'secret' })).toMatchObject({ status: 409 });
    await dashboard.act('key.revoke', owner, { id: made[6] });
    await create_();
  });
});

describe('key.update', () => {
  test('key.update changes the fields that are sent, from the next request on', async () => {
    const { key, ...made } = await create({ type: 'secret', group: 'fullAccess' });
    expect(await dashboard.act('key.update', account, { id: made['id'], name: 'Van' })).toEqual({ ...made, name: 'Van' });
    const narrowed = await dashboard.act('key.update', account, { id: made['id'], scopes: ['orders:read'] });
    expect(narrowed).toEqual({ ...made, name: 'Van', group: null, scopes: ['orders:read'] });
    expect((await login(key)).scopes).toEqual(['orders:read']);
    expect(await dashboard.act('key.update', account, { id: made['id'], group: 'readOnly' })).toMatchObject({
      group: 'readOnly',
      scopes: scopeGroups.readOnly,
    });
    expect(await dashboard.act('key.update', account, { id: made['id'] })).toMatchObject({ name: 'Van', group: 'readOnly' });
  });

  test('key.update sets and removes an expiry', async () => {
    const { id, key } = await create({ type: 'secret' });
    await dashboard.act('key.update', account, { id, expires_at: new Date(dashboard.clock.now() + 1).toISOString() });
    dashboard.clock.advance(1);
    await expect(login(key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await dashboard.act('key.update', account, { id, expires_at: null })).toMatchObject({ expires_at: null });
    expect(await login(key)).toMatchObject({ id });
  });

  test('key.update keeps the scopes of a publishable key', async () => {
    const { id } = await create({ type: 'publishable' });
    expect(await dashboard.errorOf('key.update', account, { id, scopes: ['orders:read'] })).toMatchObject({
      status: 400,
      field: 'scopes.0',
    });
    expect(await dashboard.errorOf('key.update', account, { id, group: 'fullAccess' })).toMatchObject({ status: 400, field: 'group' });
    expect(await dashboard.act('key.update', account, { id, scopes: ['products:read'] })).toMatchObject({ scopes: publishableScopes });
  });

  test('key.update fails for a revoked key', async () => {
    const { id } = await create({ type: 'secret' });
    await dashboard.act('key.revoke', account, { id });
    expect(await dashboard.errorOf('key.update', account, { id, name: 'x' })).toMatchObject({ status: 409, code: 'conflict' });
  });

  test('key.update never undoes a revocation that is committed during its call', async () => {
    const { id, key } = await create({ type: 'secret' });
    dashboard.wire.intercept(runBefore(isCommit, () => dashboard.act('key.revoke', account, { id })));
    await dashboard.call({ action: 'key.update', account, input: { id, name: 'late', group: 'fullAccess' } });
    dashboard.wire.intercept(undefined);
    await expect(login(key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('key.revoke', () => {
  test('key.revoke ends the key at once, and changes nothing if repeated', async () => {
    const { id, key } = await create({ type: 'secret' });
    await login(key);
    const revoked = await dashboard.act('key.revoke', account, { id });
    expect(revoked).toMatchObject({ id, revoked_at: new Date(dashboard.clock.now()).toISOString() });
    await expect(login(key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    dashboard.clock.advance(1_000);
    expect(await dashboard.act('key.revoke', account, { id })).toEqual(revoked);
  });
});

describe('last_used_on of a key', () => {
  test('last_used_on of a key is the UTC day of its last successful request; requests succeed even if it cannot be stored', async () => {
    const world = await startWorld();
    const service = await startBakeries(world);
    try {
      const { id: tenant } = await world.createAccount();
      const { id, key, last_used_on } = await service.act('key.create', tenant, { type: 'secret', group: 'readOnly', name: 'Reports' });
      expect(last_used_on).toBeNull();
      const listed = async () => (await service.act('key.list', tenant))['data'][0].last_used_on;
      const ask = (method: string, path: string) => world.request(method, path, { key, ...(method === 'POST' ? { body: {} } : {}) });
      expect([(await ask('POST', '/expenses')).status, await listed()]).toEqual([403, null]);
      world.wire.intercept(async (call, send) => {
        if (call.operation === 'PutItem') throw brokenConnection();
        return await send();
      });
      expect([(await ask('GET', '/expenses')).status, await listed()]).toEqual([200, null]);
      world.wire.intercept(undefined);
      const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);
      expect([(await ask('GET', '/expenses')).status, await listed()]).toEqual([200, today()]);
      const first = today();
      world.clock.advance(86_400_000);
      expect(await service.act('key.update', tenant, { id, name: 'Monthly reports' })).toMatchObject({ last_used_on: first });
      await ask('GET', '/orders');
      expect(await listed()).toBe(today());
      await service.act('account.erase', tenant, {});
      expect((await allItems(world)).filter(({ key: name }) => name.startsWith(`kus#${tenant}`))).toEqual([]);
    } finally {
      await service.stop();
      await world.stop();
    }
  });
});
