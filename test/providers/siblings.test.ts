import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { connectActions, connectReplay, nameBeside, type SiblingOptions } from '../../shared/providers/siblings.ts';

/** A server with responses of Lambda's Invoke API. */
let server: Server;
let client: NonNullable<SiblingOptions['client']>;
let nextResponse: { headers?: Record<string, string>; body: string };
const seen: { url: string | undefined; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ url: request.url, body });
    response.writeHead(200, { 'content-type': 'application/json', ...nextResponse.headers }).end(nextResponse.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
});

const replay = (json: string) => connectReplay({ functionName: 'BakeryCommerce-us-fan-out', client })(json);

test('fan-out receives the record as a batch of one, byte for byte', async () => {
  nextResponse = { body: '{"batchItemFailures":[]}' };
  await replay('{"eventID":"é1"}');
  expect(seen).toEqual([{ url: '/2015-03-31/functions/BakeryCommerce-us-fan-out/invocations', body: '{"Records":[{"eventID":"é1"}]}' }]);
});

test('a record that fan-out reports as failed is an error', async () => {
  nextResponse = { body: '{"batchItemFailures":[{"itemIdentifier":"1"}]}' };
  await expect(replay('{}')).rejects.toThrow('could not handle');
});

test('a replay ends after 15 s, which leaves an action time to say so', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  await expect(replay('{}')).rejects.toThrow('did not respond in time');
  expect(timeout.mock.calls).toEqual([[15_000]]);
  timeout.mockRestore();
});

test('a function that crashed is an error', async () => {
  nextResponse = { headers: { 'x-amz-function-error': 'Unhandled' }, body: '{"errorMessage":"boom"}' };
  await expect(replay('{}')).rejects.toThrow('fan-out failed: Unhandled');
});

test('an action is started, and its result is not waited for', async () => {
  nextResponse = { body: '' };
  const call = { action: 'account.erase', account: 'acct_1', input: {} };
  await connectActions({ functionName: 'BakeryCommerce-us-actions', client })(call);
  expect(seen).toEqual([{ url: '/2015-03-31/functions/BakeryCommerce-us-actions/invocations', body: JSON.stringify(call) }]);
});

test("fan-out's name follows from the name of the calling function", () => {
  expect(nameBeside('BakeryCommerce-us-actions', 'fan-out')).toBe('BakeryCommerce-us-fan-out');
});
