/** DynamoDB's typed values, as JSON carries them: bytes are base64. */
export type Attribute = Readonly<Record<string, unknown>>;
export type AttributeMap = Readonly<Record<string, Attribute>>;

const number = (value: number): string => {
  if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const bound = value > 0 ? 'greater than Number.MAX_SAFE_INTEGER' : 'lesser than Number.MIN_SAFE_INTEGER';
    throw new Error(`Number ${value} is ${bound}. Use NumberValue from @aws-sdk/lib-dynamodb.`);
  }
  return String(value);
};

const isKept = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

const set = (values: ReadonlySet<unknown>): Attribute => {
  const members = [...values].filter(isKept);
  const [first] = members;
  if (first === undefined) throw new Error('Pass a non-empty set, or options.convertEmptyValues=true.');
  if (typeof first === 'string') return { SS: members };
  if (typeof first === 'number') return { NS: members.map((member) => number(member as number)) };
  if (typeof first === 'bigint') return { NS: members.map(String) };
  throw new Error('Only Number Set (NS), Binary Set (BS) or String Set (SS) are allowed.');
};

const object = (value: object): Attribute => {
  if (Array.isArray(value)) return { L: value.filter(isKept).map(attributeOf) };
  if (value instanceof Set) return set(value);
  if (value instanceof Uint8Array) return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  const prototype = Object.getPrototypeOf(value) as object | null;
  // A plain object of another realm has another prototype of the same name.
  if (prototype === null || prototype.constructor.name === 'Object') return { M: marshallMap(value) };
  throw new Error(
    `Unsupported type passed: ${value}. Pass options.convertClassInstanceToMap=true to marshall typeof object as map attribute.`,
  );
};

const attributeOf = (value: unknown): Attribute => {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: number(value) };
    case 'boolean':
      return { BOOL: value };
    case 'bigint':
      return { N: String(value) };
    case 'object':
      return value === null ? { NULL: true } : object(value);
    default:
      throw new Error(`Unsupported type passed: ${String(value)}.`);
  }
};

/** Members as typed values; undefined ones are left out, as with `removeUndefinedValues`. */
export const marshallMap = (record: object): AttributeMap => {
  const map: Record<string, Attribute> = {};
  for (const name in record) {
    const value = (record as Record<string, unknown>)[name];
    if (isKept(value)) map[name] = attributeOf(value);
  }
  return map;
};

const toNumber = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(text) : value;
};
const toBytes = (value: unknown): unknown => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value);

const nativeOf = (attribute: Attribute): unknown => {
  for (const type in attribute) {
    const value = attribute[type];
    if (value === undefined) continue;
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return toNumber(value as string);
      case 'M':
        return unmarshallMap(value as AttributeMap);
      case 'L':
        return (value as Attribute[]).map(nativeOf);
      case 'NULL':
        return null;
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(toNumber));
      case 'B':
        return toBytes(value);
      case 'BS':
        return new Set((value as unknown[]).map(toBytes));
      default:
        throw new Error(`Unsupported type passed: ${type}`);
    }
  }
  throw new Error(`No value defined: ${JSON.stringify(attribute)}`);
};

export const unmarshallMap = (map: AttributeMap): Record<string, unknown> => {
  const record: Record<string, unknown> = {};
  for (const name in map) record[name] = nativeOf(map[name] as Attribute);
  return record;
};
