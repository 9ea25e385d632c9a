import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';

/**
 * A stream record in the shape of Lambda's event source: what the engine tells, as it came over the wire. The engines number their
 * records from 1 in every stream, while DynamoDB's event ids are unique: the id is made of stream and number, so that it is the same at
 * every reading.
 */
export const toLambdaRecord = (
  streamArn: string,
  { eventName, awsRegion, userIdentity, dynamodb = {} }: DynamoDBRecord,
): DynamoDBRecord => ({
  eventID: createHash('md5').update(`${streamArn}/${dynamodb.SequenceNumber}`).digest('hex'),
  ...(eventName ? { eventName } : {}),
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: awsRegion ?? 'local',
  eventSourceARN: streamArn,
  ...(userIdentity ? { userIdentity } : {}),
  dynamodb: {
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    ...dynamodb,
    ApproximateCreationDateTime: Math.floor(dynamodb.ApproximateCreationDateTime ?? 0),
  },
});
