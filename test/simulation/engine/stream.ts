import { createHash } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from '../../../local/engine/commands/values.ts';
import type { Change, Table } from './table.ts';

const image = (item: Item): NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['Keys']> => marshall(item) as never;

/** Returns a change as Lambda receives it; the same at every read. */
export const recordOf = (table: Table, { position, atMs, key, before, after }: Change): DynamoDBRecord => ({
  eventID: createHash('md5').update(`${table.shape.name}/${position}`).digest('hex'),
  eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'us-east-1',
  eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/${table.shape.name}/stream/simulated`,
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(atMs / 1000),
    SequenceNumber: `1${String(position).padStart(20, '0')}`,
    SizeBytes: 1,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    Keys: image(key),
    ...(after ? { NewImage: image(after) } : {}),
    ...(before ? { OldImage: image(before) } : {}),
  },
});

/**
 * Returns the position of a change, from 0 to below 1: equal for all changes of a partition key.
 */
export const hashPosition = ({ key }: Change, partitionKey: string): number =>
  createHash('md5').update(String(key[partitionKey])).digest().readUInt32BE(0) / 2 ** 32;
