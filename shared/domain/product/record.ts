import { invalidValue } from '../../core/errors.ts';

export const productStatuses = ['draft', 'active', 'archived', 'deleted'] as const;
export const allergenLevels = ['contains', 'may_contain', 'processed_in'] as const;

interface ProductVariant {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: (typeof productStatuses)[number];
  /** As the dashboard set it; what the storefront sees is `isStorefrontVisible`. */
  readonly hidden: boolean;
  readonly price: number;
  readonly currency: string;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly images: readonly string[];
  readonly variants: readonly ProductVariant[];
  readonly allergens: readonly { readonly name: string; readonly level: (typeof allergenLevels)[number] }[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Active, not hidden from the storefront, not deleted (§ Payloads, product). */
export const isStorefrontVisible = (product: Pick<Product, 'status' | 'hidden'>): boolean => product.status === 'active' && !product.hidden;

/** A price is never relabelled: refuses an item that takes that of a product in another currency than is charged (`items.<n>`). */
export const assertPricedIn = (currency: string, product: Pick<Product, 'currency'>, index: number): void => {
  if (product.currency !== currency)
    throw invalidValue(`items.${index}`, `items.${index} is priced in ${product.currency}, and ${currency} is charged.`);
};
