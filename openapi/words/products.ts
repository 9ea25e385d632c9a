import { product, productEventObject, searchToken } from '../../shared/domain/product/wire.ts';
import { exact, mayBeShort, type ResourceWords } from './common.ts';

export const products = {
  group: { name: 'Products', description: 'The catalog, for servers and storefronts.' },
  operations: {
    listProducts: {
      summary: 'List products',
      description: 'Newest first; with `updated_after` by last save. A publishable key sees what the storefront shows.',
      success: 'A page of products.',
      body: { list: product },
      query: {
        category: exact,
        search: `Part of the name, in any case; ${mayBeShort}`,
      },
    },
    retrieveProduct: {
      summary: 'Retrieve a product',
      description: 'Deleted products are not found; a publishable key also does not find products that the storefront hides.',
      success: 'The product.',
      body: product,
    },
    createSearchToken: {
      summary: 'Create a search token',
      description:
        "A key for the browser to search the account's storefront directly at the search engine, for 15 minutes. It takes no body; one that is sent has to be a JSON object.",
      success: 'The token and where to use it.',
      body: searchToken,
      errors: { search_not_configured: '' },
    },
  },
  events: {
    'product.created': {
      summary: 'A product was added',
      description: 'Prices, variants and allergens are read by id.',
      object: productEventObject,
    },
    'product.updated': {
      summary: 'A product was saved',
      description:
        'Fires on every save: also if only the status or the visibility changes, and if nothing changes. It does not say what changed.',
      object: productEventObject,
    },
    'product.deleted': {
      summary: 'A product was deleted',
      description: 'A soft delete: retrieving it finds nothing any more.',
      object: productEventObject,
    },
  },
} as const satisfies ResourceWords;
