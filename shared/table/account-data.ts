import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Db, Item } from './client.ts';
import { partition } from './keys.ts';
import type { Kind } from './schema.ts';

/** A partition of an account: a kind of record, and what the records are of, where each of these has its own. */
export interface AccountPart {
  readonly kind: Kind;
  /** The order of payments, the endpoint of delivery records. */
  readonly of?: string;
}

export interface PartPage {
  /** As stored, in the order of their sort keys. */
  readonly items: readonly Item[];
  /** Sort key to go on after; undefined at the end. */
  readonly next?: string;
}

/** Everything that is kept of an account, partition by partition: deleted and expired records too, for export and erasure. */
export interface AccountData {
  /** Up to 1 MB or `limit` items; consistent, from the table itself. */
  page(account: string, part: AccountPart, after?: string, limit?: number): Promise<PartPage>;
  /** Removes an item for good; again is no error. */
  remove(item: Item): Promise<void>;
}

export const openAccountData = (db: Db): AccountData => ({
  async page(account, { kind, of }, after, limit) {
    const { Items = [], LastEvaluatedKey } = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: {
          ':pk': partition(kind, account, ...(of === undefined ? [] : [of])),
          ...(after === undefined ? {} : { ':after': after }),
        },
        ConsistentRead: true,
        ...(limit === undefined ? {} : { Limit: limit }),
      }),
    );
    return { items: Items, ...(LastEvaluatedKey ? { next: String(LastEvaluatedKey['sk']) } : {}) };
  },
  async remove({ pk, sk }) {
    await db.client.send(new DeleteCommand({ TableName: db.table, Key: { pk, sk } }));
  },
});
