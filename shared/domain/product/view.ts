import { isStorefrontVisible, type Product } from './record.ts';
import type * as wire from './wire.ts';

/** What the API and the dashboard show of a product, member by member: a new internal member stays internal. */
export const productView = (product: Product): wire.Product => ({
  id: product.id,
  name: product.name,
  description: product.description,
  status: product.status,
  storefront_visible: isStorefrontVisible(product),
  price: product.price,
  currency: product.currency,
  category: product.category,
  tags: product.tags,
  images: product.images,
  variants: product.variants.map(({ id, name, price }) => ({ id, name, price })),
  allergens: product.allergens.map(({ name, level }) => ({ name, level })),
  custom_fields: product.custom_fields,
  created_at: product.created_at,
  updated_at: product.updated_at,
});
