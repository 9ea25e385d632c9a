import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccessDenied, NoResponse } from '../../shared/core/aws-calls.ts';
import { connectSecrets, openSecrets, type Secrets, UnresolvedSecret } from '../../shared/providers/secrets.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { promptRetries } from '../support/faults.ts';
import { malformedReferences } from '../support/secrets.ts';
import { type ApiServer, credentials, startApiServer } from './api-server.ts';

let clock: TestClock;
beforeEach(() => {
  clock = createClock();
});

describe('a reference', () => {
  /** The parameters of each account. Every other read fails. */
  const parameters: Record<string, string> = { 'acct_a/stripe/secret_key': 'sk_a', 'acct_b/stripe/secret_key': 'sk_b' };
  let reads: string[];
  let lines: object[];
  const log = (line: object) => void lines.push(line);
  let secrets: Secrets;
  beforeEach(() => {
    [reads, lines] = [[], []];
    secrets = openSecrets({
      clock,
      log,
      read: async (parameter) => {
        reads.push(parameter);
        const value = parameters[parameter];
        if (value === undefined) throw new Error('400 ParameterNotFound');
        return value;
      },
    });
  });

  test("a reference names a parameter below its own account's path, even if another account uses the same name", async () => {
    expect(await secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe')).toBe('sk_a');
    expect(await secrets.resolve('acct_b', 'ssm:stripe/secret_key', 'stripe')).toBe('sk_b');
  });

  test.each(['ssm:/acct_b/stripe/secret_key', ...malformedReferences])(
    'a reference that is malformed is not read: %s',
    async (reference) => {
      await expect(secrets.resolve('acct_a', reference, 'stripe')).rejects.toThrow(UnresolvedSecret);
      expect(reads).toEqual([]);
    },
  );

  test.each([
    ['search', 'ssm:stripe/secret_key'],
    ['stripe', 'ssm:search/admin_key'],
    ['search', 'ssm:secret_key'],
  ] as const)('a reference to a secret that is not for the purpose %s is not read: %s', async (purpose, reference) => {
    await expect(secrets.resolve('acct_a', reference, purpose)).rejects.toThrow(UnresolvedSecret);
    expect(reads).toEqual([]);
  });

  test('a reference is never confused with a secret itself', async () => {
    expect(await secrets.resolve('acct_a', 'sk_live_ssm:abc', 'stripe')).toBe('sk_live_ssm:abc');
    expect(reads).toEqual([]);
  });

  test('a reference is read once in five minutes, even by simultaneous readers', async () => {
    await Promise.all([1, 2, 3].map(() => secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe')));
    clock.advance(299_999);
    await secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe');
    expect(reads).toHaveLength(1);
    clock.advance(1);
    await secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe');
    expect(reads).toHaveLength(2);
  });

  test('a reference to a missing parameter is an error with name and reason, and is read again after ten seconds', async () => {
    const resolve = () => secrets.resolve('acct_a', 'ssm:stripe/lost', 'stripe');
    for (const _ of [1, 2])
      await expect(resolve()).rejects.toThrow(new UnresolvedSecret('Parameter acct_a/stripe/lost: 400 ParameterNotFound'));
    expect(reads).toHaveLength(1);
    clock.advance(10_000);
    await expect(resolve()).rejects.toThrow(UnresolvedSecret);
    expect(reads).toHaveLength(2);
  });

  describe('a reference that was read before', () => {
    const resolve = () => secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe');
    let failure: Error | undefined;
    let value: string;
    beforeEach(async () => {
      [failure, value] = [undefined, 'sk_a'];
      secrets = openSecrets({
        clock,
        log,
        read: async (parameter) => {
          reads.push(parameter);
          if (failure) throw failure;
          return value;
        },
      });
      await resolve();
    });

    test('a known reference keeps its value for an hour while Parameter Store does not respond', async () => {
      failure = new NoResponse('400 ThrottlingException');
      clock.advance(3_599_999);
      expect(await resolve()).toBe('sk_a');
      clock.advance(60_000);
      await expect(resolve()).rejects.toThrow(new UnresolvedSecret('Parameter acct_a/stripe/secret_key: 400 ThrottlingException'));
    });

    test.each([
      ['the store does not respond', new NoResponse('400 ThrottlingException'), 1],
      ['the function has no right', new AccessDenied('400 AccessDeniedException'), 1],
      ['the merchant named a parameter that does not exist', new Error('400 ParameterNotFound'), 0],
    ])('a reference without a usable value causes a log line only if no merchant caused it: %s', async (_, error, count) => {
      failure = error;
      await expect(secrets.resolve('acct_b', 'ssm:stripe/secret_key', 'stripe')).rejects.toThrow(error.message);
      const line = { op: 'secrets', code: 'internal_error', parameter: 'acct_b/stripe/secret_key', unreadable: error.message };
      expect(lines).toEqual(Array.from({ length: count }, () => line));
    });

    test('a reference that keeps its value causes no log line', async () => {
      failure = new NoResponse('TimeoutError');
      clock.advance(300_000);
      await resolve();
      expect(lines).toEqual([]);
    });

    test('a known reference is read once a minute while Parameter Store does not respond', async () => {
      failure = new NoResponse('TimeoutError');
      clock.advance(300_000);
      for (const _ of [1, 2, 3]) expect(await resolve()).toBe('sk_a');
      expect(reads).toHaveLength(2);
      [failure, value] = [undefined, 'sk_new'];
      clock.advance(60_000);
      expect(await resolve()).toBe('sk_new');
    });

    test('a known reference is not used after Parameter Store says that it is missing or withdrawn', async () => {
      failure = new Error('400 ParameterNotFound');
      clock.advance(300_000);
      await expect(resolve()).rejects.toThrow('ParameterNotFound');
      failure = new NoResponse('503');
      clock.advance(10_000);
      await expect(resolve()).rejects.toThrow('503');
    });
  });

  test('the cache of references stays below its limit after the thousandth', async () => {
    for (let i = 0; i <= 1_000; i++) await secrets.resolve(`acct_${i}`, 'ssm:stripe/x', 'stripe').catch(() => undefined);
    for (const i of [1, 0]) await secrets.resolve(`acct_${i}`, 'ssm:stripe/x', 'stripe').catch(() => undefined);
    // The 1,001st read removed the oldest.
    expect([0, 1].map((i) => reads.filter((parameter) => parameter === `acct_${i}/stripe/x`).length)).toEqual([2, 1]);
  });
});

describe('a call to Parameter Store', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await startApiServer();
  });
  afterAll(() => api.stop());

  const connected = () =>
    connectSecrets({
      prefix: '/BakeryCommerce-eu',
      clock,
      log: () => {},
      client: { region: 'eu-west-1', credentials, endpoint: api.endpoint, retryStrategy: promptRetries },
    });
  const resolve = () => connected().resolve('acct_a', 'ssm:stripe/secret_key', 'stripe');
  const nameOf = (parameter: string) => `/BakeryCommerce-eu/${parameter}`;
  const bodyOf = (parameters: Readonly<Record<string, string>>) => ({
    body: { Parameters: Object.entries(parameters).map(([parameter, Value]) => ({ Name: nameOf(parameter), Value })) },
  });
  const found = bodyOf({ 'acct_a/stripe/secret_key': 'sk_a' });
  const namesOf = ({ body }: { readonly body: string }): string[] => JSON.parse(body).Names;

  test('a call to Parameter Store reads a decrypted parameter below the prefix, signed for the service and the region', async () => {
    api.script(found);
    expect(await resolve()).toBe('sk_a');
    expect(api.calls).toHaveLength(1);
    const [call] = api.calls;
    expect(JSON.parse(call?.body ?? '')).toEqual({ Names: [nameOf('acct_a/stripe/secret_key')], WithDecryption: true });
    expect(call).toMatchObject({
      method: 'POST',
      url: '/',
      headers: { 'x-amz-target': 'AmazonSSM.GetParameters', 'content-type': 'application/x-amz-json-1.1' },
    });
    expect(call?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=test\/\d{8}\/eu-west-1\/ssm\/aws4_request/);
  });

  test.each([
    ['a throttled one', { status: 400, body: { __type: 'ThrottlingException' } }],
    ['an error of the service', { status: 500, body: { __type: 'InternalServerError' } }],
  ])('a call to Parameter Store that returns %s is made again', async (_name, failure) => {
    api.script(failure, failure, found);
    expect(await resolve()).toBe('sk_a');
    expect(api.calls).toHaveLength(3);
  });

  test('a call to Parameter Store is made at most three times', async () => {
    api.script({ status: 503 });
    await expect(resolve()).rejects.toThrow('503');
    expect(api.calls).toHaveLength(3);
  });

  test('a parameter that a response leaves out is the error ParameterNotFound', async () => {
    api.script({ body: { Parameters: [], InvalidParameters: [nameOf('acct_a/stripe/secret_key')] } });
    await expect(resolve()).rejects.toThrow('400 ParameterNotFound');
    expect(api.calls).toHaveLength(1);
  });

  test('the secrets that an account needs at the same moment are read in one call of at most ten names, and those of another in its own', async () => {
    const parameters = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`acct_a/stripe/${i}`, `sk_${i}`]));
    api.script(bodyOf({ ...parameters, 'acct_b/stripe/0': 'sk_b' }));
    const secrets = connected();
    const resolveAll = () =>
      Promise.all([
        ...Object.keys(parameters).map((_, i) => secrets.resolve('acct_a', `ssm:stripe/${i}`, 'stripe')),
        secrets.resolve('acct_b', 'ssm:stripe/0', 'stripe'),
      ]);
    expect(await resolveAll()).toEqual([...Object.values(parameters), 'sk_b']);
    const names = Object.keys(parameters).map(nameOf);
    expect(api.calls.map(namesOf).sort((a, b) => b.length - a.length)).toEqual([
      names.slice(0, 10),
      names.slice(10),
      [nameOf('acct_b/stripe/0')],
    ]);
    clock.advance(300_000);
    await resolveAll();
    expect(api.calls).toHaveLength(6);
  });

  test.each(['AccessDeniedException', 'InvalidKeyId'])('a secret that fails with %s does not fail those of the same call', async (type) => {
    api.script({ status: 400, body: { __type: type } }, found);
    const secrets = connected();
    const results = await Promise.allSettled(
      ['secret_key', 'former_key'].map((name) => secrets.resolve('acct_a', `ssm:stripe/${name}`, 'stripe')),
    );
    expect(api.calls.map((call) => namesOf(call).length)).toEqual([2, 1, 1]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test.each(['AccessDeniedException', 'com.amazonaws.ssm#InvalidKeyId'])(
    'a call to Parameter Store that returns %s is an error of that name and is not repeated',
    async (type) => {
      api.script({ status: 400, body: { __type: type } });
      await expect(resolve()).rejects.toThrow(`400 ${type.replace(/.*#/, '')}`);
      expect(api.calls).toHaveLength(1);
    },
  );

  test.each([
    ['is throttled', { status: 400, body: { __type: 'ThrottlingException' } }, 'sk_a'],
    ['gets an error of the service', { status: 503 }, 'sk_a'],
    ['finds no parameter', { body: { Parameters: [] } }, undefined],
    ['is denied', { status: 400, body: { __type: 'AccessDeniedException' } }, undefined],
    ['finds the key disabled', { status: 400, body: { __type: 'InvalidKeyId' } }, undefined],
  ])('a known secret stays in use after a call that %s only if the response says nothing about it', async (_title, failure, expected) => {
    const secrets = connected();
    const resolve = () => secrets.resolve('acct_a', 'ssm:stripe/secret_key', 'stripe');
    api.script(found);
    expect(await resolve()).toBe('sk_a');
    clock.advance(300_000);
    api.script(failure);
    expect(await resolve().catch(() => undefined)).toBe(expected);
  });
});
