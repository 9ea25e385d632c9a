import { beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount({ currency: 'USD' });
});

const create = (input: Record<string, unknown> = {}) => dashboard.act('product.create', account, { name: 'Tart', price: 4.5, ...input });
const stored = async (id: unknown) => {
  const found = await dashboard.services.store.products.get(account, String(id));
  if (!found) throw new Error('No product.');
  return found;
};

describe('product.create', () => {
  test('product.create requires name and price; all other fields have defaults', async () => {
    const product = await create();
    const now = new Date(dashboard.clock.now()).toISOString();
    expect(product).toEqual({
      id: expect.stringMatching(/^prd_/),
      name: 'Tart',
      description: null,
      status: 'active',
      storefront_visible: true,
      price: 4.5,
      currency: 'USD',
      category: null,
      tags: [],
      images: [],
      variants: [],
      allergens: [],
      custom_fields: {},
      created_at: now,
      updated_at: now,
    });
    expect((await stored(product['id'])).revision).toBe(1);
  });

  test('product.create stores texts trimmed, amounts rounded and the currency in capitals', async () => {
    const input = { name: 'Wedding cake', description: ' <i>Three</i> tiers ', price: 180.005, currency: 'eur', tags: ['wedding', ''] };
    const stored = { description: '<i>Three</i> tiers', price: 180.01, currency: 'EUR', tags: ['wedding'] };
    expect(await create(input)).toMatchObject(stored);
  });

  test('product.create gives an id to variants without one', async () => {
    const { variants } = await create({
      variants: [
        { name: 'S', price: 1 },
        { name: 'L', price: 2 },
      ],
    });
    expect(variants).toEqual([
      { id: expect.stringMatching(/^var_/), name: 'S', price: 1 },
      { id: expect.stringMatching(/^var_/), name: 'L', price: 2 },
    ]);
    expect(variants[0].id).not.toBe(variants[1].id);
  });

  test('product.create treats null as absent', async () => {
    const nulls = {
      ...{ description: null, status: null, storefront_visible: null, currency: null, category: null, tags: null },
      ...{ images: null, variants: null, allergens: null, custom_fields: null },
    };
    const { id: _, ...product } = await create(nulls);
    const { id: __, ...plain } = await create();
    expect(product).toEqual(plain);
  });

  test('product.create stores image URLs as the URL standard writes them', async () => {
    const images = ['https:img.example.com/a.jpg', 'HTTPS://Img.example.com\\b.jpg', ' https://bäcker.example/brötchen.jpg '];
    const product = await create({ images });
    const storedImages = [
      'https://img.example.com/a.jpg',
      'https://img.example.com/b.jpg',
      'https://xn--bcker-gra.example/br%C3%B6tchen.jpg',
    ];
    expect(product['images']).toEqual(storedImages);
    await dashboard.act('product.update', account, { id: product['id'], images: product['images'] });
    expect((await stored(product['id'])).record.images).toEqual(storedImages);
  });

  test("product.create rejects a product that exceeds the store's limit", async () => {
    const lists = Array.from({ length: 50 }, (_, i) => [`f${i}`, Array.from({ length: 50 }, () => 'x'.repeat(200))]);
    const input = { name: 'Tart', price: 1, custom_fields: Object.fromEntries(lists) };
    expect(await dashboard.errorOf('product.create', account, input)).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  test('product.create requires a currency if the account has none', async () => {
    account = await dashboard.openAccount();
    await dashboard.act('account.update', undefined, { id: account, currency: null });
    const input = { name: 'Tart', price: 1 };
    expect(await dashboard.errorOf('product.create', account, input)).toMatchObject({ status: 400, field: 'currency' });
    expect(await create({ currency: 'NZD' })).toMatchObject({ currency: 'NZD' });
  });
});

describe('product.update', () => {
  test('product.update keeps a hidden product hidden when its status changes', async () => {
    const { id } = await create({ storefront_visible: false });
    await dashboard.act('product.update', account, { id, status: 'archived' });
    expect(await dashboard.act('product.update', account, { id, status: 'active' })).toMatchObject({ storefront_visible: false });
    expect(await dashboard.act('product.update', account, { id, storefront_visible: true })).toMatchObject({ storefront_visible: true });
  });
});
