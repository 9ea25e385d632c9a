import { createHash, createHmac } from 'node:crypto';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Checksum, HttpRequest, SourceData } from '@smithy/types';
import { clientTimeouts } from '../core/client-timeouts.ts';
import type { AwsEnvironment } from './aws-environment.ts';

export interface SignedCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SignedAnswer {
  readonly status: number;
  readonly body: string;
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
 * Calls of an AWS service that are too few for a client of the SDK, which would add 28 to 40 KB gzip to a bundle: signer and
 * connection handler are those the DynamoDB client brings along. Rejects where no answer came; the status is the caller's to judge.
 */
export const connectSigned = (service: 's3' | 'ssm', { awsRegion, credentials, endpoint }: AwsEnvironment) => {
  const base = new URL(endpoint ?? `https://${service}.${awsRegion}.amazonaws.com`);
  const signer = new SignatureV4({
    service,
    region: awsRegion,
    credentials,
    sha256: Sha256 as unknown as new (secret?: SourceData) => Checksum,
    // S3 signs paths as they are sent; elsewhere ours is the root.
    uriEscapePath: false,
  });
  const http = new NodeHttpHandler(clientTimeouts.requestHandler);

  return async ({ method, path, headers = {}, body = '' }: SignedCall): Promise<SignedAnswer> => {
    const request: HttpRequest = {
      method,
      protocol: base.protocol,
      hostname: base.hostname,
      ...(base.port ? { port: Number(base.port) } : {}),
      path,
      query: {},
      headers: {
        host: base.host,
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
        ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
      ...(method === 'GET' ? {} : { body }),
    };
    const signed = await signer.sign(request);
    const { response } = await http.handle({ ...signed, headers: signed.headers } as never);
    return { status: response.statusCode, body: await text(response.body as AsyncIterable<Uint8Array>) };
  };
};
