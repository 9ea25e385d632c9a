import { ApiError } from '../core/errors.ts';

/** Attributes by name. */
type Item = Readonly<Record<string, unknown>>;

/** Maximum bytes of an item in DynamoDB, names and keys included. */
const maxItemBytes = 400 * 1024;

/**
 * Maximum bytes of a caller's data in a record. The rest of the item is reserved for what the
 * service adds, now or later: keys, index keys, status, times and totals. So an accepted record
 * never becomes too large.
 */
export const maxRecordBytes = 384 * 1024;

const sizeOfFields = (fields: object, size: (value: unknown) => number): number =>
  Object.entries(fields).reduce(
    (bytes, [name, value]) => (value === undefined ? bytes : bytes + 1 + Buffer.byteLength(name) + size(value)),
    0,
  );

/** Returns the bytes of a value, never fewer than DynamoDB counts. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // DynamoDB stores two digits in a byte, and sign and exponent in two bytes at most.
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 2;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((bytes, entry) => bytes + 1 + sizeOf(entry), 3);
  return typeof value === 'object' && value !== null ? 3 + sizeOfFields(value, sizeOf) : 1;
};

const itemBytes = (item: Item): number => sizeOfFields(item, sizeOf);

/**
 * Maximum bytes of a short value. The service itself writes no longer value at the top level of a
 * record.
 */
const shortBytes = 64;

/**
 * Short values at the top level are not counted, because the service may replace them later. The
 * reserve has space for all of them.
 */
const isShort = (value: unknown): boolean => (typeof value !== 'object' || value === null) && sizeOf(value) <= shortBytes;

/**
 * Returns the bytes of a record's content, which are in the attributes `view` and, in some kinds,
 * `rest`.
 */
export const recordBytes = (attributes: Item): number =>
  sizeOfFields(attributes, (fields) => sizeOf(Object.fromEntries(Object.entries(fields as object).filter(([, value]) => !isShort(value)))));

const assertAtMost = (bytes: number, max: number, name: string): void => {
  if (bytes > max)
    throw new ApiError(
      'invalid_value',
      `The ${name} needs ${bytes} bytes of storage, and at most ${max} are available. Shorten its texts.`,
    );
};

/** Rejects with 400 a record that does not fit now, or may not fit later. */
export const assertRecordFits = (name: string, attributes: Item): void => assertAtMost(recordBytes(attributes), maxRecordBytes, name);

const maxKeyBytes = { pk: 2_048, sk: 1_024 } as const;

/**
 * Whether the value is valid, if the attribute is a key of the table or of an index (`pk`, `sk2`).
 */
const fitsKey = ([name, value]: readonly [string, unknown]): boolean => {
  const kind = /^([ps]k)\d?$/.exec(name)?.[1];
  return kind === undefined || (value !== '' && Buffer.byteLength(String(value)) <= maxKeyBytes[kind as 'pk' | 'sk']);
};

/** Whether the table can hold an item with this key. */
export const isKey = (key: Item): boolean => Object.entries(key).every(fitsKey);

/** Rejects with 400 what the table would reject: an item that is too large, an impossible key. */
export const assertStorable = (item: Item): void => {
  assertAtMost(itemBytes(item), maxItemBytes, 'record');
  if (!isKey(item)) throw new ApiError('invalid_value', 'An id or another text that identifies a record must have 1 to 1,024 bytes.');
};
