import { StaleDecision } from '../core/errors.ts';
import type { Image } from '../domain/event/records.ts';
import type { Db } from './client.ts';
import { isExpired, partition } from './keys.ts';
import { unpacked } from './packed-orders.ts';
import type { Kind } from './schema.ts';
import type { Item, Write } from './write.ts';

/** A record as stored, with the revision that guards read-modify-write. */
export type Stored<Record> = Image<Record>;

/** Another write of the record came between the read and this one. */
export class RevisionConflict extends StaleDecision {
  constructor(name: string) {
    super(`The ${name} was changed at the same time; read it again and retry.`);
  }
}

/** How one kind of record is kept: one item, of which the whole record is the list view. */
export interface RecordSpec<Record> {
  readonly kind: Kind;
  /** What a caller reads of it: `Order`. */
  readonly name: string;
  /** Its entries in the indexes; none keeps it out of every list. */
  readonly entries: (account: string, record: Record) => { readonly [attribute: string]: string };
  /** What is kept of it, where that is not the record itself; `unpacked` makes it whole again. */
  readonly pack?: (record: Record) => Item;
  /** Partition on the base table; one per account unless the kind says otherwise. */
  readonly home?: (account: string, record: Record) => string;
  /** Epoch seconds from which on the record is gone; kept for good where absent. */
  readonly expires?: (record: Record) => number;
  /** Members that writes without a save change: a replacement has to find them as it read them. */
  readonly silent?: readonly (keyof Record & string)[];
}

export interface Records<Record extends { readonly id: string }> {
  /** Consistent. */
  get(account: string, id: string): Promise<Stored<Record> | undefined>;
  /** A record whose id was made for it: nothing can stand there, and the same put again changes nothing. */
  createWrite(account: string, record: Record): Write;
  /** Replaces the revision that was read, 0 for none; refuses with 409 where another write came first. */
  replaceWrite(account: string, record: Record, revision: number): Write;
}

/** The record behind an item, also one of the change stream. */
export const decodeRecord = <Record>(item: Item): Stored<Record> => ({
  record: unpacked(item)['view'] as Record,
  revision: item['revision'] as number,
});

export const openRecords = <Record extends { readonly id: string }>(db: Db, spec: RecordSpec<Record>): Records<Record> => {
  const home = spec.home ?? ((account: string) => partition(spec.kind, account));
  const encode = (account: string, record: Record, revision: number): Item => ({
    pk: home(account, record),
    sk: record.id,
    revision,
    view: spec.pack ? spec.pack(record) : record,
    ...spec.entries(account, record),
    ...(spec.expires ? { expires_at: spec.expires(record) } : {}),
  });
  const { silent = [] } = spec;
  /** The record is as it was read: no save since, and no silent write. */
  const unchanged = (record: Record, revision: number) =>
    revision === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: ['revision = :revision', ...silent.map((name) => `#view.${name} = :${name}`)].join(' AND '),
          ...(silent.length > 0 ? { ExpressionAttributeNames: { '#view': 'view' } } : {}),
          ExpressionAttributeValues: {
            ':revision': revision,
            ...Object.fromEntries(silent.map((name) => [`:${name}`, record[name]])),
          },
        };
  return {
    async get(account, id) {
      const item = await db.get({ pk: partition(spec.kind, account), sk: id });
      return item && !isExpired(item, db.clock.now()) ? decodeRecord<Record>(item) : undefined;
    },
    createWrite: (account, record) => ({ item: { Put: { TableName: db.table, Item: encode(account, record, 1) } } }),
    replaceWrite: (account, record, revision) => ({
      item: { Put: { TableName: db.table, Item: encode(account, record, revision + 1), ...unchanged(record, revision) } },
      refuse: () => new RevisionConflict(spec.name),
    }),
  };
};
