import { changedMeanwhile, StaleDecision } from '../core/errors.ts';
import { notBefore } from '../core/time.ts';
import type { Image } from '../domain/event/types.ts';
import type { Db, Item } from './client.ts';
import { decode, encode } from './encodings.ts';
import { attribute, type Expression, every, expr, isAbsent } from './expressions.ts';
import { partition, readUnexpired } from './keys.ts';
import type { Kind } from './schema.ts';
import { assertRecordFits } from './size.ts';
import { deleteItem, putItem, type Write } from './write.ts';

/**
 * A stored record with its revision. A write fails if the revision has changed since it was read.
 */
export type Stored<Record> = Image<Record>;

/** Another write of the record came between the read and this one. */
export class RevisionConflict extends StaleDecision {
  constructor(name: string) {
    super(changedMeanwhile(`The ${name}`).message);
  }
}

/** How the records of a kind are stored, one item each. */
interface RecordSpec<Record> {
  readonly kind: Kind;
  /** Name in error messages, for example `checkout session`. */
  readonly name: string;
  /** Returns the record's index keys. Without this, no list shows the records. */
  readonly entries?: (account: string, record: Record) => Item;
  /** Returns the record's partition; one partition per account if absent. */
  readonly home?: (account: string, record: Record) => string;
  /** Returns the epoch seconds at which the record expires. Without this, records do not expire. */
  readonly expires?: (record: Record) => number;
  /**
   * Fields that some writes change without raising the revision. A replacement fails if one of them
   * has changed since it was read, because it would undo that change.
   */
  readonly silent?: readonly (keyof Record & string)[];
  /**
   * Set if a replacement does not depend on the values that were read, so that deciding it twice is
   * harmless. If such a replacement is the only write, it needs no transaction.
   */
  readonly absolute?: true;
  /**
   * Returns the record at the largest size that later steps may give it. It is measured once, when
   * the record is created. Without this, the record is measured at every write.
   */
  readonly largest?: (record: Record) => Record;
}

/** Fields that records of every kind have. */
interface Dated {
  readonly id: string;
  readonly updated_at: string;
}

/** Returns the record that an item of the table or of the change stream stores. */
export const decodeRecord = <Record>(item: Item): Stored<Record> => ({
  record: decode<Record>(item),
  revision: item['revision'] as number,
});

/** Condition: the attribute has the value; undefined stands for none. */
export const isValue = (of: Expression, value: unknown): Expression =>
  value === undefined ? expr`attribute_not_exists(${of})` : expr`${of} = ${value}`;

export const openRecords = <Record extends Dated>(db: Db, spec: RecordSpec<Record>) => {
  const { kind, name, silent = [], home = () => undefined, largest } = spec;
  const assertFits = (record: Record): void => assertRecordFits(name, encode(kind, record));
  const keyOf = (account: string, record: Record) => ({ pk: home(account, record) ?? partition(kind, account), sk: record.id });
  const itemOf = (account: string, record: Record, revision: number): Item => ({
    ...keyOf(account, record),
    revision,
    ...encode(kind, record),
    ...spec.entries?.(account, record),
    ...(spec.expires ? { expires_at: spec.expires(record) } : {}),
  });
  /** Condition: since the record was read, no write saved it or changed a silent field. */
  const isUnchanged = (record: Record, { revision }: Pick<Stored<Record>, 'revision'>): Expression =>
    every(expr`revision = ${revision}`, ...silent.map((field) => isValue(attribute(`view.${field}`), record[field])));
  const rejectWith = () => new RevisionConflict(name);
  return {
    /** Returns the record. Reads consistently. */
    async get(account: string, id: string): Promise<Stored<Record> | undefined> {
      const item = await readUnexpired(db, { pk: partition(kind, account), sk: id });
      return item && decodeRecord<Record>(item);
    },
    /**
     * Returns the write of a new record. Its id is new, so the write needs no condition and may be
     * repeated. Throws 400 if the record does not fit, or may not fit later.
     */
    createWrite(account: string, record: Record): Write {
      assertFits(largest?.(record) ?? record);
      return putItem(db, itemOf(account, record, 1));
    },
    /**
     * Replaces the record that was read, undefined for a new one. Its `updated_at` never moves
     * back (`notBefore`). Throws 400 if the record does not fit. The commit fails with 409 if another
     * write came first.
     */
    replaceWrite(account: string, record: Record, before: Stored<Record> | undefined): Write {
      if (!largest) assertFits(record);
      const revision = before?.revision ?? 0;
      const item = itemOf(account, before ? notBefore(before.record, record) : record, revision + 1);
      const where = before ? isUnchanged(record, before) : isAbsent;
      return putItem(db, item, { where, rejectWith, ...(spec.absolute && { remakeable: true }) });
    },
    /** Deletes the record that was read. The commit fails with 409 if another write came first. */
    removeWrite: (account: string, stored: Stored<Record>): Write =>
      deleteItem(db, keyOf(account, stored.record), { where: isUnchanged(stored.record, stored), rejectWith }),
  };
};

export type Records<Record extends Dated> = ReturnType<typeof openRecords<Record>>;
