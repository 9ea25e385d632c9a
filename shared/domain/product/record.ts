import { invalidValue } from '../../core/errors.ts';
import { pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

export interface Product extends Omit<wire.Product, 'storefront_visible'> {
  /** The dashboard's setting. `isStorefrontVisible` says what the storefront shows. */
  readonly hidden: boolean;
}

/** Whether the storefront shows the product: it is active and not hidden (§ Payloads, product). */
export const isStorefrontVisible = (product: Pick<Product, 'status' | 'hidden'>): boolean => product.status === 'active' && !product.hidden;

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

/** Fields of `data.object` in product.* (§ Payloads). */
const told = ['id', 'name', 'status', 'storefront_visible', 'updated_at'] as const satisfies readonly (keyof wire.ProductEventObject)[];

/**
 * Fields that the API and the dashboard show. A new field stays internal until it is listed here.
 */
const shown = [
  'id',
  'name',
  'description',
  'status',
  'storefront_visible',
  'price',
  'currency',
  'category',
  'tags',
  'images',
  'variants',
  'allergens',
  'custom_fields',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof wire.Product)[];

export const productPayload = (product: Product): wire.ProductEventObject =>
  pick({ ...product, storefront_visible: isStorefrontVisible(product) }, told);

export const productView = (product: Product): wire.Product =>
  pick(
    {
      ...product,
      storefront_visible: isStorefrontVisible(product),
      variants: product.variants.map((variant) => pick(variant, ['id', 'name', 'price'])),
      allergens: product.allergens.map((allergen) => pick(allergen, ['name', 'level'])),
    },
    shown,
  );
