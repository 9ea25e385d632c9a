import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableShape } from '../../../local/engine/storage.ts';
import { indexNames } from '../../../shared/core/resources.ts';
import { bucketsSchema, indexKeys, schema } from '../../../shared/table/schema.ts';
import type { Engine } from './engine.ts';

/** Returns the service's two tables, as they are deployed. */
export const serviceTables = ({ tableName, bucketsTableName }: { readonly tableName: string; readonly bucketsTableName: string }) =>
  [
    {
      name: tableName,
      partitionKey: schema.partitionKey,
      sortKey: schema.sortKey,
      indexes: indexNames.map((name) => ({
        name,
        partitionKey: indexKeys(name).pk,
        sortKey: indexKeys(name).sk,
        carries: [schema.viewAttribute],
      })),
    },
    { name: bucketsTableName, partitionKey: bucketsSchema.partitionKey },
  ] satisfies readonly TableShape[];

/** Returns operation and input of a command of the SDK. */
export const readCommand = (command: object): { readonly operation: string; readonly input: object } => ({
  operation: command.constructor.name.replace(/Command$/, ''),
  input: (command as { readonly input: object }).input,
});

/** Executes a call; the default executes it at once. */
export type Carry = (operation: string, input: object) => Promise<object>;

/** Returns a client for the stores. They only call `send`. */
export const clientOf = (carry: Carry): DynamoDBDocumentClient =>
  ({
    async send(command: object) {
      const { operation, input } = readCommand(command);
      return { $metadata: {}, ...(await carry(operation, input)) };
    },
  }) as unknown as DynamoDBDocumentClient;

export const promptClient = (engine: Engine): DynamoDBDocumentClient =>
  clientOf(async (operation, input) => engine.execute(operation, input));
