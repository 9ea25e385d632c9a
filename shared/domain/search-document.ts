import { isStorefrontVisible, type Product } from './product.ts';

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/**
 * A product as the search engine holds it, whose id is the product's. What is left out is not searched for; several accounts may
 * share a collection.
 */
export const searchDocument = (account: string, product: Product) => ({
  id: product.id,
  account,
  name: product.name,
  description: product.description ?? '',
  status: product.status,
  storefront_visible: isStorefrontVisible(product),
  price: product.price,
  currency: product.currency,
  category: product.category ?? '',
  tags: product.tags,
  images: product.images,
  variants: product.variants.map(({ name }) => name),
  allergens: product.allergens.map(({ name }) => name),
  created_at: seconds(product.created_at),
  updated_at: seconds(product.updated_at),
});

/** The documents that a shopper of this account may find. */
export const storefrontFilter = (account: string): string => `account:=${account} && storefront_visible:=true`;
