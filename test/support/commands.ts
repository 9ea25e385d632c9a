import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

const classes = {
  Get: GetCommand,
  Put: PutCommand,
  Update: UpdateCommand,
  Delete: DeleteCommand,
  Query: QueryCommand,
  BatchGet: BatchGetCommand,
  TransactWrite: TransactWriteCommand,
};

/** Returns a command of the document client: `Put` with its input as a `PutCommand`. */
export const commandOf = (kind: string, input: object): object => {
  const Command = classes[kind as keyof typeof classes];
  if (!Command) throw new Error(`No store sends ${kind}.`);
  return new Command(input as never);
};
