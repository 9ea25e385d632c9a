import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { bounded, callLimits } from '../core/aws-calls.ts';

/** JSON texts in a bucket of S3, addressed by path: an emulator has no name for each bucket. */
export const connectBucket = (Bucket: string, config: S3ClientConfig) => {
  const client = bounded(new S3Client({ ...callLimits, forcePathStyle: true, ...config }));
  return {
    async put(Key: string, json: string): Promise<void> {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: json, ContentType: 'application/json' }));
    },
    /** Undefined if the bucket has no such key. */
    async get(Key: string): Promise<string | undefined> {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return await Body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
  };
};
