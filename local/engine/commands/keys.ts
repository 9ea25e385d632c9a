import type { Index, KeyValues, TableShape } from '../storage.ts';
import { validation } from './errors.ts';
import { type Item, itemBytes } from './values.ts';

const maxItemBytes = 400 * 1024;
const maxPartitionKeyBytes = 2048;
const maxSortKeyBytes = 1024;

const checkKey = (item: Item, name: string, maxBytes: number): void => {
  const value = item[name];
  if (typeof value !== 'string') throw validation(`One or more parameter values were invalid: the key ${name} is missing or no text`);
  if (value === '') throw validation(`One or more parameter values are not valid: the key ${name} is an empty string`);
  if (Buffer.byteLength(value) > maxBytes) throw validation(`One or more parameter values were invalid: the key ${name} is too long`);
};

export const keyNamesOf = ({ partitionKey, sortKey }: TableShape): readonly string[] =>
  sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];

/** Returns the item's key after checks; `exact` rejects other attributes. */
export const keyOf = (shape: TableShape, item: Item, exact: boolean): Item => {
  const { partitionKey, sortKey } = shape;
  if (exact && Object.keys(item).length !== (sortKey === undefined ? 1 : 2))
    throw validation('The provided key element does not match the schema');
  checkKey(item, partitionKey, maxPartitionKeyBytes);
  if (sortKey === undefined) return { [partitionKey]: item[partitionKey] as string };
  checkKey(item, sortKey, maxSortKeyBytes);
  return { [partitionKey]: item[partitionKey] as string, [sortKey]: item[sortKey] as string };
};

/** Returns the values of a checked key. */
export const valuesOfKey = ({ partitionKey, sortKey }: TableShape, key: Item): KeyValues => ({
  partition: key[partitionKey] as string,
  sort: sortKey === undefined ? '' : (key[sortKey] as string),
});

/** Throws for an item that is too large, or has index keys that are no strings or too long. */
export const checkItem = ({ indexes = [] }: TableShape, item: Item): void => {
  for (const { partitionKey, sortKey } of indexes) {
    if (item[partitionKey] !== undefined) checkKey(item, partitionKey, maxPartitionKeyBytes);
    if (item[sortKey] !== undefined) checkKey(item, sortKey, maxSortKeyBytes);
  }
  if (itemBytes(item) > maxItemBytes) throw validation('Item size has exceeded the maximum allowed size');
};

/** Returns the key values of an item's entry in an index; undefined if the item has no entry. */
export const entryKeyOf = ({ partitionKey, sortKey }: Index, item: Item | undefined): KeyValues | undefined => {
  const [partition, sort] = [item?.[partitionKey], item?.[sortKey]];
  return typeof partition === 'string' && typeof sort === 'string' ? { partition, sort } : undefined;
};

/** Returns the attributes that an index projects. */
export const projectedBy = (shape: TableShape, { partitionKey, sortKey, carries }: Index, item: Item): Item => {
  const projected: Record<string, Item[string]> = {};
  for (const name of [...keyNamesOf(shape), partitionKey, sortKey, ...carries]) {
    const value = item[name];
    if (value !== undefined) projected[name] = value;
  }
  return projected;
};

/** Returns the index with this name. */
export const indexOf = ({ indexes = [] }: TableShape, name: string): Index => {
  const found = indexes.find((index) => index.name === name);
  if (!found) throw validation(`The table does not have the specified index: ${name}`);
  return found;
};
