import { randomUUID } from 'node:crypto';
import { type AttributeMap, marshallMap, unmarshallMap } from './attribute-values.ts';
import { jsonCall, parseJson } from './client.ts';
import type { DynamoDBClient } from './client-dynamodb.ts';

/** Where in an input or output records are: a `record`, a list, members by name, or by `*` each member whatever its name. */
type Shape = 'record' | readonly [Shape] | { readonly [member: string]: Shape };

type Convert = (record: never) => unknown;

const convert = (value: unknown, shape: Shape, record: Convert): unknown => {
  if (value === undefined || value === null) return value;
  if (shape === 'record') return record(value as never);
  if (Array.isArray(shape)) return (value as unknown[]).map((entry) => convert(entry, shape[0] as Shape, record));
  const members = shape as Readonly<Record<string, Shape>>;
  const result: Record<string, unknown> = {};
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    const inner = members[name] ?? members['*'];
    result[name] = inner ? convert(member, inner, record) : member;
  }
  return result;
};

const values = { ExpressionAttributeValues: 'record' } as const;
const item = { Item: 'record', ...values } as const;
const key = { Key: 'record', ...values } as const;
const keysOfTables = { '*': { Keys: ['record'] } } as const;

/** A command of the document client: its input and output hold plain values. */
class Command {
  readonly operation: string;
  readonly input: object;
  readonly request: Shape;
  readonly response: Shape;

  constructor(operation: string, input: object, request: Shape, response: Shape) {
    this.operation = operation;
    this.input = input;
    this.request = request;
    this.response = response;
  }
}

const command = (operation: string, request: Shape, response: Shape, complete: (input: object) => object = (input) => input) =>
  class extends Command {
    constructor(input: object) {
      super(operation, complete(input), request, response);
    }
  };

const changed = { Attributes: 'record' } as const;

/** In the place of `@aws-sdk/lib-dynamodb`, as far as this service speaks it. */
export const GetCommand = command('GetItem', key, { Item: 'record' });
export const PutCommand = command('PutItem', item, changed);
export const UpdateCommand = command('UpdateItem', key, changed);
export const DeleteCommand = command('DeleteItem', key, changed);
export const QueryCommand = command('Query', { ...values, ExclusiveStartKey: 'record' }, { Items: ['record'], LastEvaluatedKey: 'record' });
export const BatchGetCommand = command(
  'BatchGetItem',
  { RequestItems: keysOfTables },
  { Responses: { '*': ['record'] }, UnprocessedKeys: keysOfTables },
);
export const TransactWriteCommand = command(
  'TransactWriteItems',
  { TransactItems: [{ Put: item, Update: key, Delete: key, ConditionCheck: key }] },
  {},
  // By it DynamoDB knows a repetition of the same call from another one.
  (input) => ({ ClientRequestToken: randomUUID(), ...input }),
);

export class DynamoDBDocumentClient {
  readonly #client: DynamoDBClient;

  private constructor(client: DynamoDBClient) {
    this.#client = client;
  }

  /** Undefined members are always left out. */
  static from(client: DynamoDBClient): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(client);
  }

  async send({ operation, input, request, response }: Command): Promise<unknown> {
    const body = JSON.stringify(convert(input, request, (record: object) => marshallMap(record)));
    const answer = await this.#client.call(jsonCall(`DynamoDB_20120810.${operation}`, body));
    return convert(parseJson(answer), response, (map: AttributeMap) => unmarshallMap(map));
  }

  destroy(): void {
    this.#client.destroy();
  }
}
