import { Agent, type IncomingMessage, request } from 'node:http';

interface Answer {
  readonly statusCode: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A transport of the SDK. Tests pass one to count calls and to make them fail. */
interface Handler {
  handle(request: object): Promise<{ readonly response: Answer }>;
}

/** The part of the SDK's configuration that the local client uses. */
interface ClientConfig {
  readonly endpoint?: string;
  readonly requestHandler?: Handler | object;
}

/** An error of the engine, with its name and fields, as the SDK throws it. */
class ServiceException extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, message: string, statusCode: number, members: object) {
    super(message);
    Object.assign(this, members);
    this.name = name;
    this.$metadata = { httpStatusCode: statusCode };
  }
}

export class ConditionalCheckFailedException extends ServiceException {}

export class TransactionCanceledException extends ServiceException {}

const known: Readonly<Record<string, typeof ServiceException>> = { ConditionalCheckFailedException, TransactionCanceledException };

const exceptionOf = (statusCode: number, body: string): ServiceException => {
  const { __type = 'Unknown', message, Message, ...members } = JSON.parse(body || '{}') as Readonly<Record<string, unknown>>;
  const name = String(__type).replace(/^.*#/, '');
  return new (known[name] ?? ServiceException)(name, String(message ?? Message ?? ''), statusCode, members);
};

/** Engines check no signature, but they require a dated header that names a key. */
const unchecked = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};
/** The same number of kept connections as the SDK. */
const maxSockets = 50;

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * Replaces `@aws-sdk/client-dynamodb` for the commands that the service uses. It sends AWS JSON 1.0
 * over kept connections to a local DynamoDB engine. It neither signs nor retries calls. The rest of
 * this file replaces `@aws-sdk/util-dynamodb` and `@aws-sdk/lib-dynamodb`.
 */
export class DynamoDBClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets });
  readonly #handler: Handler | undefined;

  constructor({ endpoint = '', requestHandler = {} }: ClientConfig) {
    this.#url = new URL(endpoint);
    this.#handler = 'handle' in requestHandler ? requestHandler : undefined;
  }

  /**
   * Returns the fields of the response. Throws a `ServiceException`, or the error of the
   * connection.
   */
  async call(target: string, input: string): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'content-length': String(Buffer.byteLength(input)),
      ...unchecked,
    };
    const answer = this.#handler ? await this.#handOver(this.#handler, headers, input) : await this.#post(headers, input);
    const body = await textOf(answer.body);
    if (answer.statusCode >= 300) throw exceptionOf(answer.statusCode, body);
    return JSON.parse(body || '{}') as Record<string, unknown>;
  }

  destroy(): void {
    this.#agent.destroy();
  }

  async #handOver(handler: Handler, headers: object, input: string): Promise<Answer> {
    const { protocol, hostname, port } = this.#url;
    const outgoing = { method: 'POST', protocol, hostname, port: Number(port), path: '/', query: {}, headers, body: Buffer.from(input) };
    return (await handler.handle(outgoing)).response;
  }

  #post(headers: Readonly<Record<string, string>>, input: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers });
      outgoing.once('response', (body: IncomingMessage) => resolve({ statusCode: body.statusCode ?? 0, body }));
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // The engine closed a kept connection before it read the call.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(this.#post(headers, input));
        else reject(error);
      });
      outgoing.end(input);
    });
  }
}

/** A typed value of DynamoDB as JSON; bytes are base64. */
type Attribute = Readonly<Record<string, unknown>>;
type AttributeMap = Readonly<Record<string, Attribute>>;

const number = (value: number): string => {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw new Error(`${value} is no number of DynamoDB.`);
  return String(value);
};

const setOf = (values: readonly unknown[]): Attribute =>
  typeof values[0] === 'string' ? { SS: values } : { NS: values.map((value) => number(value as number)) };

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
      return value instanceof Set ? setOf([...value]) : { M: marshall(value) };
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

type Convert = (record: never) => unknown;

/** Fields that hold a record, and fields that hold lists of records, directly or by table. */
const records = new Set(['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey', 'Attributes', 'LastEvaluatedKey']);
const lists = new Set(['Keys', 'Items', 'Responses']);

const listed = (value: object, record: Convert): unknown =>
  Array.isArray(value)
    ? value.map((entry) => record(entry as never))
    : Object.fromEntries(Object.entries(value).map(([table, entries]) => [table, listed(entries as object, record)]));

/** A DynamoDB input or output with converted records. */
const convert = (value: unknown, record: Convert): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => convert(entry, record));
  const result: Record<string, unknown> = {};
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined && records.has(name)) result[name] = record(member as never);
    else result[name] = member && lists.has(name) ? listed(member, record) : convert(member, record);
  }
  return result;
};

/** A command of the document client: its input and its output hold plain values. */
const command = (operation: string) =>
  class {
    readonly operation = operation;
    readonly input: object;

    constructor(input: object) {
      this.input = input;
    }
  };

/** Replaces `@aws-sdk/lib-dynamodb` for the commands that the service uses. */
export const PutCommand = command('PutItem');
export const UpdateCommand = command('UpdateItem');
export const DeleteCommand = command('DeleteItem');
export const QueryCommand = command('Query');
export const BatchGetCommand = command('BatchGetItem');
export const TransactWriteCommand = command('TransactWriteItems');

export const DynamoDBDocumentClient = {
  from: (client: DynamoDBClient) => ({
    async send({ operation, input }: InstanceType<ReturnType<typeof command>>): Promise<unknown> {
      const body = JSON.stringify(convert(input, marshall));
      return convert(await client.call(`DynamoDB_20120810.${operation}`, body), unmarshall);
    },
    destroy: () => client.destroy(),
  }),
};
