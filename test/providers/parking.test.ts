import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { connectParkingLot } from '../../shared/providers/parking.ts';
import { promptRetries } from '../support/faults.ts';
import { type ApiServer, credentials, startApiServer } from './api-server.ts';

const region = 'us-east-1';
const bucket = 'parked-records';

describe('a real bucket', () => {
  let server: FauxqsServer;
  const lot = () => connectParkingLot({ bucket, client: { region, credentials, endpoint: `http://127.0.0.1:${server.port}` } });

  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false });
    server.createBucket(bucket);
  });
  afterAll(() => server.stop());

  test.each([
    ['a record', 'stream/0f1e2d.json', '{"eventID":"0f1e2d"}'],
    ['text beyond ASCII', 'stream/ü ß+é.json', '{"name":"Zoë’s Bäckerei 🥐"}'],
    ['300 KB', 'stream/large.json', JSON.stringify({ text: 'é'.repeat(150_000) })],
  ])('a parked record of %s is read as it was stored', async (_name, key, json) => {
    await lot().park(key, json);
    expect(await lot().fetch(key)).toBe(json);
  });

  test('storing a record again replaces it', async () => {
    await lot().park('stream/again.json', '1');
    await lot().park('stream/again.json', '2');
    expect(await lot().fetch('stream/again.json')).toBe('2');
  });

  test('a record that was never stored is undefined', async () => {
    expect(await lot().fetch('stream/none.json')).toBeUndefined();
  });
});

describe('a response of S3', () => {
  let api: ApiServer;
  const lot = () => connectParkingLot({ bucket, client: { region, credentials, endpoint: api.endpoint, retryStrategy: promptRetries } });

  beforeAll(async () => {
    api = await startApiServer();
  });
  afterAll(() => api.stop());

  const errorResponse = (status: number) => ({
    status,
    headers: { 'content-type': 'application/xml' },
    text: '<Error><Code>Refused</Code></Error>',
  });

  test.each([400, 403, 404, 500, 503])('a response of S3 with status %i to a write is an error', async (status) => {
    api.script(errorResponse(status));
    await expect(lot().park('stream/a.json', '{}')).rejects.toThrow();
  });

  test.each([403, 500])('a response of S3 with status %i to a read is an error', async (status) => {
    api.script(errorResponse(status));
    await expect(lot().fetch('stream/a.json')).rejects.toThrow();
  });
});
