/** Replaces `@aws-sdk/util-dynamodb`: DynamoDB's typed values as JSON; bytes are base64. */
type Attribute = Readonly<Record<string, unknown>>;
type AttributeMap = Readonly<Record<string, Attribute>>;

const number = (value: number): string => {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw new Error(`${value} is no number of DynamoDB.`);
  return String(value);
};

const setOf = (values: ReadonlySet<unknown>): Attribute => {
  const members = [...values];
  return typeof members[0] === 'string' ? { SS: members } : { NS: members.map((member) => number(member as number)) };
};

const attributeOf = (value: unknown): Attribute => {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: number(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (value === null) return { NULL: true };
      if (Array.isArray(value)) return { L: value.filter((member) => member !== undefined).map(attributeOf) };
      if (value instanceof Uint8Array) return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
      return value instanceof Set ? setOf(value) : { M: marshall(value) };
    default:
      throw new Error(`DynamoDB has no type for a ${typeof value}.`);
  }
};

/** Converts fields to typed values. Omits undefined fields, as `removeUndefinedValues` does. */
export const marshall = (record: object): AttributeMap => {
  const map: Record<string, Attribute> = {};
  for (const name in record) {
    const value = (record as Record<string, unknown>)[name];
    if (value !== undefined) map[name] = attributeOf(value);
  }
  return map;
};

const plainOf = (attribute: Attribute): unknown => {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return Number(value);
      case 'M':
        return unmarshall(value as AttributeMap);
      case 'L':
        return (value as Attribute[]).map(plainOf);
      case 'NULL':
        return null;
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(Number));
      case 'B':
        return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
    }
  }
  throw new Error(`DynamoDB has no such value: ${JSON.stringify(attribute)}`);
};

export const unmarshall = (map: AttributeMap): Record<string, unknown> => {
  const record: Record<string, unknown> = {};
  for (const name in map) record[name] = plainOf(map[name] as Attribute);
  return record;
};
