import { isStorefrontVisible, type Product } from '../domain/product/fields.ts';
import type { Db } from './client.ts';
import { byTime, type ListSpec, openList } from './lists.ts';
import { openRecords } from './records.ts';

const created = byTime<Product>((product) => product.created_at);
const updated = byTime<Product>((product) => product.updated_at);

const lists: ListSpec<'product', Product> = {
  kind: 'product',
  sorts: { created, updated, storefrontCreated: created, storefrontUpdated: updated },
  // A product remains a valid cursor after it has left the storefront or the category.
  isGone: ({ status }) => status === 'deleted',
  isIn: (product, sort) => (sort.startsWith('storefront') ? isStorefrontVisible(product) : product.status !== 'deleted'),
  name: ({ name }) => name,
};

/**
 * Lists return no deleted products. Lists of the storefront return only products that shoppers may
 * see.
 */
export const openProducts = (db: Db) => {
  const listed = openList(db, lists);
  const records = openRecords<Product>(db, { kind: 'product', name: 'product', attributes: listed.entries, marked: true });
  return {
    ...records,
    ...listed,
    /** Returns the products with these ids, deleted ones included. Reads consistently. */
    async getMany(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, Product>> {
      const found = await Promise.all(ids.map((id) => records.get(account, id)));
      return new Map(found.flatMap((stored) => (stored ? [[stored.record.id, stored.record]] : [])));
    },
  };
};

export type Products = ReturnType<typeof openProducts>;
