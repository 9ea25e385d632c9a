import { Unsupported } from './values.ts';

/** The input of a command, as the document client takes it. */
export type Input = Readonly<Record<string, unknown>>;

const placeholders = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
const conditional = ['ConditionExpression', ...placeholders, 'ReturnValuesOnConditionCheckFailure'] as const;

/** The fields of each input that the engine supports. */
const fields: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    Get: ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames', 'ReturnConsumedCapacity'],
    Put: ['TableName', 'Item', ...conditional],
    Update: ['TableName', 'Key', 'UpdateExpression', ...conditional],
    Delete: ['TableName', 'Key', ...conditional],
    ConditionCheck: ['TableName', 'Key', ...conditional],
    Query: [
      ...['TableName', 'IndexName', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
      ...['ConsistentRead', 'ExclusiveStartKey', 'Limit', 'ScanIndexForward', 'Select', 'ReturnConsumedCapacity'],
      ...placeholders,
    ],
    BatchGet: ['RequestItems', 'ReturnConsumedCapacity'],
    BatchGetKeys: ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'],
    TransactWrite: ['TransactItems', 'ClientRequestToken', 'ReturnConsumedCapacity'],
  }).map(([kind, names]) => [kind, new Set(names)]),
);

/** Returns the input. Throws if it has an unsupported field. */
export const checkFields = (kind: string, input: object, ...more: readonly string[]): Input => {
  const known = fields[kind];
  if (!known) throw new Unsupported(`The engine knows no command ${kind}.`);
  for (const name in input) {
    const isKnown = known.has(name) || more.includes(name) || (input as Input)[name] === undefined;
    if (!isKnown) throw new Unsupported(`The engine knows no ${name} of ${kind}.`);
  }
  return input as Input;
};
