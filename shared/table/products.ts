import { isStorefrontVisible, type Product } from '../domain/product/record.ts';
import type { Db } from './client.ts';
import { indexEntry, partition, timePosition } from './keys.ts';
import { type Page, type PageRequest, queryMerged, separator } from './page.ts';
import { decodeRecord, openRecords, type RecordSpec, type Records } from './records.ts';
import type { IndexName } from './schema.ts';

export interface ProductQuery {
  /** Only what the storefront shows. */
  readonly storefront: boolean;
  /** Inclusive ISO 8601; orders by update. */
  readonly updatedAfter?: string;
  readonly category?: string;
  /** Part of the name, in any case; judged after the read. */
  readonly search?: string;
}

export interface Products extends Records<Product> {
  list(account: string, query: ProductQuery, page: PageRequest): Promise<Page<Product>>;
  /** Those of the ids that exist, deleted ones included; consistent. */
  getMany(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, Product>>;
}

type Shelf = 'all' | 'storefront';
type Order = 'created' | 'updated';
/** Newest first, the default order, has an index for one category too; by update a category is judged after the read. */
const indexes = {
  all: { created: { none: 'gsi1', category: 'gsi2' }, updated: { none: 'gsi3' } },
  storefront: { created: { none: 'gsi4', category: 'gsi5' }, updated: { none: 'gsi6' } },
} as const satisfies Record<Shelf, Record<Order, { none: IndexName; category?: IndexName }>>;

const indexPartition = (account: string, category?: string): string =>
  partition('product', account, ...(category === undefined ? [] : [category]));

const spec: RecordSpec<Product> = {
  kind: 'product',
  name: 'product',
  entries(account, product) {
    const entriesOn = (shelf: Shelf) => {
      const entry = (index: IndexName, category: string | undefined, time: string) =>
        indexEntry(index, indexPartition(account, category), `${timePosition(time)}${separator}${product.id}`);
      const { created, updated } = indexes[shelf];
      return {
        ...entry(created.none, undefined, product.created_at),
        ...(product.category === null ? {} : entry(created.category, product.category, product.created_at)),
        ...entry(updated.none, undefined, product.updated_at),
      };
    };
    return {
      ...(product.status === 'deleted' ? {} : entriesOn('all')),
      ...(isStorefrontVisible(product) ? entriesOn('storefront') : {}),
    };
  },
};

export const openProducts = (db: Db): Products => ({
  ...openRecords(db, spec),
  async list(account, { storefront, updatedAfter, category, search }, page) {
    const shelf = indexes[storefront ? 'storefront' : 'all'];
    const wanted = search?.toLowerCase();
    const source =
      updatedAfter === undefined
        ? { index: category === undefined ? shelf.created.none : shelf.created.category, partitions: [indexPartition(account, category)] }
        : { index: shelf.updated.none, partitions: [indexPartition(account)], from: timePosition(updatedAfter) };
    const judges = wanted !== undefined || (category !== undefined && updatedAfter !== undefined);
    const keep = (product: Product): boolean =>
      (category === undefined || product.category === category) && (wanted === undefined || product.name.toLowerCase().includes(wanted));
    const { records, next } = await queryMerged(
      db,
      {
        ...source,
        home: partition('product', account),
        ...(judges ? { keep: (item) => keep(item['view'] as Product) } : {}),
        // One that left the storefront or the category still marks the place where it was.
        isGone: (item) => (item['view'] as Product).status === 'deleted',
      },
      page,
    );
    return { records: records.map((item) => item['view'] as Product), ...(next ? { next } : {}) };
  },
  async getMany(account, ids) {
    const items = await Promise.all(ids.map((id) => db.get({ pk: partition('product', account), sk: id })));
    const found = items.filter((item) => item !== undefined).map((item) => decodeRecord<Product>(item).record);
    return new Map(found.map((product) => [product.id, product]));
  },
});
