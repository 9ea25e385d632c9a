import { validation } from './errors.ts';
import { compareText, type Item, isEqual, itemBytes, Unsupported } from './values.ts';

/** Names of a table's keys and indexes. Every key is a string. */
export interface TableShape {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** An index projects its keys, the table's keys, and the named attributes. */
  readonly indexes?: readonly {
    readonly name: string;
    readonly partitionKey: string;
    readonly sortKey: string;
    readonly carries: readonly string[];
  }[];
}

/** One change of one item, as in the change stream. */
export interface Change {
  /** Its position among the changes of the table, starting at 0. */
  readonly position: number;
  readonly atMs: number;
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The items of one partition key, in the order of their sort keys. */
class Partition {
  readonly order: string[] = [];
  readonly items = new Map<string, Item>();

  /** Returns the position of the first sort key that is at least the given one. */
  place(sort: string): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(this.order[middle] as string, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  put(sort: string, item: Item): void {
    if (!this.items.has(sort)) this.order.splice(this.place(sort), 0, sort);
    this.items.set(sort, item);
  }

  remove(sort: string): void {
    if (this.items.delete(sort)) this.order.splice(this.place(sort), 1);
  }
}

/** Partitions by key. A key without items has an empty partition. */
class Partitions {
  readonly #all = new Map<string, Partition>();

  get(key: string): Partition | undefined {
    return this.#all.get(key);
  }

  put(key: string, sort: string, item: Item): void {
    const partition = this.#all.get(key) ?? new Partition();
    this.#all.set(key, partition);
    partition.put(sort, item);
  }

  remove(key: string, sort: string): void {
    this.#all.get(key)?.remove(sort);
  }

  *items(): Iterable<Item> {
    for (const partition of this.#all.values()) for (const sort of partition.order) yield partition.items.get(sort) as Item;
  }
}

const maxItemBytes = 400 * 1024;
const maxPartitionKeyBytes = 2048;
const maxSortKeyBytes = 1024;

/**
 * Separates an entry's sort key from its item's key. It sorts before every character of a sort key.
 */
const lowest = '\u0000';

const keyText = (item: Item, name: string, maxBytes: number): string => {
  const value = item[name];
  if (typeof value !== 'string') throw validation(`One or more parameter values were invalid: the key ${name} is missing or no text`);
  if (value === '') throw validation(`One or more parameter values are not valid: the key ${name} is an empty string`);
  if (Buffer.byteLength(value) > maxBytes) throw validation(`One or more parameter values were invalid: the key ${name} is too long`);
  return value;
};

type Index = NonNullable<TableShape['indexes']>[number];

/**
 * One table: its items, the history of its changes, and indexes that apply the history when they
 * are read.
 */
export class Table {
  readonly shape: TableShape;
  readonly changes: Change[] = [];
  readonly #items = new Partitions();
  /** The table as an eventually consistent read may see it. */
  readonly #behind = { items: new Partitions(), applied: 0 };
  readonly #indexes = new Map<string, { readonly index: Index; readonly entries: Partitions; applied: number }>();

  constructor(shape: TableShape) {
    this.shape = shape;
    for (const index of shape.indexes ?? []) this.#indexes.set(index.name, { index, entries: new Partitions(), applied: 0 });
  }

  get keyNames(): readonly string[] {
    const { partitionKey, sortKey } = this.shape;
    return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  }

  /** Returns the item's key after checks; `exact` rejects other attributes. */
  keyOf(item: Item, exact: boolean): Item {
    const { partitionKey, sortKey } = this.shape;
    if (exact && Object.keys(item).length !== this.keyNames.length) throw validation('The provided key element does not match the schema');
    keyText(item, partitionKey, maxPartitionKeyBytes);
    if (sortKey !== undefined) keyText(item, sortKey, maxSortKeyBytes);
    return Object.fromEntries(this.keyNames.map((name) => [name, item[name] as string]));
  }

  #placeOf(key: Item): readonly [partition: string, sort: string] {
    const { partitionKey, sortKey } = this.shape;
    return [key[partitionKey] as string, sortKey === undefined ? '' : (key[sortKey] as string)];
  }

  get(key: Item): Item | undefined {
    const [partition, sort] = this.#placeOf(key);
    return this.#items.get(partition)?.items.get(sort);
  }

  /** Throws for an item that is too large, or has index keys that are no strings or too long. */
  check(item: Item): void {
    for (const { index } of this.#indexes.values()) {
      if (item[index.partitionKey] !== undefined) keyText(item, index.partitionKey, maxPartitionKeyBytes);
      if (item[index.sortKey] !== undefined) keyText(item, index.sortKey, maxSortKeyBytes);
    }
    if (itemBytes(item) > maxItemBytes) throw validation('Item size has exceeded the maximum allowed size');
  }

  /** Stores a checked item, or deletes it. Without a difference, it records no change. */
  write(key: Item, after: Item | undefined, atMs: number): void {
    const [partition, sort] = this.#placeOf(key);
    const before = this.#items.get(partition)?.items.get(sort);
    if (isEqual(before, after)) return;
    if (after) this.#items.put(partition, sort, after);
    else this.#items.remove(partition, sort);
    this.changes.push({ position: this.changes.length, atMs, key, before, after });
  }

  *items(): Iterable<Item> {
    yield* this.#items.items();
  }

  indexOf(name: string): Index {
    const found = this.#indexes.get(name);
    if (!found) throw validation(`The table does not have the specified index: ${name}`);
    return found.index;
  }

  /** Returns a partition of the table. */
  partition(key: string): Partition | undefined {
    return this.#items.get(key);
  }

  /** Returns a partition with every change up to `untilMs`, and changes that it showed before. */
  partitionBehind(key: string, untilMs: number): Partition | undefined {
    const behind = this.#behind;
    for (let change = this.changes[behind.applied]; change && change.atMs <= untilMs; change = this.changes[behind.applied]) {
      const [partition, sort] = this.#placeOf(change.key);
      if (change.after) behind.items.put(partition, sort, change.after);
      else behind.items.remove(partition, sort);
      behind.applied += 1;
    }
    return behind.items.get(key);
  }

  /**
   * Returns a partition of an index with every change up to `untilMs`, and changes that it showed
   * before. It is sorted by sort key, then by the item's key.
   */
  indexPartition(name: string, key: string, untilMs: number): Partition | undefined {
    const view = this.#indexes.get(name);
    if (!view) throw new Unsupported(`No index ${name}.`);
    for (let change = this.changes[view.applied]; change && change.atMs <= untilMs; change = this.changes[view.applied]) {
      const [old, fresh] = [this.#entry(view.index, change.before), this.#entry(view.index, change.after)];
      if (old) view.entries.remove(old.partition, old.sort);
      if (fresh) view.entries.put(fresh.partition, fresh.sort, fresh.item);
      view.applied += 1;
    }
    return view.entries.get(key);
  }

  #entry(index: Index, item: Item | undefined): { partition: string; sort: string; item: Item } | undefined {
    const [partition, sort] = [item?.[index.partitionKey], item?.[index.sortKey]];
    if (!item || typeof partition !== 'string' || typeof sort !== 'string') return undefined;
    const carried = [...this.keyNames, index.partitionKey, index.sortKey, ...index.carries].filter((name) => item[name] !== undefined);
    return {
      partition,
      sort: [sort, ...this.#placeOf(item)].join(lowest),
      item: Object.fromEntries(carried.map((name) => [name, item[name]])) as Item,
    };
  }
}

export type { Partition };
