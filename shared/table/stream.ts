import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Change, EventKind, Image } from '../domain/event/records.ts';
import { decodeExpense } from './expenses.ts';
import { ownerOf } from './keys.ts';
import { decodeRecord } from './records.ts';
import { eventKinds, kinds } from './schema.ts';
import type { Item } from './write.ts';

/** A committed change, read from a record of the change stream. */
export interface StreamedChange {
  readonly account: string;
  readonly change: Change;
  /** Milliseconds of the change as its writer saw it; 0 where the record was removed. */
  readonly changedMs: number;
  /** Unix seconds of the change as the stream saw it. */
  readonly createdSeconds: number;
  readonly position: { readonly eventId: string; readonly partition: string; readonly sort: string };
}

const image = (attributes: unknown): Item | undefined =>
  attributes ? unmarshall(attributes as Record<string, AttributeValue>) : undefined;

const kindOf = (partition: string): EventKind | undefined => eventKinds.find((kind) => partition.startsWith(`${kinds[kind]}#`));

const decode = (kind: EventKind, item: Item | undefined): Image<{ readonly updated_at: string }> | undefined => {
  if (!item) return undefined;
  if (kind !== 'expense') return decodeRecord(item);
  if (!item['rest']) throw new Error('Half a record.');
  return { record: decodeExpense(item), revision: item['revision'] as number };
};

/** Throws where the record is none that the stores write: no retry makes such a record readable. */
export const readStreamRecord = ({ eventID, dynamodb }: DynamoDBRecord): StreamedChange => {
  const [old, current] = [image(dynamodb?.OldImage), image(dynamodb?.NewImage)];
  const item = current ?? old;
  if (!item || !eventID || dynamodb?.ApproximateCreationDateTime === undefined)
    throw new Error('A stream record without images, id or time.');
  const partition = String(item['pk']);
  const kind = kindOf(partition);
  if (!kind) throw new Error('A stream record of a kind that has no events.');
  const [before, after] = [decode(kind, old), decode(kind, current)];
  const account = ownerOf(partition);
  const changedMs = after ? Date.parse(after.record.updated_at) : 0;
  if (!account || Number.isNaN(changedMs)) throw new Error('A stream record without an owner or a time of change.');
  return {
    account,
    change: { kind, before, after } as Change,
    changedMs,
    createdSeconds: Math.floor(Number(dynamodb.ApproximateCreationDateTime)),
    position: { eventId: eventID, partition, sort: String(item['sk']) },
  };
};
