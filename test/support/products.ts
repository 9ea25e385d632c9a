import { randomId } from '../../shared/core/ids.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import type { World } from './world.ts';

/** A product as the dashboard makes it: active, on the storefront, unless said otherwise. */
export const productOf = (nowMs: number, fields: Partial<Product> = {}): Product => {
  const now = new Date(nowMs).toISOString();
  return {
    id: randomId('prd', nowMs),
    name: 'Rye loaf',
    description: null,
    status: 'active',
    hidden: false,
    price: 6.5,
    currency: 'USD',
    category: 'bread',
    tags: [],
    images: [],
    variants: [],
    allergens: [],
    custom_fields: {},
    created_at: now,
    updated_at: now,
    ...fields,
  };
};

export const writeProduct = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  fields: Partial<Product> = {},
): Promise<Product> => {
  const product = productOf(clock.now(), fields);
  await store.commit([store.products.createWrite(account, product)]);
  return product;
};

/** Saves a product as a dashboard action does. */
export const saveProduct = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  id: string,
  fields: Partial<Product> = {},
): Promise<void> => {
  const stored = await store.products.get(account, id);
  if (!stored) throw new Error(`No product ${id}.`);
  const product = { ...stored.record, ...fields, updated_at: new Date(clock.now()).toISOString() };
  await store.commit([store.products.replaceWrite(account, product, stored)]);
};
