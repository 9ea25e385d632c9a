import type { AttributeValue } from 'aws-lambda';
import type { Item, Value } from './commands/values.ts';

/**
 * An item as the file holds it: JSON with plain values, which is the fastest to read. JSON has
 * neither bytes nor sets, so `special` says where the text has base64 and lists instead.
 */
export interface Encoded {
  readonly text: string;
  readonly special: string | null;
}

/** `B` for bytes, `N` for a set of numbers; then the names and positions that lead to the value. */
type Special = readonly [kind: 'B' | 'N', ...path: (string | number)[]];

const findSpecial = (value: Value, path: readonly (string | number)[], found: Special[]): void => {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Uint8Array) found.push(['B', ...path]);
  else if (value instanceof Set) found.push(['N', ...path]);
  else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) findSpecial(value[i], [...path, i], found);
  else
    for (const name in value) {
      const inner = (value as Item)[name] as Value;
      if (typeof inner === 'object' && inner !== null) findSpecial(inner, [...path, name], found);
    }
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const plain = (_name: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return base64(value);
  return value instanceof Set ? [...value] : value;
};

export const encode = (item: Item): Encoded => {
  const found: Special[] = [];
  findSpecial(item, [], found);
  if (found.length === 0) return { text: JSON.stringify(item), special: null };
  return { text: JSON.stringify(item, plain), special: JSON.stringify(found) };
};

export const decode = ({ text, special }: Encoded): Item => {
  const item = JSON.parse(text);
  if (special === null) return item;
  for (const [kind, ...path] of JSON.parse(special) as Special[]) {
    const last = path.pop() as string;
    let holder = item;
    for (const name of path) holder = holder[name];
    holder[last] = kind === 'B' ? new Uint8Array(Buffer.from(holder[last], 'base64')) : new Set(holder[last]);
  }
  return item;
};

/** Returns a value in the format of Lambda's stream records: typed, with bytes in base64. */
const attributeOf = (value: Value): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: base64(value) };
  if (value instanceof Set) return { NS: [...value].map(String) };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  return { M: imageOf(value as Item) };
};

/** Returns an item in the format of Lambda's stream records. */
export const imageOf = (item: Item): Record<string, AttributeValue> => {
  const image: Record<string, AttributeValue> = {};
  for (const name in item) image[name] = attributeOf(item[name] as Value);
  return image;
};
