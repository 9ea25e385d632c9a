import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Db, Item } from './client.ts';
import { type Endpoints, formerEndpoint } from './endpoints.ts';
import type { Erasures } from './erasures.ts';
import { expr } from './expressions.ts';
import { partition } from './keys.ts';
import { withoutOrder } from './payments.ts';
import { queryPage } from './query.ts';
import type { Kind } from './schema.ts';

/**
 * A partition of an account: a kind of record and, if each owner has a partition, the owner.
 */
export interface AccountPart {
  readonly kind: Kind;
  /** The order of payments, the endpoint of delivery records. */
  readonly of?: string;
}

interface PartPage {
  /** As stored, in the order of their sort keys. */
  readonly items: readonly Item[];
  /** Sort key to go on after; undefined at the end. */
  readonly next?: string;
}

/**
 * Everything stored of an account, by partition, with deleted and expired records. For export and
 * erasure.
 */
export interface AccountData {
  /**
   * Partitions of the account's records of a kind. Each endpoint has a log of its own, also after
   * the endpoint or the account was deleted; the payments of an order share a partition.
   */
  parts(account: string, kind: Kind): Promise<readonly AccountPart[]>;
  /** Up to 1 MB or `limit` items; consistent, from the table itself. */
  page(account: string, part: AccountPart, after?: string, limit?: number): Promise<PartPage>;
  /** Removes an item for good. Removing it again is no error. */
  remove(item: Item): Promise<void>;
}

export const openAccountData = (db: Db, endpoints: Pick<Endpoints, 'all'>, erasures: Pick<Erasures, 'endpointsOf'>): AccountData => {
  const page: AccountData['page'] = async (account, { kind, of }, after, limit) => {
    const { Items = [], LastEvaluatedKey } = await queryPage(db, {
      partition: partition(kind, account, ...(of === undefined ? [] : [of])),
      range: after === undefined ? undefined : (sk) => expr`${sk} > ${after}`,
      Limit: limit,
    });
    return { items: Items, ...(LastEvaluatedKey ? { next: String(LastEvaluatedKey['sk']) } : {}) };
  };
  return {
    page,
    async parts(account, kind) {
      if (kind === 'payment') return [{ kind, of: withoutOrder }];
      if (kind !== 'deliveryRecord') return [{ kind }];
      const [standing, registry, erased] = await Promise.all([
        endpoints.all(account),
        page(account, { kind: 'endpointRegistry' }),
        erasures.endpointsOf(account),
      ]);
      const ids = new Set([...standing.map(({ id }) => id), ...registry.items.flatMap((item) => formerEndpoint(item) ?? []), ...erased]);
      return [...ids].sort().map((of) => ({ kind, of }));
    },
    async remove({ pk, sk }) {
      await db.client.send(new DeleteCommand({ TableName: db.table, Key: { pk, sk } }));
    },
  };
};
