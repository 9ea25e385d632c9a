import { type FormatVersions, openFormat } from '../../core/format-version.ts';
import { isStorefrontVisible, type Product } from './record.ts';

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

/** What a message on the search queue asks for: one product's current state to its account's collection. */
export interface SearchMessage {
  readonly account: string;
  readonly product: string;
}

/** Version 1 is read for good: dead letters are kept for 14 days and redriven by hand. */
export const searchMessageVersions: FormatVersions = { written: 1, readable: [1] };

/** A reader that does not know its version leaves the message to the dead-letter queue. */
export const encodeSearchMessage = ({ account, product }: SearchMessage): string =>
  JSON.stringify({ v: searchMessageVersions.written, account, product });

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Undefined for anything that is no message of a readable version. */
export const decodeSearchMessage = (text: string): SearchMessage | undefined => {
  const { account, product } = openFormat(text, searchMessageVersions);
  return isId(account) && isId(product) ? { account, product } : undefined;
};
