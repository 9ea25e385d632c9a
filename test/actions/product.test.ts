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

  test('product.create stores every field', async () => {
    const input = {
      name: 'Wedding cake',
      description: ' <i>Three</i> tiers ',
      status: 'draft',
      price: 180.005,
      currency: 'eur',
      category: 'cakes',
      tags: ['wedding', ''],
      images: ['https://img.example.com/a.jpg'],
      variants: [{ id: 'v1', name: 'Small', price: 90 }],
      allergens: [
        { name: 'egg', level: 'contains' },
        { name: 'nuts', level: 'may_contain' },
        { name: 'soy', level: 'processed_in' },
      ],
      custom_fields: { frosting: 'vanilla', layers: 3, boxed: true, flavours: ['lemon', 'rose'] },
    };
    expect(await create(input)).toMatchObject({
      ...input,
      description: '<i>Three</i> tiers',
      price: 180.01,
      currency: 'EUR',
      tags: ['wedding'],
      storefront_visible: false,
    });
  });

  test.each([
    ['active', true, true],
    ['active', false, false],
    ['draft', true, false],
    ['archived', true, false],
  ])('product.create with status %s and storefront_visible %s stores storefront_visible %s', async (status, storefront_visible, seen) => {
    expect(await create({ status, storefront_visible })).toMatchObject({ status, storefront_visible: seen });
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

  test.each<[string, Record<string, unknown>]>([
    ['name', { name: undefined }],
    ['name', { name: ' <b></b> ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['price', { price: undefined }],
    ['price', { price: null }],
    ['price', { price: -0.01 }],
    ['price', { price: '4.50' }],
    ['price', { price: 1e12 }],
    ['status', { status: 'deleted' }],
    ['status', { status: 'Active' }],
    ['storefront_visible', { storefront_visible: 'yes' }],
    ['currency', { currency: 'EURO' }],
    ['description', { description: 'x'.repeat(20_001) }],
    ['category', { category: 7 }],
    ['tags', { tags: Array.from({ length: 51 }, () => 'x') }],
    ['images', { images: 'https://img.example.com/a.jpg' }],
    ['images', { images: Array.from({ length: 51 }, () => 'https://img.example.com/a.jpg') }],
    ['images.0', { images: [7] }],
    ...[
      'http://img.example.com/a.jpg',
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'java\nscript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      'blob:https://img.example.com/1',
      'ftp://img.example.com/a.jpg',
      '//img.example.com/a.jpg',
      'a.jpg',
      'https://',
      'https://ada:secret@img.example.com/a.jpg',
      `https://img.example.com/${'ä'.repeat(400)}`,
      '',
    ].map((url): [string, Record<string, unknown>] => ['images.1', { images: ['https://img.example.com/a.jpg', url] }]),
    ['variants.0.name', { variants: [{ price: 1 }] }],
    ['variants.1.price', { variants: [{ name: 'S', price: 1 }, { name: 'L' }] }],
    [
      'variants.1.id',
      {
        variants: [
          { id: 'v', name: 'S', price: 1 },
          { id: 'v', name: 'L', price: 1 },
        ],
      },
    ],
    ['variants', { variants: Array.from({ length: 101 }, () => ({ name: 'S', price: 1 })) }],
    ['allergens.0.level', { allergens: [{ name: 'egg', level: 'traces' }] }],
    ['allergens.0.name', { allergens: [{ level: 'contains' }] }],
    ['custom_fields', { custom_fields: [] }],
    ['custom_fields', { custom_fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, 1])) }],
    ['custom_fields.note', { custom_fields: { note: 'x'.repeat(501) } }],
  ])('product.create rejects an invalid %s: %j', async (field, fields) => {
    const input = { name: 'Tart', price: 4.5, ...fields };
    expect(await dashboard.errorOf('product.create', account, input)).toMatchObject({ status: 400, code: 'invalid_value', field });
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
  test('product.update replaces the fields that are sent, and keeps all others', async () => {
    const before = await create({
      tags: ['a'],
      category: 'cakes',
      variants: [{ id: 'v1', name: 'S', price: 1 }],
      storefront_visible: false,
    });
    dashboard.clock.advance(1_500);
    const after = await dashboard.act('product.update', account, { id: before['id'], price: 5, tags: [], category: null });
    const updated_at = new Date(dashboard.clock.now()).toISOString();
    expect(after).toEqual({ ...before, price: 5, tags: [], category: null, updated_at });
  });

  test('product.update saves a new revision at every call, even if nothing changes', async () => {
    const { id, updated_at } = await create();
    dashboard.clock.advance(1);
    const after = await dashboard.act('product.update', account, { id });
    expect(after['updated_at'] > updated_at).toBe(true);
    await dashboard.act('product.update', account, { id, name: 'Tart' });
    expect((await stored(id)).revision).toBe(3);
  });

  test('product.update keeps a hidden product hidden when its status changes', async () => {
    const { id } = await create({ storefront_visible: false });
    await dashboard.act('product.update', account, { id, status: 'archived' });
    expect(await dashboard.act('product.update', account, { id, status: 'active' })).toMatchObject({ storefront_visible: false });
    expect(await dashboard.act('product.update', account, { id, storefront_visible: true })).toMatchObject({ storefront_visible: true });
  });

  test.each(['name', 'price', 'currency', 'status', 'storefront_visible'])('product.update rejects null for %s', async (field) => {
    const { id } = await create();
    expect(await dashboard.errorOf('product.update', account, { id, [field]: null })).toMatchObject({ status: 400, field });
  });
});

describe('product.delete', () => {
  test('product.delete keeps the record with the status deleted', async () => {
    const { id } = await create();
    dashboard.clock.advance(1_000);
    expect(await dashboard.act('product.delete', account, { id })).toEqual({ deleted: true, id });
    const { record, revision } = await stored(id);
    expect(record).toMatchObject({ status: 'deleted', name: 'Tart', updated_at: new Date(dashboard.clock.now()).toISOString() });
    expect(revision).toBe(2);
  });

  test('product.delete makes later actions on the product return 404', async () => {
    const { id } = await create();
    await dashboard.act('product.delete', account, { id });
    for (const action of ['product.update', 'product.delete'])
      expect(await dashboard.errorOf(action, account, { id })).toMatchObject({ status: 404, code: 'not_found' });
  });
});
