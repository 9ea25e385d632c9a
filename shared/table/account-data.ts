import type { Db, Item } from './client.ts';
import type { Endpoints } from './endpoints.ts';
import type { Erasures } from './erasures.ts';
import { expr } from './expressions.ts';
import { partition } from './keys.ts';
import { queryPage } from './page.ts';
import { withoutOrder } from './payments.ts';
import type { Kind } from './schema.ts';
import { deleteItem, sendAlone } from './write.ts';

/**
 * A partition of the table with an account's records. `of` names the owner if each owner of a kind
 * has its own partition.
 */
export interface AccountPart {
  readonly kind: Kind;
  /** Id of the order (payments) or of the endpoint (delivery records). */
  readonly of?: string;
}

/** Items as stored, in the order of their sort keys. */
interface PartPage {
  readonly items: readonly Item[];
  /** Sort key after which the next page starts; undefined on the last page. */
  readonly next?: string;
}

/**
 * Reads everything that is stored for an account, including deleted and expired records. Export and
 * erasure use it.
 */
export const openAccountData = (db: Db, endpoints: Pick<Endpoints, 'withFormer'>, erasures: Pick<Erasures, 'endpointsOf'>) => ({
  /**
   * Returns the partitions of the account's records of a kind. Each endpoint has its own delivery
   * log, which remains after the endpoint or the account is deleted. The payments of an order share
   * a partition.
   */
  async parts(account: string, kind: Kind): Promise<readonly AccountPart[]> {
    if (kind === 'payment') return [{ kind, of: withoutOrder }];
    if (kind !== 'deliveryRecord') return [{ kind }];
    const [known, erased] = await Promise.all([endpoints.withFormer(account, 0), erasures.endpointsOf(account)]);
    const ids = new Set([...known.endpoints.map(({ id }) => id), ...known.former, ...erased]);
    return [...ids].sort().map((of) => ({ kind, of }));
  },
  /** Returns up to 1 MB of items, at most `limit`. Reads the table itself, consistently. */
  async page(account: string, { kind, of }: AccountPart, after?: string, limit?: number): Promise<PartPage> {
    const { Items = [], LastEvaluatedKey } = await queryPage(db, {
      partition: partition(kind, account, ...(of === undefined ? [] : [of])),
      range: after === undefined ? undefined : (sk) => expr`${sk} > ${after}`,
      Limit: limit,
    });
    return { items: Items, ...(LastEvaluatedKey ? { next: String(LastEvaluatedKey['sk']) } : {}) };
  },
  /** Deletes an item. Deleting the same item again is not an error. */
  async remove({ pk, sk }: Item) {
    await sendAlone(db, deleteItem(db, { pk, sk }));
  },
});
