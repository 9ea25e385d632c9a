import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { awsEnvironment } from '../../shared/providers/aws-environment.ts';
import { connectParkingLot } from '../../shared/providers/parking.ts';
import { type ApiCall, type ApiServer, credentials, startApiServer } from './api-server.ts';

const awsRegion = 'us-east-1';
const bucket = 'parked-records';

describe('on a real bucket', () => {
  let server: FauxqsServer;
  const lot = () =>
    connectParkingLot({ bucket, awsRegion, credentials: async () => credentials, endpoint: `http://127.0.0.1:${server.port}` });

  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false });
    server.createBucket(bucket);
  });
  afterAll(() => server.stop());

  test.each([
    ['a record', 'stream/0f1e2d.json', '{"eventID":"0f1e2d"}'],
    ['text beyond ASCII', 'stream/ü ß+é.json', '{"name":"Zoë’s Bäckerei 🥐"}'],
    ['300 KB', 'stream/large.json', JSON.stringify({ text: 'é'.repeat(150_000) })],
  ])('%s is fetched as it was parked', async (_name, key, json) => {
    await lot().park(key, json);
    expect(await lot().fetch(key)).toBe(json);
  });

  test('parking again replaces', async () => {
    await lot().park('stream/again.json', '1');
    await lot().park('stream/again.json', '2');
    expect(await lot().fetch('stream/again.json')).toBe('2');
  });

  test('what was never parked is undefined', async () => {
    expect(await lot().fetch('stream/none.json')).toBeUndefined();
  });
});

describe('of the calls to S3', () => {
  let api: ApiServer;
  const lot = () =>
    connectParkingLot({
      bucket,
      ...awsEnvironment(
        {
          AWS_REGION: 'eu-west-1',
          AWS_ACCESS_KEY_ID: 'AKID',
          AWS_SECRET_ACCESS_KEY: 'secret',
          AWS_SESSION_TOKEN: 'token',
          AWS_ENDPOINT_URL_S3: api.endpoint,
        },
        'S3',
      ),
    });

  beforeAll(async () => {
    api = await startApiServer();
  });
  afterAll(() => api.stop());

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  /** Signature Version 4, written out: what S3 computes of the request it got. */
  const signatureOf = ({ method, url, headers, body }: ApiCall, signedHeaders: string) => {
    const names = signedHeaders.split(';');
    const canonical = [method, url, '', ...names.map((name) => `${name}:${headers[name]}`), '', signedHeaders, sha256(body)].join('\n');
    const date = String(headers['x-amz-date']);
    const scope = `${date.slice(0, 8)}/eu-west-1/s3/aws4_request`;
    const key = ['eu-west-1', 's3', 'aws4_request'].reduce(hmac, hmac('AWS4secret', date.slice(0, 8)) as Buffer);
    return hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString('hex');
  };

  test.each(['stream/0f1e2d.json', 'stream/a b+c.json'])('each is signed for the bucket, the region and the session (%s)', async (key) => {
    api.script({});
    await lot().park(key, '{"a":"é"}');
    const [call] = api.calls;
    if (!call) throw new Error('No call.');
    const [, signedHeaders = '', signature] =
      /SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(String(call.headers.authorization)) ?? [];
    expect([call.method, call.url, call.headers['x-amz-security-token']]).toEqual([
      'PUT',
      `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
      'token',
    ]);
    expect(signedHeaders.split(';')).toEqual(
      expect.arrayContaining(['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token']),
    );
    expect(signature).toBe(signatureOf(call, signedHeaders));
  });

  test.each([400, 403, 404, 500, 503])('an answer of %i to a record that is parked is a failure', async (status) => {
    api.script({ status });
    await expect(lot().park('stream/a.json', '{}')).rejects.toThrow(String(status));
  });

  test.each([403, 500])('an answer of %i to a read is a failure', async (status) => {
    api.script({ status });
    await expect(lot().fetch('stream/a.json')).rejects.toThrow(String(status));
  });
});

describe('the surroundings of a function', () => {
  test('are read from its environment', async () => {
    const {
      awsRegion: region,
      credentials: read,
      endpoint,
    } = awsEnvironment({ AWS_REGION: 'ap-southeast-2', AWS_ACCESS_KEY_ID: 'a' }, 'S3');
    expect([region, await read(), endpoint]).toEqual(['ap-southeast-2', { accessKeyId: 'a', secretAccessKey: '' }, undefined]);
  });

  test('may name one endpoint for all services', () => {
    expect(awsEnvironment({ AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, 'SSM').endpoint).toBe('http://127.0.0.1:1');
  });
});
