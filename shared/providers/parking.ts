import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { callLimits, withCallLimit } from '../core/aws-calls.ts';

/**
 * Parking for stream records that no retry can read. Each record is stored whole, so that an
 * operator can replay it. An alarm fires.
 */
export interface ParkingLot {
  /** Stores the JSON under the key, and replaces what the key held. */
  park(key: string, json: string): Promise<void>;
  /** Returns the JSON under the key; undefined without one. */
  fetch(key: string): Promise<string | undefined>;
}

interface ParkingLotOptions {
  readonly bucket: string;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: S3ClientConfig;
}

export const connectParkingLot = ({ bucket: Bucket, client = {} }: ParkingLotOptions): ParkingLot => {
  // The bucket is in the path, because an emulator has no host name per bucket.
  const s3 = withCallLimit(new S3Client({ ...callLimits, forcePathStyle: true, ...client }));
  return {
    async park(Key, json) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: json, ContentType: 'application/json' }));
    },
    async fetch(Key) {
      try {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
        return await Body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
  };
};
