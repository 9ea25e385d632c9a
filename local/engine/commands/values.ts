import { validation } from './errors.ts';

/** A value of an attribute, as the document client represents it. Sets contain only numbers. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<number>
  | readonly Value[]
  | { readonly [name: string]: Value };
export type Item = { readonly [attribute: string]: Value };

/** The engine throws for unknown features, so that no test depends on a guess. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === null || value.constructor?.name === 'Object';

const internNumber = (value: number): number => {
  if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`Number ${value} is beyond Number.MAX_SAFE_INTEGER.`);
  if (value !== 0 && Math.abs(value) < 1e-130) throw validation('Number underflow.');
  return value === 0 ? 0 : value; // a negative zero is written as 0
};

const internSet = (set: ReadonlySet<unknown>): ReadonlySet<number> => {
  const numbers = [...set].filter((entry) => typeof entry === 'number');
  if (numbers.length < set.size || set.size === 0) throw new Unsupported('The engine keeps sets of numbers, and none that is empty.');
  return new Set(numbers.map(internNumber));
};

/**
 * Returns a copy of a caller's value without undefined fields, as the client is configured to send
 * it.
 */
export const intern = (value: unknown): Value => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return internNumber(value);
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined).map(intern);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Set) return internSet(value);
  if (typeof value === 'object' && isPlain(value)) return internItem(value);
  throw new Unsupported(`The engine keeps no ${typeof value === 'object' ? value.constructor?.name : typeof value}.`);
};

export const internItem = (value: object): Item => {
  const item: Record<string, Value> = {};
  for (const name in value) {
    const attribute = (value as Record<string, unknown>)[name];
    if (attribute !== undefined) item[name] = intern(attribute);
  }
  return item;
};

/** Returns a copy that the reader may change. */
export const copy = <Copied extends Value>(value: Copied): Copied => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy) as unknown as Copied;
  if (value instanceof Uint8Array) return Uint8Array.from(value) as unknown as Copied;
  if (value instanceof Set) return new Set(value) as unknown as Copied;
  const made: Record<string, Value> = {};
  for (const name in value) made[name] = copy((value as Item)[name] as Value);
  return made as Copied;
};

export const isMap = (value: Value | undefined): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array) && !(value instanceof Set);

export type TypeName = 'S' | 'N' | 'B' | 'NS' | 'BOOL' | 'NULL' | 'L' | 'M';
export const typeNameOf = (value: Value): TypeName => {
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) return 'NS';
  return Array.isArray(value) ? 'L' : 'M';
};

export const isEqual = (a: Value | undefined, b: Value | undefined): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array)
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Set || b instanceof Set)
    return a instanceof Set && b instanceof Set && a.size === b.size && [...a].every((entry) => b.has(entry));
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isEqual((a as Item)[name], (b as Item)[name]));
};

/** Surrogates encode the highest characters but are not the highest code units. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Compares strings by their UTF-8 bytes. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
};

/** Compares two values. Returns undefined if their types differ or have no order. */
export const compare = (a: Value, b: Value): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : undefined;
};

/** Returns a number's digits without the decimal point, and how many of them follow it. */
const decimalOf = (value: number): { readonly digits: bigint; readonly scale: number } => {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [integerPart = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(integerPart + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
};

/**
 * Adds in decimals: 0.1 + 0.2 is 0.3. DynamoDB has 38 digits. This engine throws for a sum that a
 * JavaScript number cannot represent.
 */
export const addDecimals = (a: number, b: number): number => {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  const scale = Math.max(left.scale, right.scale);
  const sum = left.digits * 10n ** BigInt(scale - left.scale) + right.digits * 10n ** BigInt(scale - right.scale);
  const result = Number(`${sum}e-${scale}`);
  const back = decimalOf(result);
  const finestScale = Math.max(scale, back.scale);
  if (
    back.digits * 10n ** BigInt(finestScale - back.scale) !== sum * 10n ** BigInt(finestScale - scale) ||
    Math.abs(result) > Number.MAX_SAFE_INTEGER
  )
    throw new Unsupported(`${a} and ${b} add up to more digits than the engine keeps.`);
  return result === 0 ? 0 : result;
};

const textBytes = (text: string): number => Buffer.byteLength(text);

/** A number takes a byte per two digits, and one more. */
const numberBytes = (value: number): number =>
  Math.ceil(
    String(Math.abs(value))
      .replace(/^0\.0*|e.*|\./g, '')
      .replace(/0+$/, '').length / 2,
  ) + 1;

/** Returns the size of a value in bytes as DynamoDB counts it. */
export const valueBytes = (value: Value): number => {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return [...value].reduce((sum, entry) => sum + numberBytes(entry), 0);
  let bytes = 3;
  if (Array.isArray(value)) for (const entry of value) bytes += 1 + valueBytes(entry);
  else for (const name in value) bytes += 1 + textBytes(name) + valueBytes((value as Item)[name] as Value);
  return bytes;
};

/** Returns the size of an item in bytes as DynamoDB counts it: names and values. */
export const itemBytes = (item: Item): number => {
  let bytes = 0;
  for (const name in item) bytes += textBytes(name) + valueBytes(item[name] as Value);
  return bytes;
};
