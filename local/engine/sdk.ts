/**
 * The names of the SDK for DynamoDB that stores and engine import, for a service whose engine executes
 * every command in the process. The SDK itself would also load HTTP clients and credentials, which
 * take an eighth of the startup time. `local/modules.ts` puts these names in its place.
 */
class Command {
  readonly input: object;

  constructor(input: object) {
    this.input = input;
  }
}

export class BatchGetCommand extends Command {}
export class DeleteCommand extends Command {}
export class DescribeTableCommand extends Command {}
export class PutCommand extends Command {}
export class QueryCommand extends Command {}
export class ScanCommand extends Command {}
export class TransactWriteCommand extends Command {}
export class UpdateCommand extends Command {}

export class ConditionalCheckFailedException extends Error {}
export class TransactionCanceledException extends Error {}

/** Nothing in the local service calls AWS. */
export class DynamoDBClient {
  constructor() {
    throw new Error('The local service has no client of DynamoDB.');
  }
}
export const DynamoDBDocumentClient = { from: () => new DynamoDBClient() };
