import { beforeAll, describe, expect, test } from '@jest/globals';
import { routeKey } from '../../shared/core/routes.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { searchDocument } from '../../shared/domain/product/search.ts';
import { openShop, type Shop, shopSettings, thursday } from '../checkout/shop.ts';
import { visitor } from '../checkout-page/page.ts';
import { saveProduct } from '../support/products.ts';
import { searchSettings, send } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, startWorld } from '../support/world.ts';

/**
 * Everything that a caller with the publishable key can read. Every shopper's browser has this key.
 */
const world = shared(startWorld);

type Field = NonNullable<Settings['custom_fields']>[number];

/**
 * Every state of the definition of a product's custom field, and whether shoppers see its value.
 */
const states: readonly (readonly [string, boolean, readonly Field[]])[] = [
  ['active, on products', true, [{ id: 'f', key: 'k', scopes: ['product'] }]],
  ['active, said so', true, [{ id: 'f', key: 'k', scopes: ['product'], active: true, internal: false }]],
  ['active and internal left null', true, [{ id: 'f', key: 'k', scopes: ['product'], active: null, internal: null }]],
  ['on products among others', true, [{ id: 'f', key: 'k', scopes: ['kitchen', 'order', 'product'] }]],
  ['without a key, known by its id', true, [{ id: 'k', scopes: ['product'] }]],
  ['with an empty key, known by its id', true, [{ id: 'k', key: '', scopes: ['product'] }]],
  [
    'renewed after an inactive one of that key',
    true,
    [
      { id: 'old', key: 'k', active: false, internal: true },
      { id: 'f', key: 'k', scopes: ['product'] },
    ],
  ],
  ['removed', false, []],
  ['removed, others left', false, [{ id: 'f', key: 'other', scopes: ['product'] }]],
  ['inactive', false, [{ id: 'f', key: 'k', scopes: ['product'], active: false }]],
  ['internal', false, [{ id: 'f', key: 'k', scopes: ['product'], internal: true }]],
  ['internal and inactive', false, [{ id: 'f', key: 'k', scopes: ['product'], active: false, internal: true }]],
  ['internal, without a key', false, [{ id: 'k', scopes: ['product'], internal: true }]],
  [
    'internal beside a public one of that key',
    false,
    [
      { id: 'f', key: 'k', scopes: ['product'] },
      { id: 'k', internal: true },
    ],
  ],
  ['on orders', false, [{ id: 'f', key: 'k', scopes: ['order'] }]],
  ['on customers', false, [{ id: 'f', key: 'k', scopes: ['customer'] }]],
  ['of an internal scope', false, [{ id: 'f', key: 'k', scopes: ['kitchen'] }]],
  ['of a scope in other letters', false, [{ id: 'f', key: 'k', scopes: ['Product'] }]],
  ['without scopes', false, [{ id: 'f', key: 'k' }]],
  ['of no scope', false, [{ id: 'f', key: 'k', scopes: [] }]],
  ['under its id, though it has a key', false, [{ id: 'k', key: 'other', scopes: ['product'] }]],
];

describe.each(states)('the value of a custom field with a definition that is %s', (_state, isPublic, custom_fields) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(world, { settings: { ...shopSettings, custom_fields: [...custom_fields] } });
    await saveProduct(world, shop.account.id, shop.products.bread, { custom_fields: { k: 'value', toString: 'x' } });
  });

  const read = async (path: string, key: string) => (await world.request('GET', path, { key, sourceIp: shop.account.id })).body;
  const shown = isPublic ? { k: 'value' } : {};
  const allFields = { k: 'value', toString: 'x' };

  test(`${isPublic ? 'is shown' : 'is hidden'} by GET /products/{id}, which shows it to the merchant`, async () => {
    const path = `/products/${shop.products.bread}`;
    expect((await read(path, shop.publishableKey)).custom_fields).toEqual(shown);
    expect((await read(path, shop.secretKey)).custom_fields).toEqual(allFields);
  });

  test(`${isPublic ? 'is shown' : 'is hidden'} by GET /products, which shows it to the merchant`, async () => {
    const of = (body: any) => body.data.find(({ id }: Product) => id === shop.products.bread).custom_fields;
    expect(of(await read('/products', shop.publishableKey))).toEqual(shown);
    expect(of(await read('/products', shop.secretKey))).toEqual(allFields);
  });
});

const mine = 'merchants-own';

/** Each setting that is hidden from shoppers, with a marker. */
const guarded: Settings = {
  ...shopSettings,
  payment_methods: [{ id: mine, name: mine, enabled: false }],
  event_categories: [{ name: 'Wedding', colour: mine }],
  blocked_dates: [
    { id: 'bd_1', date: '2030-03-15', reason: mine },
    { id: 'bd_2', date: '2030-12-25', reason: mine, is_holiday: true, holiday_name: mine },
  ],
  recurring_rules: [{ id: 'rr_1', type: 'weekly', days_of_week: [0], reason: mine }],
  custom_fields: [
    { id: mine, key: mine, name: mine, options: [mine], scopes: ['order', 'product'], internal: true },
    { id: 'cf_2', key: 'retired', name: mine, options: [mine], scopes: ['order', 'product'], active: false },
    { id: 'cf_3', key: 'gift', scopes: ['order', mine] },
  ],
  search: { ...searchSettings, search_key: `${mine}-search-key`, admin_key: mine },
  checkout: { gateway: 'sandbox', secret_key: mine, webhook_secret: mine },
};

describe('data of the merchant', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(world, { settings: guarded });
    const { account, products } = shop;
    await saveProduct(world, account.id, products.bread, { custom_fields: { [mine]: mine, retired: mine, undefined: mine } });
    for (const hidden of [products.hidden, products.draft]) await saveProduct(world, account.id, hidden, { name: mine, description: mine });
  });

  const publicRoutes = allRoutes.filter(({ keys }) => keys === 'any');
  const queries: Readonly<Record<string, readonly string[]>> = {
    listProducts: ['', '?updated_after=2020-01-01', `?search=${mine}`, '?category=bread'],
    getAvailability: ['?from=2030-03-10&to=2030-03-20', '?date=2030-12-25'],
    listCustomFields: ['', '?scope=order', '?scope=product', '?scope=customer'],
  };
  const bodies = (): Readonly<Record<string, object>> => ({
    createCheckout: {
      items: [{ product_id: shop.products.bread, quantity: 1 }],
      delivery_date: thursday,
      delivery_time: '08:00',
      success_url: 'https://shop.example.com/thanks',
      cancel_url: 'https://shop.example.com/cart',
    },
  });

  test.each(publicRoutes.map((route) => [routeKey(route), route] as const))(
    '%s returns no data of the merchant to a publishable key',
    async (_key, route) => {
      for (const query of queries[route.operation] ?? ['']) {
        const body = bodies()[route.operation];
        const options = { key: shop.publishableKey, id: shop.products.bread, query, ...(body ? { body } : {}) };
        const response = await send(world, route, options);
        expect(response.status).toBe(route.status ?? 200);
        const visibleText = `${response.text}${JSON.stringify(response.headers)}${Buffer.from(response.body.token ?? '', 'base64').toString('latin1')}`;
        expect(visibleText).not.toContain(mine);
      }
    },
  );

  test('a publishable key gets the same 404 for a hidden product as for an unknown one', async () => {
    const { hidden, draft } = shop.products;
    const responses = await Promise.all(
      [hidden, draft, 'prd_none'].flatMap((id) => [
        world.request('GET', `/products/${id}`, { key: shop.publishableKey, sourceIp: id }),
        shop.open({ items: [{ product_id: id, quantity: 1 }] }),
      ]),
    );
    const [one, ...others] = responses.map(({ status, text }) => `${status} ${text}`);
    expect(new Set(others.filter((_, i) => i % 2 === 1))).toEqual(new Set([one]));
    expect(new Set(others.filter((_, i) => i % 2 === 0)).size).toBe(1);
  });

  test('a publishable key gets the same error for an internal custom field as for an unknown one', async () => {
    const rejections = await Promise.all(
      [mine, 'retired', 'none'].map(async (key) => {
        const { status, body } = await shop.open({ custom_fields: { [key]: 'x' } });
        // Both the field and the message repeat what the request named.
        return JSON.stringify({ status, error: body.error }).replaceAll(key, '<key>');
      }),
    );
    expect(new Set(rejections).size).toBe(1);
    expect((await shop.open({ custom_fields: { gift: 'x' } })).status).toBe(201);
  });

  test('documents of the search engine have no custom fields and no data of the merchant', async () => {
    const { record } = (await world.store.products.get(shop.account.id, shop.products.bread)) ?? {};
    const document = searchDocument(shop.account.id, record as Product);
    expect(JSON.stringify(document)).not.toContain(mine);
    expect(Object.keys(document)).not.toContain('custom_fields');
  });

  test('the hosted page shows no data of the merchant', async () => {
    const body = { ...bodies()['createCheckout'], custom_fields: { [mine]: mine }, notes: 'Ring twice' };
    const opened = await world.request('POST', '/checkout', { key: shop.secretKey, body });
    expect(opened.status).toBe(201);
    const page = await visitor(world)('GET', new URL(opened.body.url).pathname);
    expect(page.status).toBe(200);
    expect(`${page.text}${JSON.stringify(page.headers)}`).not.toContain(mine);
  });
});
