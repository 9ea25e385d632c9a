import { createHash, createHmac } from 'node:crypto';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Checksum, HttpRequest, SourceData } from '@smithy/types';
import { patience } from '../core/patience.ts';
import type { AwsEnvironment } from './aws-environment.ts';

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

const bytesOf = (data: SourceData): Uint8Array | string =>
  typeof data === 'string'
    ? data
    : ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);

const sha256 = (secret?: SourceData): Checksum => {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  return {
    update: (chunk) => {
      hash.update(bytesOf(chunk));
    },
    digest: async () => new Uint8Array(hash.digest()),
    reset: () => undefined,
  };
};

/** The signer calls `new` on it. */
function Sha256(secret?: SourceData): Checksum {
  return sha256(secret);
}

const text = async (stream: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * Two signed S3 calls. The S3 client of the SDK would add 40 KB gzip to fan-out for a call it makes next to never; signer and
 * connection handler are those the other clients bring along.
 */
export const connectParkingLot = ({ bucket, awsRegion, credentials, endpoint }: ParkingLotOptions): ParkingLot => {
  const base = new URL(endpoint ?? `https://s3.${awsRegion}.amazonaws.com`);
  const signer = new SignatureV4({
    service: 's3',
    region: awsRegion,
    credentials,
    sha256: Sha256 as unknown as new (secret?: SourceData) => Checksum,
    uriEscapePath: false,
  });
  const http = new NodeHttpHandler(patience.requestHandler);

  const call = async (method: 'GET' | 'PUT', key: string, body = ''): Promise<{ status: number; body: string }> => {
    const request: HttpRequest = {
      method,
      protocol: base.protocol,
      hostname: base.hostname,
      ...(base.port ? { port: Number(base.port) } : {}),
      path: `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
      query: {},
      headers: {
        host: base.host,
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
        ...(method === 'PUT' ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : {}),
      },
      ...(method === 'PUT' ? { body } : {}),
    };
    const signed = await signer.sign(request);
    const { response } = await http.handle({ ...signed, headers: signed.headers } as never);
    return { status: response.statusCode, body: await text(response.body as AsyncIterable<Uint8Array>) };
  };

  return {
    async park(key, json) {
      const { status } = await call('PUT', key, json);
      if (status !== 200) throw new Error(`S3 answered ${status} to a parked record.`);
    },
    async fetch(key) {
      const { status, body } = await call('GET', key);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`S3 answered ${status} to a read of a parked record.`);
      return body;
    },
  };
};
