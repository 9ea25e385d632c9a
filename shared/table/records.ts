import { changedMeanwhile, StaleDecision } from '../core/errors.ts';
import { withLaterTime } from '../core/time.ts';
import type { Image } from '../domain/event/types.ts';
import type { Db, Item } from './client.ts';
import { decode, encode } from './encodings.ts';
import { allOf, attribute, type Expression, expr, isAbsent } from './expressions.ts';
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
  /** Returns further attributes of the item: index keys, or the time at which the record expires. */
  readonly attributes?: (owner: string, record: Record) => Item;
  /**
   * Fields that some writes change without raising the revision. A replacement fails if one of them
   * has changed since it was read, because it would undo that change.
   */
  readonly silent?: readonly (keyof Record & string)[];
  /**
   * Set if a replacement does not depend on the values that were read, so that it may be decided
   * again after it was made. If it is the only write, it is a marked put.
   */
  readonly marked?: true;
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
export const hasValue = (path: Expression, value: unknown): Expression =>
  value === undefined ? expr`attribute_not_exists(${path})` : expr`${path} = ${value}`;

/**
 * Opens records of which the caller checks the size. Each is one item in the partition of its owner:
 * the account, or for payments account and order.
 */
export const openUncheckedRecords = <Record extends Dated>(db: Db, spec: RecordSpec<Record>) => {
  const { kind, name, silent = [] } = spec;
  const keyOf = (owner: string, id: string) => ({ pk: partition(kind, owner), sk: id });
  const itemOf = (owner: string, record: Record, revision: number): Item => ({
    ...keyOf(owner, record.id),
    revision,
    ...encode(kind, record),
    ...spec.attributes?.(owner, record),
  });
  /** Condition: since the record was read, no write saved it or changed a silent field. */
  const isUnchanged = (record: Record, { revision }: Pick<Stored<Record>, 'revision'>): Expression =>
    allOf(expr`revision = ${revision}`, ...silent.map((field) => hasValue(attribute(`view.${field}`), record[field])));
  const rejectWith = () => new RevisionConflict(name);
  return {
    /** Returns the record. Reads consistently. */
    async get(owner: string, id: string): Promise<Stored<Record> | undefined> {
      const item = await readUnexpired(db, keyOf(owner, id));
      return item && decodeRecord<Record>(item);
    },
    /** Returns the write of a new record. Its id is new, so the write needs no condition. */
    createWrite: (owner: string, record: Record): Write => putItem(db, itemOf(owner, record, 1)),
    /**
     * Replaces the record that was read, undefined for a new one. Its `updated_at` never moves
     * back (`withLaterTime`). The commit fails with 409 if another write came first.
     */
    replaceWrite(owner: string, record: Record, before: Stored<Record> | undefined): Write {
      const item = itemOf(owner, before ? withLaterTime(before.record, record) : record, (before?.revision ?? 0) + 1);
      const where = before ? isUnchanged(record, before) : isAbsent;
      return putItem(db, item, { where, rejectWith, marked: spec.marked });
    },
    /** Deletes the record that was read. The commit fails with 409 if another write came first. */
    removeWrite: (owner: string, stored: Stored<Record>): Write =>
      deleteItem(db, keyOf(owner, stored.record.id), { where: isUnchanged(stored.record, stored), rejectWith }),
  };
};

/** Opens the records of a kind. A write throws 400 if its record does not fit, or may not fit later. */
export const openRecords = <Record extends Dated>(db: Db, spec: RecordSpec<Record>) => {
  const records = openUncheckedRecords(db, spec);
  const checked = (record: Record): Record => {
    assertRecordFits(spec.name, encode(spec.kind, record));
    return record;
  };
  return {
    ...records,
    createWrite: (owner: string, record: Record): Write => records.createWrite(owner, checked(record)),
    replaceWrite: (owner: string, record: Record, before: Stored<Record> | undefined): Write =>
      records.replaceWrite(owner, checked(record), before),
  };
};

export type Records<Record extends Dated> = ReturnType<typeof openRecords<Record>>;
