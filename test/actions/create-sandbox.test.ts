import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { allItems } from '../support/person.ts';
import { writeProduct } from '../support/products.ts';
import { shared } from '../support/shared.ts';
import { type Bakery, openBakery, startBakeries } from './bakery.ts';
import { allSettings } from './settings-sample.ts';

// decisions §7, account.create_sandbox

const service = shared(startBakeries);
let bakery: Bakery;
beforeAll(async () => {
  bakery = await openBakery(service);
  await service.act('settings.put', bakery.account, allSettings);
  await service.act('account.update', bakery.account, { currency: 'EUR', timezone: 'Europe/Vienna', plan: 'starter', order_limit: 3 });
});
beforeEach(() => service.pipeline.clear());

const sandboxOf = (account = bakery.account, input = {}) => service.act('account.create_sandbox', account, input);
const catalogOf = async (account: string) =>
  (await service.world.store.products.list(account, { sort: 'created' }, { limit: 100 })).records;

test('a sandbox is a new business account with currency and time zone of its account, and a name of its own', async () => {
  const { name } = await service.act('account.get', bakery.account);
  const now = new Date(service.world.clock.now()).toISOString();
  const sandbox = await sandboxOf();
  expect(sandbox).toEqual({
    id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
    name: `${name} (sandbox)`,
    region: 'us',
    plan: 'business',
    status: 'active',
    currency: 'EUR',
    order_limit: null,
    timezone: 'Europe/Vienna',
    created_at: now,
    updated_at: now,
  });
  expect(await service.act('account.get', sandbox['id'])).toEqual(sandbox);
  expect(await sandboxOf(bakery.account, { name: ' Test <b>kitchen</b> ' })).toMatchObject({ name: 'Test kitchen' });
});

test('the default name of a sandbox fits the longest name of an account', async () => {
  const { id } = await service.act('account.create', undefined, { name: 'é'.repeat(255), plan: 'free' });
  expect((await sandboxOf(id))['name']).toHaveLength(255);
});

test('the settings are copied without search and secrets, and the gateway is the sandbox', async () => {
  const { id } = await sandboxOf();
  const { search: _, checkout, ...settings } = allSettings;
  const { delivery_fee, branding } = checkout;
  expect(await service.act('settings.get', id)).toEqual({ ...settings, checkout: { gateway: 'sandbox', delivery_fee, branding } });
  const plain = (await service.act('account.create', undefined, { name: 'Plain', plan: 'free' }))['id'];
  const { id: other } = await sandboxOf(plain);
  expect(await service.act('settings.get', other)).toEqual({ checkout: { gateway: 'sandbox' } });
});

test('products that are not deleted are copied in their order, with new ids, and no other record is', async () => {
  for (const fields of [{ status: 'draft' }, { hidden: true }, { variants: [{ id: 'v1', name: 'Large', price: 9 }] }] as const) {
    service.world.clock.advance(1);
    await writeProduct(service.world, bakery.account, { name: JSON.stringify(fields), ...fields });
  }
  await writeProduct(service.world, bakery.account, { name: 'Deleted', status: 'deleted' });
  const [original, { id }] = [await catalogOf(bakery.account), await sandboxOf()];
  const copy = await catalogOf(id);
  const own = ({ id: _, created_at: __, updated_at: ___, ...rest }: (typeof copy)[number]) => rest;
  expect(copy.map(own)).toEqual(original.map(own));
  expect(new Set([...copy, ...original].map((product) => product.id)).size).toBe(2 * original.length);
  const kinds = (await allItems(service.world, id)).map(({ key }) => key.split('#')[0]);
  expect(new Set(kinds)).toEqual(new Set(['acc', 'prd', 'set']));
  expect(await service.act('account.usage', id)).toMatchObject({
    orders: { count: 0 },
    webhook_endpoints: { count: 0 },
    api_keys: { count: 0 },
  });
  const { orders, customers, payments, expenses } = await service.act('account.export', id);
  expect([orders, customers, payments, expenses]).toEqual([[], [], [], []]);
});

test('a catalog of more than 500 products gives a sandbox with the newest 500', async () => {
  const { id: account } = await service.act('account.create', undefined, { name: 'Large', plan: 'business' });
  const { store, clock } = service.world;
  for (let i = 0; i < 510; i++) {
    clock.advance(1);
    await writeProduct({ store, clock }, account, { name: `Cake ${i}` });
  }
  const { id } = await sandboxOf(account);
  const names: string[] = [];
  let after: any;
  do {
    const page = await store.products.list(id, { sort: 'created' }, { limit: 100, ...(after && { after }) });
    names.push(...page.records.map(({ name }) => name));
    after = page.next;
  } while (after);
  expect(names).toEqual(Array.from({ length: 500 }, (_, i) => `Cake ${509 - i}`));
});

test('a sandbox gives a key to its own catalog and accepts test payments', async () => {
  const { id } = await sandboxOf();
  const { key } = await service.act('key.create', id, { type: 'secret', group: 'fullAccess', name: 'Tests' });
  const [product] = (await service.world.request('GET', '/products', { key })).body.data;
  expect((await service.world.request('GET', `/products/${product.id}`, { key })).status).toBe(200);
  expect(await service.act('checkout.check', id)).toMatchObject({ gateway: 'sandbox', ok: true });
});

test('each call makes another sandbox, and a repeated token the same', async () => {
  const made = await Promise.all([sandboxOf(), sandboxOf(), service.act('account.create_sandbox', bakery.account, {}, 'twice')]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  expect(await service.act('account.create_sandbox', bakery.account, {}, 'twice')).toEqual(made[2]);
});

test('account.create_sandbox copies the catalog once in repeated and parallel calls with one token', async () => {
  const copies = async () => (await allItems(service.world)).filter(({ key }) => key.startsWith('prd#')).length;
  const before = await copies();
  const call = () => service.act('account.create_sandbox', bakery.account, {}, 'copied');
  await Promise.allSettled([call(), call(), call()]);
  expect((await catalogOf((await call())['id'])).length).toBe((await catalogOf(bakery.account)).length);
  expect(await copies()).toBe(before + (await catalogOf(bakery.account)).length);
});

test('a call that fails leaves no account, and a repeated one makes a whole sandbox', async () => {
  const before = (await allItems(service.world)).filter(({ key }) => key.startsWith('acc#')).length;
  let puts = 0;
  service.world.wire.intercept(async (_request, next) => {
    puts += 1;
    if (puts > 4) throw new Error('down');
    return await next();
  });
  await expect(sandboxOf()).rejects.toThrow();
  service.world.wire.intercept(undefined);
  expect((await allItems(service.world)).filter(({ key }) => key.startsWith('acc#'))).toHaveLength(before);
  expect(await catalogOf((await sandboxOf())['id'])).toHaveLength((await catalogOf(bakery.account)).length);
});

test('a call that ends after its commit, and is repeated with its token, has made one sandbox', async () => {
  const accounts = async () => (await allItems(service.world)).filter(({ key }) => key.startsWith('acc#')).length;
  const before = await accounts();
  let committed = false;
  service.world.wire.intercept(async (request, next) => {
    if (committed) throw new Error('down');
    committed = JSON.stringify(request).includes('"Once"');
    return await next();
  });
  const make = () => service.act('account.create_sandbox', bakery.account, { name: 'Once' }, 'once');
  await make().catch(() => undefined);
  service.world.wire.intercept(undefined);
  const { id } = await make();
  expect(await accounts()).toBe(before + 1);
  expect(await catalogOf(id)).toHaveLength((await catalogOf(bakery.account)).length);
});

test('an account that is unknown or erased has no sandbox', async () => {
  const { id } = await service.act('account.create', undefined, { name: 'Gone', plan: 'free' });
  await service.act('account.erase', id, {});
  for (const account of [id, 'acct_unknown'])
    expect(await service.errorOf('account.create_sandbox', account)).toMatchObject({ status: 404 });
});
