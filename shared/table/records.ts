import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Image } from '../domain/event-records.ts';
import type { Db } from './client.ts';
import { partition } from './keys.ts';
import type { Kind } from './schema.ts';
import type { Item, Write } from './write.ts';

/** A record as stored, with the revision that guards read-modify-write. */
export type Stored<Record> = Image<Record>;

/** How one kind of record is kept: one item, of which the whole record is the list view. */
export interface RecordSpec<Record> {
  readonly kind: Kind;
  /** What a caller reads of it: `Order`. */
  readonly name: string;
  /** Its entries in the indexes; none keeps it out of every list. */
  readonly entries: (account: string, record: Record) => { readonly [attribute: string]: string };
  /** Partition on the base table; one per account unless the kind says otherwise. */
  readonly home?: (account: string, record: Record) => string;
}

export interface Records<Record extends { readonly id: string }> {
  /** Consistent. */
  get(account: string, id: string): Promise<Stored<Record> | undefined>;
  /** A record whose id was made for it: nothing can stand there, and the same put again changes nothing. */
  createWrite(account: string, record: Record): Write;
  /** Replaces the revision that was read; refuses with 409 where another write came first. */
  replaceWrite(account: string, record: Record, revision: number): Write;
}

/** The record behind an item, also one of the change stream. */
export const decodeRecord = <Record>(item: Item): Stored<Record> => ({
  record: item['view'] as Record,
  revision: item['revision'] as number,
});

export const openRecords = <Record extends { readonly id: string }>(db: Db, spec: RecordSpec<Record>): Records<Record> => {
  const home = spec.home ?? ((account: string) => partition(spec.kind, account));
  const encode = (account: string, record: Record, revision: number): Item => ({
    pk: home(account, record),
    sk: record.id,
    account,
    revision,
    view: record,
    ...spec.entries(account, record),
  });
  return {
    async get(account, id) {
      const Key = { pk: partition(spec.kind, account), sk: id };
      const { Item } = await db.client.send(new GetCommand({ TableName: db.table, Key, ConsistentRead: true }));
      return Item && decodeRecord<Record>(Item);
    },
    createWrite: (account, record) => ({ item: { Put: { TableName: db.table, Item: encode(account, record, 1) } } }),
    replaceWrite: (account, record, revision) => ({
      item: {
        Put: {
          TableName: db.table,
          Item: encode(account, record, revision + 1),
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues: { ':revision': revision },
        },
      },
      refuse: () => new ApiError('conflict', `The ${spec.name} was changed at the same time; read it again and retry.`),
    }),
  };
};
