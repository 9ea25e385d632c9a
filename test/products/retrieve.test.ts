import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Product } from '../../shared/domain/product/fields.ts';
import { writeProduct } from '../support/products.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let account: string;
let keys: Record<'secret' | 'publishable', string>;
beforeAll(async () => {
  account = (await world.createAccount()).id;
  keys = { secret: await world.createKey(account), publishable: await world.createKey(account, { type: 'publishable' }) };
  const custom_fields = ['frosting', 'layers'].map((id) => ({ id, scopes: ['product'] }));
  await world.store.commit([world.store.accounts.putSettingsWrite(account, { custom_fields })]);
});

const get = (id: string, type: 'secret' | 'publishable' = 'secret') => world.request('GET', `/products/${id}`, { key: keys[type] });
const notFound = { error: { type: 'not_found', code: 'not_found', message: expect.any(String) } };

const full: Partial<Product> = {
  name: 'Celebration cake',
  description: 'Three <b>tiers</b>',
  price: 120.5,
  currency: 'EUR',
  category: 'cakes',
  tags: ['wedding'],
  images: ['https://img.example.com/1.jpg'],
  variants: [{ id: 'v1', name: 'Large', price: 180 }],
  allergens: [{ name: 'nuts', level: 'may_contain' }],
  custom_fields: { frosting: 'vanilla', layers: 3 },
  updated_at: '2026-03-09T10:00:00.123Z',
};

test.each(['secret', 'publishable'] as const)('a %s key gets exactly the documented fields', async (type) => {
  const product = await writeProduct(world, account, full);
  const { status, body, headers } = await get(product.id, type);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: product.id,
    name: 'Celebration cake',
    description: 'Three <b>tiers</b>',
    status: 'active',
    storefront_visible: true,
    price: 120.5,
    currency: 'EUR',
    category: 'cakes',
    tags: ['wedding'],
    images: ['https://img.example.com/1.jpg'],
    variants: [{ id: 'v1', name: 'Large', price: 180 }],
    allergens: [{ name: 'nuts', level: 'may_contain' }],
    custom_fields: { frosting: 'vanilla', layers: 3 },
    created_at: product.created_at,
    updated_at: '2026-03-09T10:00:00.123Z',
  });
  expect(headers['Access-Control-Allow-Origin']).toBe('*');
});

test('fields without a value are null or empty', async () => {
  const { body } = await get((await writeProduct(world, account, { category: null })).id);
  const unset = { description: null, category: null, tags: [], images: [], variants: [], allergens: [], custom_fields: {} };
  expect(body).toMatchObject(unset);
});

test('unknown fields of a stored record are not returned', async () => {
  const variants = [{ id: 'v1', name: 'Small', price: 3, cost: 1 }];
  const more = { secret_recipe: 'x', variants, allergens: [{ name: 'egg', level: 'contains', lab: 'y' }] };
  const { text } = await get((await writeProduct(world, account, more as Partial<Product>)).id);
  expect(text).not.toMatch(/secret_recipe|cost|lab|hidden/);
});

const views: readonly (readonly [string, Partial<Product>, { visible: boolean; secret: number; publishable: number }])[] = [
  ['an active one', {}, { visible: true, secret: 200, publishable: 200 }],
  ['a hidden one', { hidden: true }, { visible: false, secret: 200, publishable: 404 }],
  ['a draft', { status: 'draft' }, { visible: false, secret: 200, publishable: 404 }],
  ['an archived one', { status: 'archived' }, { visible: false, secret: 200, publishable: 404 }],
  ['a deleted one', { status: 'deleted' }, { visible: false, secret: 404, publishable: 404 }],
];

describe.each(views)('%s', (title, fields, { visible, ...statuses }) => {
  test.each(['secret', 'publishable'] as const)(`GET /products/{id} with a %s key shows or hides ${title}`, async (type) => {
    const { status, body } = await get((await writeProduct(world, account, fields)).id, type);
    expect(status).toBe(statuses[type]);
    if (status === 404) expect(body).toEqual(notFound);
    else expect(body.storefront_visible).toBe(visible);
  });
});
