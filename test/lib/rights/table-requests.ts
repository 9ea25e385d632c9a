import { kindOf } from '../../../shared/table/keys.ts';
import type { WireCall } from '../../support/wire.ts';
import type { IamRequest } from '../iam.ts';

interface Operand {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: { readonly pk: string };
  readonly Item?: { readonly pk: string };
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

export interface TableRequest extends IamRequest {
  /** `GetItem account`, `Query order on gsi1`; of the rate buckets `UpdateItem on the buckets`. */
  readonly right: string;
}

export const rightOnKind = (verb: string, kind: string, index?: string): string => `${verb} ${kind}${index ? ` on ${index}` : ''}`;
export const rightOnBuckets = (verb: string): string => `${verb} on the buckets`;

export interface TableArns {
  readonly data: { readonly name: string; readonly arn: string };
  readonly buckets: { readonly name: string; readonly arn: string };
}

/**
 * The single requests that IAM judges of a DynamoDB call: a transaction and a batch are judged part
 * by part.
 */
export const tableRequestsOf = ({ operation, input }: WireCall, { data, buckets }: TableArns): TableRequest[] => {
  const requestOf = (verb: string, { TableName, IndexName, Key, Item, ExpressionAttributeValues }: Operand): TableRequest => {
    const key = Key?.pk ?? Item?.pk ?? (ExpressionAttributeValues?.[':pk'] as string | undefined);
    const arn = [data, buckets].find(({ name }) => name === TableName)?.arn;
    return {
      action: `dynamodb:${verb}`,
      resource: `${arn}${IndexName ? `/index/${IndexName}` : ''}`,
      leadingKeys: key === undefined ? undefined : [key],
      right: TableName === buckets.name ? rightOnBuckets(verb) : rightOnKind(verb, kindOf(key ?? '') ?? '?', IndexName),
    };
  };
  if (operation === 'BatchGetItem')
    return Object.entries(input['RequestItems'] as Record<string, { readonly Keys: NonNullable<Operand['Key']>[] }>).flatMap(
      ([TableName, { Keys }]) => Keys.map((Key) => requestOf(operation, { TableName, Key })),
    );
  if (operation === 'TransactWriteItems')
    return (input['TransactItems'] as Record<string, Operand>[]).flatMap((part) =>
      Object.entries(part).map(([verb, operand]) => requestOf(verb === 'ConditionCheck' ? 'ConditionCheckItem' : `${verb}Item`, operand)),
    );
  return [requestOf(operation, input as unknown as Operand)];
};
