import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Expense } from '../domain/expense.ts';
import { decodeExpense } from './expenses.ts';
import { kinds } from './schema.ts';
import type { Item } from './write.ts';

/** A committed change, read from a record of the change stream. */
export interface StreamedChange {
  readonly account: string;
  readonly change: { readonly kind: 'expense'; readonly before: Expense | undefined; readonly after: Expense | undefined };
  /** Milliseconds of the change as its writer saw it; 0 where the record was removed. */
  readonly changedMs: number;
  /** Unix seconds of the change as the stream saw it. */
  readonly createdSeconds: number;
  readonly position: { readonly eventId: string; readonly partition: string; readonly sort: string };
}

const image = (attributes: unknown): Item | undefined =>
  attributes ? unmarshall(attributes as Record<string, AttributeValue>) : undefined;

/** Throws where the record is none that the stores write: no retry makes such a record readable. */
export const readStreamRecord = ({ eventID, dynamodb }: DynamoDBRecord): StreamedChange => {
  const [before, after] = [image(dynamodb?.OldImage), image(dynamodb?.NewImage)];
  const item = after ?? before;
  if (!item || !eventID || dynamodb?.ApproximateCreationDateTime === undefined)
    throw new Error('A stream record without images, id or time.');
  const partition = String(item['pk']);
  if (!partition.startsWith(`${kinds.expense}#`)) throw new Error('A stream record of a kind that has no events.');
  const [old, current] = [before && decodeExpense(before), after && decodeExpense(after)];
  const account: unknown = item['account'];
  const changedMs = current ? Date.parse(current.updated_at) : 0;
  if (typeof account !== 'string' || Number.isNaN(changedMs)) throw new Error('A stream record without an owner or a time of change.');
  return {
    account,
    change: { kind: 'expense', before: old, after: current },
    changedMs,
    createdSeconds: Math.floor(Number(dynamodb.ApproximateCreationDateTime)),
    position: { eventId: eventID, partition, sort: String(item['sk']) },
  };
};
