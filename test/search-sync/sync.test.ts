import { describe, expect, test } from '@jest/globals';
import { saveProduct, writeProduct } from '../support/products.ts';
import { adminKey, collection, useSearch } from './shop.ts';

// Guarantee 17 (docs/guarantees.md)

const t = useSearch();

const documentOf = (id: string) => t.engine.documents(collection).find((document) => document.id === id);
const requestsOf = (id: string) => t.engine.requests.filter(({ path }) => path.includes(id));
const inAccount = (product: string) => ({ account: t.account, product });

describe('the document', () => {
  test('the document has the id of the product, its owner and the searched fields', async () => {
    const { id } = await writeProduct(t.world, t.account, {
      name: 'Lemon tart',
      description: 'Sharp',
      price: 32,
      category: 'cakes',
      tags: ['summer'],
      images: ['https://img.example.com/1.jpg'],
      variants: [{ id: 'v1', name: 'Large', price: 40 }],
      allergens: [{ name: 'egg', level: 'contains' }],
      custom_fields: { supplier: 'secret' },
    });
    expect(await t.sync(inAccount(id))).toEqual([]);
    const seconds = Math.floor(t.world.clock.now() / 1000);
    expect(documentOf(id)).toEqual({
      id,
      account: t.account,
      name: 'Lemon tart',
      description: 'Sharp',
      status: 'active',
      storefront_visible: true,
      price: 32,
      currency: 'USD',
      category: 'cakes',
      tags: ['summer'],
      images: ['https://img.example.com/1.jpg'],
      variants: ['Large'],
      allergens: ['egg'],
      created_at: seconds,
      updated_at: seconds,
    });
  });

  test('the document follows the product: changed, hidden, shown, deleted', async () => {
    const { id } = await writeProduct(t.world, t.account, { name: 'Bun' });
    await t.sync(inAccount(id));
    await saveProduct(t.world, t.account, id, { name: 'Bun, sweet' });
    await t.sync(inAccount(id));
    expect(documentOf(id)).toMatchObject({ name: 'Bun, sweet', storefront_visible: true });
    await saveProduct(t.world, t.account, id, { hidden: true });
    await t.sync(inAccount(id));
    expect(documentOf(id)).toMatchObject({ storefront_visible: false });
    await saveProduct(t.world, t.account, id, { hidden: false });
    await t.sync(inAccount(id));
    expect(documentOf(id)).toMatchObject({ storefront_visible: true });
    await saveProduct(t.world, t.account, id, { status: 'deleted' });
    await t.sync(inAccount(id));
    expect(documentOf(id)).toBeUndefined();
  });

  test('a document that does not exist counts as deleted', async () => {
    const { id } = await writeProduct(t.world, t.account, { status: 'deleted' });
    expect(await t.sync(inAccount(id), inAccount('prd_never'))).toEqual([]);
    expect(requestsOf(id).map(({ method, status }) => [method, status])).toEqual([['DELETE', 404]]);
  });
});

describe('messages', () => {
  test('messages of one product cause one write', async () => {
    const { id } = await writeProduct(t.world, t.account);
    const before = t.engine.requests.length;
    expect(await t.sync(inAccount(id), inAccount(id), inAccount(id))).toEqual([]);
    expect(t.engine.requests.length - before).toBe(1);
  });

  test('messages that cannot be read return to the queue and delay no other', async () => {
    const { id } = await writeProduct(t.world, t.account);
    const good = JSON.stringify({ v: 1, account: t.account, product: id });
    const bad = [
      '',
      'null',
      '{}',
      JSON.stringify({ v: 2, account: 'a', product: 'b' }),
      JSON.stringify({ v: 1, account: '', product: 'b' }),
    ];
    expect(await t.invoke([...bad, good])).toEqual([0, 1, 2, 3, 4]);
    expect(documentOf(id)).toBeDefined();
  });

  test('messages are removed if the account no longer has a collection', async () => {
    const { id } = await writeProduct(t.world, t.account);
    await t.configure(t.account, { admin_key: undefined });
    expect(await t.sync(inAccount(id))).toEqual([]);
    await t.world.store.commit([t.world.store.accounts.putSettingsWrite(t.account, { search: null })]);
    expect(await t.sync(inAccount(id))).toEqual([]);
    expect(documentOf(id)).toBeUndefined();
  });

  test('messages leave the newer state even if a run that read the older state writes last', async () => {
    const { id } = await writeProduct(t.world, t.account, { name: 'Old' });
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let first = true;
    t.engine.gate(async () => {
      if (!first) return undefined;
      first = false;
      arrived.resolve();
      await release.promise;
      return undefined;
    });
    const slow = t.sync(inAccount(id));
    await arrived.promise;
    await saveProduct(t.world, t.account, id, { name: 'New' });
    expect(await t.sync(inAccount(id))).toEqual([]);
    expect(documentOf(id)).toMatchObject({ name: 'New' });
    release.resolve();
    expect(await slow).toEqual([]);
    expect(documentOf(id)).toMatchObject({ name: 'New' });
  });
});

describe('an engine that fails', () => {
  test.each([500, 503, 429, 401, 400, 301, 404])(
    'search-sync returns only the message of the product to which the engine responds with %d',
    async (status) => {
      const { id } = await writeProduct(t.world, t.account);
      const other = (await t.world.createAccount()).id;
      await t.configure(other);
      const otherProduct = await writeProduct(t.world, other);
      t.engine.gate(async ({ headers }) => (headers['x-typesense-api-key'] === adminKey ? undefined : status));
      await t.configure(t.account, { admin_key: 'another' });
      expect(await t.sync(inAccount(id), { account: other, product: otherProduct.id })).toEqual([0]);
      expect(documentOf(otherProduct.id)).toBeDefined();
      expect(documentOf(id)).toBeUndefined();
    },
  );

  test.each([
    ['a private address', 'https://10.0.0.1'],
    ['an internal name', 'search.internal'],
    ['cloud metadata', '169.254.169.254'],
    ['plain http', 'http://search.example.com'],
    ['another scheme', 'ftp://search.example.com'],
    ['credentials', 'https://user:pass@search.example.com'],
    ['nobody there', 'http://127.0.0.1:1'],
  ])('search-sync returns the message, and calls no engine, if it may not call it: %s', async (_title, host) => {
    const { id } = await writeProduct(t.world, t.account);
    await t.configure(t.account, { host });
    const before = t.engine.requests.length;
    expect(await t.sync(inAccount(id))).toEqual([0]);
    expect(t.engine.requests.length).toBe(before);
  });

  test('search-sync returns the message to the queue if engine and table fail', async () => {
    const { id } = await writeProduct(t.world, t.account);
    t.world.wire.intercept(async () => {
      throw new Error('down');
    });
    expect(await t.sync(inAccount(id))).toEqual([0]);
  });
});

test("no log line contains a key or a product's text", async () => {
  const { id } = await writeProduct(t.world, t.account, { name: 'Secret cake' });
  await t.sync(inAccount(id));
  await t.configure(t.account, { host: 'search.internal' });
  await t.sync(inAccount(id));
  const lines = JSON.stringify(t.world.log);
  expect(lines).toContain(id);
  expect(lines).not.toMatch(/admin-key|search-only-key|Secret cake/);
});

describe('an admin key that is a reference', () => {
  test('search-sync sends the secret that a referenced admin key names', async () => {
    await t.configure(t.account, { admin_key: 'ssm:search/admin_key' });
    t.parameters[`${t.account}/search/admin_key`] = adminKey;
    const { id } = await writeProduct(t.world, t.account);
    expect(await t.sync(inAccount(id))).toEqual([]);
    expect(documentOf(id)).toBeDefined();
  });

  test("search-sync returns the message without a call to the engine if the admin key's parameter is missing", async () => {
    await t.configure(t.account, { admin_key: 'ssm:search/admin_key' });
    const { id } = await writeProduct(t.world, t.account);
    expect(await t.sync(inAccount(id))).toEqual([0]);
    expect(requestsOf(id)).toEqual([]);
    expect(t.world.log.at(-1)).toMatchObject({ retry: true, error: { name: 'UnresolvedSecret' } });
  });
});
