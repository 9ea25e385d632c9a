import { entryKeyOf, keyOf, projectedBy, valuesOfKey } from '../../../local/engine/commands/keys.ts';
import { compareText, type Item, Unsupported } from '../../../local/engine/commands/values.ts';
import type { Entry, Index, KeyValues, Range, RangeRead, Change as StoredChange, TableShape } from '../../../local/engine/storage.ts';

/** One change of one item, as in the change stream. */
export interface Change extends StoredChange {
  /** Its position among the changes of the table, starting at 0. */
  readonly position: number;
  readonly atMs: number;
}

/** The items of one partition key, in the order of their sort keys. */
class Partition {
  readonly order: string[] = [];
  readonly items = new Map<string, Item>();

  /** Returns the position of the first sort key that is at least the given one. */
  positionOf(sort: string): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(this.order[middle] as string, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  put(sort: string, item: Item): void {
    if (!this.items.has(sort)) this.order.splice(this.positionOf(sort), 0, sort);
    this.items.set(sort, item);
  }

  remove(sort: string): void {
    if (this.items.delete(sort)) this.order.splice(this.positionOf(sort), 1);
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

/**
 * Separates an entry's sort key from its item's key. It sorts before every character of a sort key.
 */
const lowest = '\u0000';

/** Returns a position after all entries with a sort key. */
const justBehind = (sort: string): string => `${sort}\u0001`;

/** Returns a range as first and last position in a partition. */
const positionsOf = (partition: Partition, { least, greatest }: Range): readonly [number, number] => [
  least ? partition.positionOf(least.inclusive ? least.sort : justBehind(least.sort)) : 0,
  greatest ? partition.positionOf(greatest.inclusive ? justBehind(greatest.sort) : greatest.sort) : partition.order.length,
];

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

  /** Returns the item's key after checks; `exact` rejects other attributes. */
  keyOf(item: Item, exact: boolean): Item {
    return keyOf(this.shape, item, exact);
  }

  #placeOf(key: Item): readonly [partition: string, sort: string] {
    const { partition, sort } = valuesOfKey(this.shape, key);
    return [partition, sort];
  }

  get(key: Item): Item | undefined {
    const [partition, sort] = this.#placeOf(key);
    return this.#items.get(partition)?.items.get(sort);
  }

  /** Returns the item with these key values. */
  stored({ partition, sort }: KeyValues): Item | undefined {
    return this.#items.get(partition)?.items.get(sort);
  }

  /** Stores a checked item, or deletes it. */
  write(key: Item, after: Item | undefined, atMs: number): void {
    const [partition, sort] = this.#placeOf(key);
    const before = this.#items.get(partition)?.items.get(sort);
    if (after) this.#items.put(partition, sort, after);
    else this.#items.remove(partition, sort);
    this.changes.push({ position: this.changes.length, atMs, key, before, after });
  }

  *items(): Iterable<Item> {
    yield* this.#items.items();
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
    const key = entryKeyOf(index, item);
    if (!item || !key) return undefined;
    return {
      partition: key.partition,
      sort: [key.sort, ...this.#placeOf(item)].join(lowest),
      item: projectedBy(this.shape, index, item),
    };
  }

  /**
   * Returns the entries of a read. A consistent read sees the whole table; any other read, and an
   * index, may lack changes after `untilMs`.
   */
  *range({ index, partition: key, range, start, isForward, isConsistent, limit }: RangeRead, untilMs: number): Iterable<Entry> {
    const partition = index
      ? this.indexPartition(index.name, key, untilMs)
      : isConsistent
        ? this.partition(key)
        : this.partitionBehind(key, untilMs);
    if (!partition) return;
    const [least, greatest] = positionsOf(partition, range);
    const at = start && [start.sort, ...(index ? [start.item.partition, start.item.sort] : [])].join(lowest);
    const from = at !== undefined && isForward ? Math.max(least, partition.positionOf(`${at}\u0000`)) : least;
    const to = at !== undefined && !isForward ? Math.min(greatest, partition.positionOf(at)) : greatest;
    const count = Math.max(0, Math.min(to - from, limit));
    for (let i = 0; i < count; i++) {
      const sort = partition.order[isForward ? from + i : to - 1 - i] as string;
      yield { item: partition.items.get(sort) as Item, maxBytes: Number.POSITIVE_INFINITY };
    }
  }
}

export type { Partition };
