import { invalidValue } from '../../core/errors.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import { type Product, productPayload } from './fields.ts';

/**
 * Rejects an item that names no variant, if its price comes from a product that has variants (decisions
 * §6). The error names `items.<n>.variant_id`.
 */
export const assertNamesVariant = (product: Pick<Product, 'variants'>, variantId: string | null, index: number): void => {
  if (variantId === null && product.variants.length > 0)
    throw invalidValue(`items.${index}.variant_id`, `items.${index}.variant_id is required, because the product is sold by its variants.`);
};

/** Rejects an item if its product is priced in another currency. The error names `items.<n>`. */
export const assertPricedIn = (currency: string, product: Pick<Product, 'currency'>, index: number): void => {
  if (product.currency !== currency)
    throw invalidValue(`items.${index}`, `items.${index} has a price in ${product.currency}, and the charge is in ${currency}.`);
};

const variantName = (product: Pick<Product, 'name'>, variant: Product['variants'][number]): string => `${product.name} – ${variant.name}`;

/** Returns the names under which lines of orders show the product and its variants. */
export const namesOfProduct = (product: Pick<Product, 'name' | 'variants'>): readonly string[] => [
  product.name,
  ...product.variants.map((variant) => variantName(product, variant)),
];

/**
 * Returns the name and price of a product, or of its variant. Rejects an unknown variant. The error
 * names `items.<n>.variant_id`.
 */
export const offerOf = (
  product: Pick<Product, 'name' | 'price' | 'variants'>,
  variantId: string | null,
  index: number,
): { readonly name: string; readonly price: number } => {
  if (variantId === null) return product;
  const variant = product.variants.find(({ id }) => id === variantId);
  if (!variant) throw invalidValue(`items.${index}.variant_id`, `items.${index}.variant_id is not a variant of the product.`);
  return { name: variantName(product, variant), price: variant.price };
};

/**
 * Returns the events of a change: `product.updated` for every save, only `product.deleted` for the
 * soft delete, and none after it.
 */
export const productEvents = ({ before, after }: Images<Product>): readonly EventOfChange[] => {
  const object = productPayload(after.record);
  if (!before) return [{ type: 'product.created', object }];
  if (!isSaved(before, after) || before.record.status === 'deleted') return [];
  return [{ type: after.record.status === 'deleted' ? 'product.deleted' : 'product.updated', object }];
};
