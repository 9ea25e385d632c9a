import { describe, expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';
import { adminKey, collection, useSearch } from '../search-sync/shop.ts';
import { saveProduct, writeProduct } from '../support/products.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

// decisions §7, search.reindex

const t = useSearch();
const service = shared(() => startBakeries(t.world));

const reindex = (input: unknown = {}) => service.act('search.reindex', t.account, input);
const documents = () => t.engine.documents(collection).filter((document) => document['account'] === t.account);
const ids = () => new Set(documents().map(({ id }) => id));
const write = async (count: number) => {
  const products = [];
  for (let i = 0; i < count; i++) {
    t.world.clock.advance(1);
    products.push((await writeProduct(t.world, t.account, { name: `Cake ${i}` })).id);
  }
  return products;
};

test('the products of a storefront are written as they are, and nothing is removed from an empty collection', async () => {
  const [first = '', second = ''] = await write(2);
  expect(await reindex()).toEqual({ sent: 2, removed: 0, next_cursor: null });
  expect(ids()).toEqual(new Set([first, second]));
  expect(documents()[0]).toMatchObject({ account: t.account, storefront_visible: true, status: 'active' });
  await saveProduct(t.world, t.account, first, { name: 'Bun' });
  expect(await reindex()).toEqual({ sent: 2, removed: 0, next_cursor: null });
  expect(documents().find(({ id }) => id === first)).toMatchObject({ name: 'Bun' });
});

test('only what a publishable key can see stays: hidden, draft, deleted and unknown products are removed', async () => {
  const [visible = '', hidden = '', draft = '', deleted = ''] = await write(4);
  await reindex();
  await saveProduct(t.world, t.account, hidden, { hidden: true });
  await saveProduct(t.world, t.account, draft, { status: 'draft' });
  await saveProduct(t.world, t.account, deleted, { status: 'deleted' });
  t.engine.put(collection, { id: 'prd_unknown', account: t.account });
  expect(await reindex()).toEqual({ sent: 1, removed: 4, next_cursor: null });
  expect(ids()).toEqual(new Set([visible]));
});

test('documents of other accounts in the collection stay', async () => {
  t.engine.put(collection, { id: 'prd_theirs', account: 'acct_other' });
  await reindex();
  expect(t.engine.documents(collection)).toContainEqual({ id: 'prd_theirs', account: 'acct_other' });
});

test('a large catalog takes several calls, and the last one removes other documents, however many', async () => {
  for (let i = 0; i < 250; i++) t.engine.put(collection, { id: `prd_old_${i}`, account: t.account });
  const products = await write(101);
  const first = await reindex();
  expect(first).toEqual({ sent: 100, removed: 0, next_cursor: expect.any(String) });
  expect(await reindex({ cursor: first['next_cursor'] })).toEqual({ sent: 1, removed: 250, next_cursor: null });
  expect(ids()).toEqual(new Set(products));
});

test('ops search.reindex repeats the call until the whole catalog is written and other documents are removed', async () => {
  t.engine.put(collection, { id: 'prd_old', account: t.account });
  const products = await write(101);
  expect(await follow('search.reindex', reindex, {})).toEqual({ sent: 101, removed: 1, next_cursor: null });
  expect(ids()).toEqual(new Set(products));
});

test('a call that runs out of time while it removes documents returns a cursor that continues', async () => {
  for (let i = 0; i < 250; i++) t.engine.put(collection, { id: `prd_slow_${i}`, account: t.account });
  t.engine.gate(async ({ method }) => {
    if (method === 'DELETE') t.world.clock.advance(1_000);
    return undefined;
  });
  const first = await reindex();
  expect(first).toEqual({ sent: 0, removed: 100, next_cursor: expect.any(String) });
  t.engine.gate(undefined);
  expect(await reindex({ cursor: first['next_cursor'] })).toEqual({ sent: 0, removed: 150, next_cursor: null });
  expect(ids()).toEqual(new Set());
});

test('a product that changes while it is written or removed ends as it is then stored', async () => {
  const [sent = '', removed = ''] = await write(2);
  await reindex();
  await saveProduct(t.world, t.account, removed, { hidden: true });
  const change: Record<string, () => Promise<void>> = {
    POST: () => saveProduct(t.world, t.account, sent, { name: 'Changed' }),
    DELETE: () => saveProduct(t.world, t.account, removed, { hidden: false }),
  };
  t.engine.gate(async ({ method = '' }) => {
    const next = change[method];
    delete change[method];
    await next?.();
    return undefined;
  });
  expect(await reindex()).toEqual({ sent: 1, removed: 0, next_cursor: null });
  expect(documents().find(({ id }) => id === sent)).toMatchObject({ name: 'Changed' });
  expect(documents().find(({ id }) => id === removed)).toMatchObject({ storefront_visible: true });
});

describe('search.reindex is 409 conflict and names the cause', () => {
  test.each([
    ['without search', { search: null }],
    ['without an admin key', { search: { provider: 'typesense', host: 'search.example.com', collection, search_key: 'key' } }],
  ])('the settings are %s', async (_, settings) => {
    await t.world.store.commit([t.world.store.accounts.putSettingsWrite(t.account, settings as object)]);
    const error = await service.errorOf('search.reindex', t.account);
    expect(error).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('admin_key') });
  });

  test.each([
    ['the admin key is rejected', { admin_key: 'other' }, 401],
    ['the collection does not exist', { collection: 'none' }, 404],
    ['the host is private', { host: 'search.internal' }, 'invalid_url'],
    ['a referenced admin key has no parameter', { admin_key: 'ssm:search/none' }, 'ParameterNotFound'],
  ])('search.reindex is rejected with 409 if %s', async (_, search, cause) => {
    await write(1);
    await t.configure(t.account, search);
    const error = await service.errorOf('search.reindex', t.account);
    expect(error).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining(String(cause)) });
    expect(JSON.stringify(error)).not.toContain(adminKey);
  });

  test.each([
    ['a write', 'POST', 503],
    ['the list of documents', 'GET', 500],
    ['a list that is not readable', 'GET', 204],
  ])('%s fails; the next call repairs it', async (_, method, status) => {
    const products = await write(3);
    t.engine.gate(async (request) => (request.method === method ? status : undefined));
    expect(await service.errorOf('search.reindex', t.account)).toMatchObject({ status: 409, code: 'conflict' });
    t.engine.gate(undefined);
    expect(await reindex()).toEqual({ sent: 3, removed: 0, next_cursor: null });
    expect(ids()).toEqual(new Set(products));
  });
});

test('every write that fails is sent to the search queue before the call ends, delayed so that the engine has ended the failed one', async () => {
  const delayed = async (): Promise<number> => {
    const { data } = await service.act('queue.status', undefined);
    return data.find(({ queue }: { queue: string }) => queue === 'search').delayed;
  };
  await write(2);
  const before = await delayed();
  let requests = 0;
  t.engine.gate(async () => {
    // The first failure has been sent before the second request fails.
    for (let tries = ++requests === 1 ? 100 : 0; tries < 100 && (await delayed()) === before; tries++);
    return 503;
  });
  await service.errorOf('search.reindex', t.account);
  expect(await delayed()).toBe(before + 2);
});

test.each([
  ['a cursor of another account', 'other', 'invalid_cursor'],
  ['a cursor that nobody made', 'x', 'invalid_cursor'],
  ['an empty cursor', '', 'invalid_value'],
])('%s is rejected', async (_, from, code) => {
  let cursor = from;
  if (from === 'other') {
    await write(101);
    cursor = String((await reindex())['next_cursor']);
    const other = (await t.world.createAccount()).id;
    await t.configure(other);
    expect(await service.errorOf('search.reindex', other, { cursor })).toMatchObject({ status: 400, code });
  } else expect(await service.errorOf('search.reindex', t.account, { cursor })).toMatchObject({ status: 400, code });
});

test.each(['acct_unknown', 'erased'])('an account that is %s is not found', async (which) => {
  const account = which === 'erased' ? (await t.world.createAccount()).id : which;
  if (which === 'erased') await service.act('account.erase', account, {});
  expect(await service.errorOf('search.reindex', account)).toMatchObject({ status: 404 });
});
