import { StaleDecision } from '../core/errors.ts';
import { notBefore } from '../core/time.ts';
import type { Image } from '../domain/event/records.ts';
import type { Db, Item } from './client.ts';
import { decode, encode } from './encodings.ts';
import { attribute, type Expression, every, expr, isAbsent, where } from './expressions.ts';
import { isExpired, partition } from './keys.ts';
import type { Kind } from './schema.ts';
import { assertRecordFits } from './size.ts';
import type { Write } from './write.ts';

/** A record as stored, with the revision that guards read-modify-write. */
export type Stored<Record> = Image<Record>;

/** Another write of the record came between the read and this one. */
export class RevisionConflict extends StaleDecision {
  constructor(name: string) {
    super(`The ${name} was changed at the same time; read it again and retry.`);
  }
}

/** How a kind of record is kept, one item for each. */
interface RecordSpec<Record> {
  readonly kind: Kind;
  /** Name in error messages, for example `checkout session`. */
  readonly name: string;
  /** Its keys in the indexes; without them it is in no list. */
  readonly entries?: (account: string, record: Record) => Item;
  /** Its partition on the table; one per account unless the kind says otherwise. */
  readonly home?: (account: string, record: Record) => string;
  /** Epoch seconds from which on it is gone; kept for good where absent. */
  readonly expires?: (record: Record) => number;
  /**
   * Fields that some writes change without raising the revision. A replacement fails if one of them
   * is not as read, because it would undo that write.
   */
  readonly silent?: readonly (keyof Record & string)[];
  /**
   * Set if every replacement states the whole record and depends on nothing that was read. Its
   * decision may be repeated, so a replacement alone needs no transaction.
   */
  readonly absolute?: true;
  /**
   * The record as large as its later steps may make it: measured once, when it is created. If this
   * is absent, the record is measured at every write.
   */
  readonly largest?: (record: Record) => Record;
}

/** Fields of every kind of record. */
interface Dated {
  readonly id: string;
  readonly updated_at: string;
}

export interface Records<Record extends Dated> {
  /** Consistent. */
  get(account: string, id: string): Promise<Stored<Record> | undefined>;
  /**
   * Puts a record under an id that was made for it, so it needs no condition and may be repeated.
   * Throws 400 for a record that does not fit, or may not fit later.
   */
  createWrite(account: string, record: Record): Write;
  /**
   * Replaces the record that was read, undefined for a new one. Its `updated_at` never moves
   * back (`notBefore`). Throws 400 if the record does not fit. The commit fails with 409 if another
   * write came first.
   */
  replaceWrite(account: string, record: Record, before: Stored<Record> | undefined): Write;
}

/** The record behind an item, also one of the change stream. */
export const decodeRecord = <Record>(item: Item): Stored<Record> => ({
  record: decode<Record>(item),
  revision: item['revision'] as number,
});

export const openRecords = <Record extends Dated>(db: Db, spec: RecordSpec<Record>): Records<Record> => {
  const { kind, name, silent = [], home = () => undefined, largest } = spec;
  const assertFits = (record: Record): void => assertRecordFits(name, encode(kind, record));
  const itemOf = (account: string, record: Record, revision: number): Item => ({
    pk: home(account, record) ?? partition(kind, account),
    sk: record.id,
    revision,
    ...encode(kind, record),
    ...spec.entries?.(account, record),
    ...(spec.expires ? { expires_at: spec.expires(record) } : {}),
  });
  /** No write came since the record was read: neither a save, nor a change of a silent field. */
  const isUnchanged = (record: Record, revision: number): Expression =>
    revision === 0
      ? isAbsent
      : every(expr`revision = ${revision}`, ...silent.map((member) => expr`${attribute(`view.${member}`)} = ${record[member]}`));
  return {
    async get(account, id) {
      const item = await db.get({ pk: partition(kind, account), sk: id });
      return item && !isExpired(item, db.clock.now()) ? decodeRecord<Record>(item) : undefined;
    },
    createWrite(account, record) {
      assertFits(largest?.(record) ?? record);
      return { item: { Put: { TableName: db.table, Item: itemOf(account, record, 1) } } };
    },
    replaceWrite(account, record, before) {
      if (!largest) assertFits(record);
      const revision = before?.revision ?? 0;
      const item = itemOf(account, before ? notBefore(before.record, record) : record, revision + 1);
      return {
        item: { Put: { TableName: db.table, Item: item, ...where(isUnchanged(record, revision)) } },
        refuse: () => new RevisionConflict(name),
        ...(spec.absolute ? { remakeable: true } : {}),
      };
    },
  };
};
