import type { S3ClientConfig } from '@aws-sdk/client-s3';

/** Where fan-out parks a stream record that no retry can make readable: kept whole, replayable, alarmed. */
export interface ParkingLot {
  /** Stores the JSON under the key, and replaces what the key held. */
  park(key: string, json: string): Promise<void>;
  /** Undefined if no such key is parked. */
  fetch(key: string): Promise<string | undefined>;
}

export interface ParkingLotOptions {
  readonly bucket: string;
  /** Endpoint, region and credentials, if they are not the function's own. */
  readonly client?: S3ClientConfig;
}

/** The client of S3 is loaded with the first record: almost no invocation parks one. */
export const connectParkingLot = ({ bucket, client = {} }: ParkingLotOptions): ParkingLot => {
  let opening: ReturnType<typeof open> | undefined;
  const open = async () => (await import('./bucket.ts')).connectBucket(bucket, client);
  const opened = () => (opening ??= open());
  return {
    park: async (key, json) => (await opened()).put(key, json),
    fetch: async (key) => (await opened()).get(key),
  };
};
