import { isStorefrontVisible, type Product } from '../domain/product.ts';
import type { Db } from './client.ts';
import { indexEntry, partition } from './keys.ts';
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
const indexes: Record<Shelf, Record<Order, Record<'none' | 'category', IndexName>>> = {
  all: { created: { none: 'gsi1', category: 'gsi2' }, updated: { none: 'gsi3', category: 'gsi4' } },
  storefront: { created: { none: 'gsi5', category: 'gsi6' }, updated: { none: 'gsi7', category: 'gsi8' } },
};

const indexPartition = (account: string, shelf: Shelf, category: string | null | undefined): string =>
  category == null ? partition('product', account, shelf) : partition('product', account, shelf, category);

const spec: RecordSpec<Product> = {
  kind: 'product',
  name: 'product',
  entries(account, product) {
    const shelves: Shelf[] = [
      ...(product.status === 'deleted' ? [] : ['all' as const]),
      ...(isStorefrontVisible(product) ? ['storefront' as const] : []),
    ];
    const positions = { created: product.created_at, updated: product.updated_at };
    const rows = shelves.flatMap((shelf) =>
      (Object.keys(positions) as Order[]).flatMap((order) => {
        const sortKey = `${positions[order]}${separator}${product.id}`;
        return [
          indexEntry(indexes[shelf][order].none, indexPartition(account, shelf, null), sortKey),
          ...(product.category === null
            ? []
            : [indexEntry(indexes[shelf][order].category, indexPartition(account, shelf, product.category), sortKey)]),
        ];
      }),
    );
    return Object.assign({}, ...rows) as Record<string, string>;
  },
};

export const openProducts = (db: Db): Products => ({
  ...openRecords(db, spec),
  async list(account, { storefront, updatedAfter, category, search }, page) {
    const shelf = storefront ? 'storefront' : 'all';
    const wanted = search?.toLowerCase();
    const { records, next } = await queryMerged(
      db,
      {
        index: indexes[shelf][updatedAfter === undefined ? 'created' : 'updated'][category === undefined ? 'none' : 'category'],
        partitions: [indexPartition(account, shelf, category)],
        home: partition('product', account),
        ...(updatedAfter === undefined ? {} : { from: updatedAfter }),
        ...(wanted === undefined ? {} : { keep: (item) => (item['view'] as Product).name.toLowerCase().includes(wanted) }),
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
