import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Change } from '../domain/event/changes.ts';
import type { Db, Item } from './client.ts';
import { kindOf, ownerOf, partition } from './keys.ts';
import { decodeRecord } from './records.ts';
import { eventKinds } from './schema.ts';
import { putItem, sendAlone } from './write.ts';

/** A committed change, read from a record of the change stream. */
export interface StreamedChange {
  readonly account: string;
  readonly change: Change;
  /** Time of the change by the writer's clock, in milliseconds; 0 if the record was deleted. */
  readonly changedMs: number;
  /** Time of the change by the stream's clock, in Unix seconds. */
  readonly createdSeconds: number;
  readonly position: { readonly eventId: string; readonly partition: string; readonly sort: string };
}

/** The field that dates a change. */
type Changed = { readonly updated_at: string };

const image = (attributes: unknown): Item | undefined =>
  attributes ? unmarshall(attributes as Record<string, AttributeValue>) : undefined;

/** Throws if no store writes such a record. No retry can read it. */
export const readStreamRecord = ({ eventID, dynamodb }: DynamoDBRecord): StreamedChange => {
  const [old, current] = [image(dynamodb?.OldImage), image(dynamodb?.NewImage)];
  const item = current ?? old;
  if (!item || !eventID || dynamodb?.ApproximateCreationDateTime === undefined)
    throw new Error('The stream record lacks its images, id or time.');
  const partition = String(item['pk']);
  const kind = eventKinds.find((one) => one === kindOf(partition));
  if (!kind) throw new Error('The stream record is of a kind without events.');
  const [before, after] = [old && decodeRecord<Changed>(old), current && decodeRecord<Changed>(current)];
  const account = ownerOf(partition);
  const changedMs = after ? Date.parse(after.record.updated_at) : 0;
  if (!account || Number.isNaN(changedMs)) throw new Error('The stream record lacks its owner or its time of change.');
  return {
    account,
    change: { kind, before, after } as Change,
    changedMs,
    createdSeconds: Math.floor(Number(dynamodb.ApproximateCreationDateTime)),
    position: { eventId: eventID, partition, sort: String(item['sk']) },
  };
};

const heartbeatKey = { pk: partition('heartbeat', 'stream'), sk: 'beat' } as const;

/**
 * An item that every sweep writes, so that the change stream always has a record to read. It belongs
 * to no account.
 */
export const openHeartbeat = (db: Db) => ({
  /**
   * Writes the present time, because the stream shows only writes that change an item. Costs one
   * write unit.
   */
  async write() {
    await sendAlone(db, putItem(db, { ...heartbeatKey, at: db.clock.now() }));
  },
});

/** Whether a record of the change stream is a heartbeat and not a change of an account. */
export const isHeartbeat = ({ dynamodb }: DynamoDBRecord): boolean => dynamodb?.Keys?.['pk']?.S === heartbeatKey.pk;

/**
 * Returns when the heartbeat was written, in milliseconds; undefined for any other record and for a
 * removal.
 */
export const heartbeatMs = (record: DynamoDBRecord): number | undefined => {
  const at = isHeartbeat(record) ? record.dynamodb?.NewImage?.['at']?.N : undefined;
  return at === undefined ? undefined : Number(at);
};
