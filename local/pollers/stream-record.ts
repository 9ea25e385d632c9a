import { createHash } from 'node:crypto';
import type { _Record as EngineRecord, AttributeValue as EngineValue } from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';

type Item = Record<string, AttributeValue>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Lambda hands binary values over as base64 text. */
const toValue = (value: EngineValue): AttributeValue => {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.M !== undefined) return { M: toItem(value.M) };
  if (value.L !== undefined) return { L: value.L.map(toValue) };
  return value as AttributeValue;
};

const toItem = (item: Readonly<Record<string, EngineValue>>): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toValue(value)]));

/**
 * A stream record in the shape of Lambda's event source. The engines number their records from 1 in every stream, while
 * DynamoDB's event ids are unique: the id is made of stream and number, so that it is the same at every reading.
 */
export const toLambdaRecord = (streamArn: string, record: EngineRecord): DynamoDBRecord => {
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, SequenceNumber = '', SizeBytes, StreamViewType } = record.dynamodb ?? {};
  return {
    eventID: createHash('md5').update(`${streamArn}/${SequenceNumber}`).digest('hex'),
    eventName: record.eventName as 'INSERT' | 'MODIFY' | 'REMOVE',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: record.awsRegion ?? 'local',
    eventSourceARN: streamArn,
    ...(record.userIdentity ? { userIdentity: record.userIdentity } : {}),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor((ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      SequenceNumber,
      SizeBytes: SizeBytes ?? 0,
      StreamViewType: StreamViewType ?? 'NEW_AND_OLD_IMAGES',
      ...(Keys ? { Keys: toItem(Keys) } : {}),
      ...(NewImage ? { NewImage: toItem(NewImage) } : {}),
      ...(OldImage ? { OldImage: toItem(OldImage) } : {}),
    },
  };
};
