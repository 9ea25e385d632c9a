import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CallLimit } from '../../shared/core/aws-calls.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectParkingLot } from '../../shared/providers/parking.ts';
import { connectQueue } from '../../shared/providers/queue.ts';
import { connectScheduler } from '../../shared/providers/scheduler.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { connectReplay } from '../../shared/providers/siblings.ts';
import { deployedServices } from '../../shared/services.ts';
import { connectDb } from '../../shared/table/client.ts';
import { openStore } from '../../shared/table/store.ts';
import { credentials } from './api-server.ts';

/** The SDK with the service's configuration, against a loopback server with scripted responses. */
type Responder = (response: ServerResponse) => void;

interface Call {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly port: number | undefined;
}

let calls: Call[];
let responders: Responder[];
let server: ReturnType<typeof createServer>;
let endpoint: string;
beforeEach(async () => {
  [calls, responders] = [[], []];
  server = createServer((request, response) => {
    calls.push({ headers: request.headers, port: request.socket.remotePort });
    request.resume().on('end', () => (responders.shift() ?? ok)(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(JSON.stringify(body));
};
/** A response of every API. The parameter is the one that the test of Parameter Store reads. */
const ok: Responder = (response) => json(response, 200, { Parameters: [{ Name: '/a/acct_a/stripe/secret_key', Value: 'sk_a' }] });
const reset: Responder = (response) => response.socket?.destroy();
const silence: Responder = () => {};
const failing =
  (status: number, name: string, headers = {}): Responder =>
  (response) =>
    json(response, status, { __type: name, message: name }, headers);
/** Sends headers and the start of a body that never ends. */
const stalled: Responder = (response) => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).write('{');

const client = () => ({ region: 'us-east-1', credentials, endpoint });
const open = (options: { readonly limit?: CallLimit; readonly requestTimeout?: number } = {}) => {
  const { limit, requestTimeout } = options;
  const requestHandler = requestTimeout === undefined ? {} : { requestHandler: { requestTimeout, throwOnRequestTimeout: true } };
  return connectDb({
    ...{ tableName: 'table', clock: systemClock, random: systemRandom },
    client: { ...client(), ...requestHandler },
    ...(limit && { limit }),
  }).client;
};
const read = (options?: Parameters<typeof open>[0]) =>
  open(options).send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
const attempts = (): number => calls.length;

describe('a call', () => {
  test.each([
    ['an error of the service', failing(500, 'InternalServerError')],
    ['an answer of a proxy', failing(503, 'Unavailable')],
    ['a throttled call', failing(400, 'ThrottlingException')],
    ['a reset connection', reset],
  ])('a call is made again after %s, at most three times in total', async (_, responder) => {
    responders = [responder, responder];
    expect(await read()).toMatchObject({ $metadata: { httpStatusCode: 200, attempts: 3 } });
    responders = [responder, responder, responder];
    await expect(read()).rejects.toThrow();
    expect(attempts()).toBe(6);
  });

  test('a call is not repeated if the service rejects it', async () => {
    responders = [failing(400, 'ValidationException')];
    await expect(read()).rejects.toMatchObject({ name: 'ValidationException' });
    expect(attempts()).toBe(1);
  });

  test('a call is made again if headers do not arrive in time', async () => {
    responders = [silence];
    expect(await read({ requestTimeout: 1_000 })).toMatchObject({ $metadata: { attempts: 2 } });
  });

  test('a call is repeated on a new connection if the service has closed the idle one', async () => {
    const db = open();
    const get = () => db.send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
    await get();
    responders = [reset];
    await get();
    expect(calls.map(({ port }) => port)).toEqual([calls[0]?.port, calls[0]?.port, expect.any(Number)]);
    expect(calls[2]?.port).not.toBe(calls[0]?.port);
  });

  test.each([
    ['the body of its answer', [stalled]],
    ['its headers', [silence]],
    ['its third try', [reset, reset, stalled]],
  ])('a call ends at its limit if %s does not arrive', async (_, script) => {
    const limit = new AbortController();
    const [last, ...before] = script.toReversed();
    const endsLate: Responder = (response) => {
      last?.(response);
      setTimeout(() => limit.abort(), 100); // by then the headers have usually arrived
    };
    responders = [...before.toReversed(), endsLate];
    await expect(read({ limit: () => limit.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(attempts()).toBe(script.length);
  });

  test('a call of a deployed function to the table has a limit of 9 s', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const env = { ...process.env };
    Object.assign(process.env, {
      ...{ TABLE_NAME: 'table', AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint },
      ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    });
    try {
      responders = [() => limit.abort()];
      const { store } = deployedServices(openStore);
      await expect(store.accounts.get('acct_a')).rejects.toMatchObject({ name: 'AbortError' });
      expect(timeout.mock.calls).toEqual([[9_000]]);
    } finally {
      process.env = env;
      timeout.mockRestore();
    }
  });

  test('a call to an engine on this machine has no time limit, because a loaded machine is slow', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    await read();
    expect(timeout).not.toHaveBeenCalled();
    timeout.mockRestore();
  });

  test("a call is signed again with the service's time if the function's clock is wrong", async () => {
    const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
    responders = [failing(403, 'InvalidSignatureException', { date })];
    await read();
    expect(String(calls[1]?.headers['x-amz-date'])).toMatch(/^20300101T0000/);
  });
});

describe('each provider', () => {
  const account = 'acct_a';
  const providers: Readonly<Record<string, () => Promise<unknown>>> = {
    queue: () => connectQueue({ queueUrl: `${endpoint}/1/queue`, client: client() }).send([{ body: '{}', groupId: account }]),
    scheduler: () =>
      connectScheduler({ queueUrl: 'url', groupName: 'group', roleArn: 'arn', client: client() }).schedule({
        ...{ name: 'a', atMs: 0, body: '{}', groupId: account },
      }),
    'parameter store': () =>
      connectSecrets({ prefix: '/a', clock: systemClock, log: () => {}, client: client() }).resolve(
        account,
        'ssm:stripe/secret_key',
        'stripe',
      ),
    bucket: () => connectParkingLot({ bucket: 'bucket', client: client() }).park('a.json', '{}'),
    replay: () => connectReplay({ functionName: 'a-fan-out', client: client() })('{}'),
  };

  test.each(Object.keys(providers))('each provider survives a reset connection: %s', async (name) => {
    responders = [reset];
    await providers[name]?.();
    expect(attempts()).toBe(2);
  });

  test("each provider limits the duration of its calls where it creates the SDK's client", () => {
    const files = globSync('{shared,functions}/**/*.ts');
    const sources = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
    const making = sources.filter(([, text]) => /new (?!RegExp)\w+Client\(/.test(text));
    expect(making.length).toBeGreaterThan(5);
    expect(making.filter(([, text]) => !/\bwithCallLimit\(/.test(text)).map(([file]) => file)).toEqual([]);
  });
});
