import type { Index, TableShape } from '../storage.ts';
import { entryKeyOf, projectedBy } from './keys.ts';
import { type Item, isEqual, itemBytes } from './values.ts';

/** Units of one table, as DynamoDB reports them. */
interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
  readonly Table: { readonly CapacityUnits: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>>;
}

const writeUnitBytes = 1024;
const readUnitBytes = 4096;

const bytesOf = (item: Item | undefined): number => (item ? itemBytes(item) : 0);
const unitsOf = (bytes: number, unitBytes: number): number => Math.max(1, Math.ceil(bytes / unitBytes));

/** Returns the write units of one index: a moved entry is deleted and put. */
const indexUnits = (shape: TableShape, index: Index, before: Item | undefined, after: Item | undefined): number => {
  const [from, to] = [entryKeyOf(index, before), entryKeyOf(index, after)];
  const [old, fresh] = [from && projectedBy(shape, index, before as Item), to && projectedBy(shape, index, after as Item)];
  if (from && to && from.partition === to.partition && from.sort === to.sort)
    return isEqual(old, fresh) ? 0 : unitsOf(Math.max(bytesOf(old), bytesOf(fresh)), writeUnitBytes);
  return (old ? unitsOf(bytesOf(old), writeUnitBytes) : 0) + (fresh ? unitsOf(bytesOf(fresh), writeUnitBytes) : 0);
};

/**
 * Counts the capacity units of a command by AWS's written rules: 1 KB a write unit, 4 KB a read
 * unit, half for eventually consistent reads, twice in transactions. An index is written after the
 * transaction, so its units are not doubled.
 */
export class Meter {
  readonly #units = new Map<string, { table: number; readonly indexes: Map<string, number> }>();

  #of(table: string) {
    const known = this.#units.get(table) ?? { table: 0, indexes: new Map<string, number>() };
    this.#units.set(table, known);
    return known;
  }

  /** Counts the read of this many bytes of the table, or of an index. */
  read({ name }: TableShape, index: Index | undefined, bytes: number, isConsistent: boolean): void {
    const counted = this.#of(name);
    const units = unitsOf(bytes, readUnitBytes) * (isConsistent ? 1 : 0.5);
    if (index) counted.indexes.set(index.name, (counted.indexes.get(index.name) ?? 0) + units);
    else counted.table += units;
  }

  /** Counts the write of an item. */
  write(shape: TableShape, before: Item | undefined, after: Item | undefined, inTransaction: boolean): void {
    const counted = this.#of(shape.name);
    counted.table += (inTransaction ? 2 : 1) * unitsOf(Math.max(bytesOf(before), bytesOf(after)), writeUnitBytes);
    for (const index of shape.indexes ?? []) {
      const units = indexUnits(shape, index, before, after);
      if (units > 0) counted.indexes.set(index.name, (counted.indexes.get(index.name) ?? 0) + units);
    }
  }

  get consumed(): readonly Consumed[] {
    return [...this.#units].map(([TableName, { table, indexes }]) => ({
      TableName,
      CapacityUnits: [...indexes.values()].reduce((sum, units) => sum + units, table),
      Table: { CapacityUnits: table },
      ...(indexes.size > 0
        ? { GlobalSecondaryIndexes: Object.fromEntries([...indexes].map(([name, CapacityUnits]) => [name, { CapacityUnits }])) }
        : {}),
    }));
  }
}
