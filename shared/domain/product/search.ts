import { createHmac } from 'node:crypto';
import { type FormatVersions, isId, readVersioned } from '../../core/format-version.ts';
import { isStorefrontVisible, type Product } from './fields.ts';

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/**
 * Returns a product as the search engine stores it, under the product's id. Other fields cannot be
 * searched. Several accounts may share a collection.
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

/** Returns the search filter for what a shopper of this account may find. */
const storefrontFilter = (account: string): string => `account:=${account} && storefront_visible:=true`;

/**
 * Parameters that a scoped key embeds. Typesense applies them to every search with the key: the
 * filter in addition to the caller's, each other one in place of the caller's.
 */
interface SearchLimits {
  readonly filter_by: string;
  /** Unix seconds. */
  readonly expires_at: number;
  readonly pinned_hits?: string;
  readonly filter_curated_hits?: boolean;
}

/**
 * Returns the limits of a shopper's key. Without the last two, a search could pin a hidden product
 * by its id, because Typesense adds pinned documents after the filter.
 */
export const storefrontLimits = (account: string, expires_at: number): SearchLimits => ({
  filter_by: storefrontFilter(account),
  expires_at,
  pinned_hits: '',
  filter_curated_hits: true,
});

/**
 * Returns a scoped key that can only search. It is derived from a search key without a request, in
 * the same way as in the engine's own client.
 */
export const scopedSearchKey = (searchKey: string, limits: SearchLimits): string => {
  const parameters = JSON.stringify(limits);
  const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
  return Buffer.from(`${digest}${searchKey.slice(0, 4)}${parameters}`).toString('base64');
};

/**
 * A message of the search queue. It asks to send a product's current state to its account's
 * collection.
 */
export interface SearchMessage {
  readonly account: string;
  readonly product: string;
}

/**
 * Every later version must read version 1, because dead letters are kept for 14 days and redriven
 * by hand.
 */
export const searchMessageVersions: FormatVersions = { written: 1, readable: [1] };

/**
 * Returns the JSON body of a message. A reader that does not know its version lets it become a dead
 * letter.
 */
export const encodeSearchMessage = ({ account, product }: SearchMessage): string =>
  JSON.stringify({ v: searchMessageVersions.written, account, product });

/** Returns undefined if the text is not a message of a readable version. */
export const decodeSearchMessage = (text: string): SearchMessage | undefined => {
  const { account, product } = readVersioned(text, searchMessageVersions);
  return isId(account) && isId(product) ? { account, product } : undefined;
};
