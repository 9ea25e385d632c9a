import type { DynamoDBClient } from './client-dynamodb.ts';
import { marshall, unmarshall } from './util-dynamodb.ts';

type Members = Readonly<Record<string, unknown>>;
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
    const member = (value as Members)[name];
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

export class DynamoDBDocumentClient {
  readonly #client: DynamoDBClient;

  private constructor(client: DynamoDBClient) {
    this.#client = client;
  }

  static from(client: DynamoDBClient): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(client);
  }

  async send({ operation, input }: InstanceType<ReturnType<typeof command>>): Promise<unknown> {
    const body = JSON.stringify(convert(input, (record: object) => marshall(record)));
    return convert(await this.#client.call(`DynamoDB_20120810.${operation}`, body), unmarshall);
  }

  destroy(): void {
    this.#client.destroy();
  }
}
