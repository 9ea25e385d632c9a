import { isDeepStrictEqual } from 'node:util';
import { collection } from '../people/catalog.ts';
import { kindOf, recordIn } from '../reading/records.ts';
import type { Document } from '../world/search-engine.ts';
import { type Evidence, type Invariant, itemsOf } from './invariant.ts';
import { mayLagBehind } from './unattended.ts';

interface Stored {
  readonly [name: string]: unknown;
  readonly id: string;
  readonly status: string;
  readonly variants: readonly { readonly name: string }[];
  readonly allergens: readonly { readonly name: string }[];
  readonly created_at: string;
  readonly updated_at: string;
}

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Returns the document of a product by docs/architecture.md, Search. */
const documentOf = (account: string, product: Stored): Document => ({
  ...{ id: product.id, account, name: product['name'], description: product['description'] ?? '', status: product.status },
  storefront_visible: product['hidden'] === false && product.status === 'active',
  ...{ price: product['price'], currency: product['currency'], category: product['category'] ?? '', tags: product['tags'] },
  images: product['images'],
  variants: product.variants.map(({ name }) => name),
  allergens: product.allergens.map(({ name }) => name),
  ...{ created_at: seconds(product.created_at), updated_at: seconds(product.updated_at) },
});

const expectedOf = (evidence: Evidence): ReadonlyMap<string, Document> => {
  const expected = new Map<string, Document>();
  for (const item of itemsOf(evidence)) {
    if (kindOf(item) !== 'product') continue;
    const product = recordIn<Stored>(item);
    if (product.status !== 'deleted') expected.set(product.id, documentOf(String(item['pk']).split('#')[1] ?? '', product));
  }
  return expected;
};

/** Returns when each product changed last. */
const lastChanges = ({ region }: Evidence): ReadonlyMap<string, number> =>
  new Map(
    region.engine
      .table('simulated')
      .changes.flatMap(({ key, atMs }) => (String(key['pk']).startsWith('prd#') ? [[String(key['sk']), atMs] as const] : [])),
  );

export const searchable: Invariant = {
  number: 17,
  name: 'a search engine that is up again holds the products as they stand, and no other',
  breaches(evidence) {
    const expected = expectedOf(evidence);
    const indexed = new Map(evidence.region.searchEngine.documents(collection).map((document) => [document.id, document]));
    const mayLag = mayLagBehind(evidence);
    const changed = lastChanges(evidence);
    const isExcused = (id: string): boolean => mayLag(id, changed.get(id) ?? 0);
    return [
      // search.reindex removes what no shopper may see.
      ...[...expected].flatMap(([id, document]) =>
        isDeepStrictEqual(indexed.get(id), document) || (document['storefront_visible'] === false && !indexed.has(id)) || isExcused(id)
          ? []
          : [`${id} is not searched for as it stands.`],
      ),
      ...[...indexed.keys()].flatMap((id) =>
        expected.has(id) || isExcused(id) ? [] : [`${id} is searched for, and is no product that stands.`],
      ),
    ];
  },
};
