import { product, productEventObject, searchToken } from '../../shared/domain/product/fields.ts';
import { eventsOf, exact, mayBeShort, type ResourceWords } from './common.ts';

export const products = {
  group: { name: 'Products', description: 'The catalog, for servers and storefronts.' },
  operations: {
    listProducts: {
      summary: 'List products',
      description: 'Newest first. With `updated_after`: last saved first. A publishable key gets only products on the storefront.',
      success: 'A page of products.',
      body: { list: product },
      query: {
        category: exact,
        search: `Part of the name, in any case. With it, ${mayBeShort}`,
      },
    },
    retrieveProduct: {
      summary: 'Retrieve a product',
      description: 'A deleted product gives 404. With a publishable key, so does a product that the storefront hides.',
      success: 'The product.',
      body: product,
    },
    createSearchToken: {
      summary: 'Create a search token',
      description:
        'Returns a key with which a browser searches the storefront at the search engine, for 15 minutes. No body is needed; if there is one, it must be a JSON object.',
      success: 'The token and the address of the search engine.',
      body: searchToken,
      errors: { search_not_configured: '' },
    },
  },
  events: eventsOf(productEventObject, {
    'product.created': { summary: 'A product was added', description: 'Retrieve the product by id for prices, variants and allergens.' },
    'product.updated': {
      summary: 'A product was saved',
      description:
        'Sent for every save: also if only the status or the visibility changes, and if nothing changes. It does not contain what changed.',
    },
    'product.deleted': { summary: 'A product was deleted', description: 'Retrieving it gives 404 from then on.' },
  }),
} as const satisfies ResourceWords;
