import type { AwsEnvironment } from './aws-environment.ts';
import { connectSigned } from './signed-call.ts';

/** Where fan-out parks a stream record that no retry can make readable: kept whole, replayable, alarmed. */
export interface ParkingLot {
  /** Stores the JSON under the key, again or anew. */
  park(key: string, json: string): Promise<void>;
  /** Undefined where no such key is parked. */
  fetch(key: string): Promise<string | undefined>;
}

export interface ParkingLotOptions extends AwsEnvironment {
  readonly bucket: string;
}

export const connectParkingLot = ({ bucket, ...aws }: ParkingLotOptions): ParkingLot => {
  const call = connectSigned('s3', aws);
  const pathOf = (key: string): string => `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  return {
    async park(key, json) {
      const { status } = await call({ method: 'PUT', path: pathOf(key), headers: { 'content-type': 'application/json' }, body: json });
      if (status !== 200) throw new Error(`S3 answered ${status} to a parked record.`);
    },
    async fetch(key) {
      const { status, body } = await call({ method: 'GET', path: pathOf(key) });
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`S3 answered ${status} to a read of a parked record.`);
      return body;
    },
  };
};
