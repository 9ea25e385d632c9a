import { ApiError } from '../core/errors.ts';

/** Attributes by name. */
type Item = Readonly<Record<string, unknown>>;

/** What DynamoDB stores as one item, names and keys included. */
const maxItemBytes = 400 * 1024;

/**
 * What callers may have said in one record. The rest of an item is for what the service adds, now or later: keys, index keys, status,
 * times, totals and marks. So a record that was accepted fits through its whole life.
 */
export const maxRecordBytes = 384 * 1024;

const sizeOfMembers = (members: object, size: (value: unknown) => number): number =>
  Object.entries(members).reduce(
    (bytes, [name, value]) => (value === undefined ? bytes : bytes + 1 + Buffer.byteLength(name) + size(value)),
    0,
  );

/** Bytes of a value, never fewer than DynamoDB counts. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // Two digits are one byte; sign and exponent are two at most.
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 2;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((bytes, entry) => bytes + 1 + sizeOf(entry), 3);
  return typeof value === 'object' && value !== null ? 3 + sizeOfMembers(value, sizeOf) : 1;
};

export const itemBytes = (item: Item): number => sizeOfMembers(item, sizeOf);

/** Covers each value that the service itself writes at the top of a record. */
const shortBytes = 64;

/** Short values at the top of a record may become others later: the reserve has room for all of them, and none of them counts here. */
const isShort = (value: unknown): boolean => (typeof value !== 'object' || value === null) && sizeOf(value) <= shortBytes;

/** Bytes of what callers have said in a record, given as the attributes that it is kept in. */
export const recordBytes = (attributes: Item): number =>
  sizeOfMembers(attributes, (members) =>
    sizeOf(Object.fromEntries(Object.entries(members as object).filter(([, value]) => !isShort(value)))),
  );

const assertAtMost = (bytes: number, max: number, name: string): void => {
  if (bytes > max)
    throw new ApiError('invalid_value', `The ${name} needs ${bytes} bytes of storage; at most ${max} are available. Shorten its texts.`);
};

/** Rejects a record that may some day not fit. */
export const assertRecordFits = (name: string, attributes: Item): void => assertAtMost(recordBytes(attributes), maxRecordBytes, name);

const maxKeyBytes = { pk: 2_048, sk: 1_024 } as const;

/** Whether a text can be part of a key of the table or of an index, `pk` or `sk2`; other attributes take any. */
const fitsKey = ([name, value]: readonly [string, unknown]): boolean => {
  const kind = /^([ps]k)\d?$/.exec(name)?.[1];
  return kind === undefined || (value !== '' && Buffer.byteLength(String(value)) <= maxKeyBytes[kind as 'pk' | 'sk']);
};

/** Whether an item can have this key: there is none that has another. */
export const isKey = (key: Item): boolean => Object.entries(key).every(fitsKey);

/** Rejects what the table would: an item that is too large, a key that is empty or too long. */
export const assertStorable = (item: Item): void => {
  assertAtMost(itemBytes(item), maxItemBytes, 'record');
  if (!isKey(item)) throw new ApiError('invalid_value', 'A text by which the record is found is empty or too long.');
};
