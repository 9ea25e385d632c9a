import type { Item } from './commands/values.ts';

/** Names of a table's keys and indexes. Every key is a string. */
export interface TableShape {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attribute with the Unix second after which an item is deleted. */
  readonly ttlAttribute?: string;
  /** Whether the changes of the table are recorded. */
  readonly streamed?: true;
  readonly indexes?: readonly Index[];
}

/** An index projects its keys, the table's keys, and the named attributes. */
export interface Index {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly carries: readonly string[];
}

/** An item's key values. `sort` is empty in a table without a sort key. */
export interface KeyValues {
  readonly partition: string;
  readonly sort: string;
}

/** A range of sort keys; undefined means no bound. */
export interface Range {
  readonly least?: { readonly sort: string; readonly inclusive: boolean };
  readonly greatest?: { readonly sort: string; readonly inclusive: boolean };
}

/** A read of a partition of a table or of an index, in the order of the sort keys. */
export interface RangeRead {
  readonly index: Index | undefined;
  readonly partition: string;
  readonly range: Range;
  /** Entry after which the read starts: its sort key and, in an index, its item's key. */
  readonly start: { readonly sort: string; readonly item: KeyValues } | undefined;
  readonly isForward: boolean;
  readonly isConsistent: boolean;
  /** Maximum number of entries. */
  readonly limit: number;
}

/** An entry of a read. An entry of an index has the projected attributes. */
export interface Entry {
  readonly item: Item;
  /** An upper bound of the item's size in bytes; measuring the size itself takes longer. */
  readonly maxBytes: number;
}

/** One item before and after a write. Undefined means that it is not stored. */
export interface Change {
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * Holds the items of several tables. The commands check inputs and decide what to write; a storage
 * decides neither.
 */
export interface Storage {
  now(): number;
  /** Runs a command that writes: all of its writes are stored, or none. */
  atomically<Result>(work: () => Result): Result;
  get(table: TableShape, key: KeyValues): Item | undefined;
  /** Entries in the order of the read. The caller may stop before the end. */
  range(table: TableShape, read: RangeRead): Iterable<Entry>;
  /** Stores or deletes the item with its index entries, and records the change. */
  write(table: TableShape, change: Change): void;
  /** Returns the digest of the transaction with this token, if it has not expired. */
  recall(token: string): string | undefined;
  remember(token: string, digest: string, untilMs: number): void;
}
