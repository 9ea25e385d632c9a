import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { authenticate, hashKey } from '../../shared/auth/authenticate.ts';
import { newKey } from '../../shared/auth/new-key.ts';
import { regions } from '../../shared/core/regions.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.500Z');

const stored = (members: Partial<ApiKey> = {}): ApiKey => ({
  id: 'key_1',
  account: 'acct_1',
  hash: '',
  name: 'Till',
  type: 'secret',
  region: 'us',
  group: null,
  scopes: ['orders:read'],
  prefix: '',
  expires_at: null,
  revoked_at: null,
  created_at: '',
  updated_at: '',
  ...members,
});

/** A store that knows one value, and remembers whether it was asked. */
const knowing = (value: string, key: ApiKey) => {
  const asked: string[] = [];
  const findByHash = async (hash: string): Promise<ApiKey | undefined> => {
    asked.push(hash);
    return hash === hashKey(value) ? key : undefined;
  };
  return { asked, findByHash };
};

const request = { host: 'us.api.example.com', region: 'us', nowMs } as const;
const refused = { code: 'invalid_api_key', message: 'Invalid API key.', body: { error: { type: 'authentication_error' } } };
const secret = 'A'.repeat(43);

test('every newly made key is accepted, with and without Bearer, as what it says', async () => {
  for (const region of regions) {
    for (const [type, legacy] of [
      ['secret', false],
      ['secret', true],
      ['publishable', false],
    ] as const) {
      const { value, hash } = newKey(type, region, legacy);
      const key = stored({ type, region, hash });
      for (const authorization of [value, `Bearer ${value}`, `bearer   ${value}`, ` BeArEr ${value} `])
        expect(await authenticate(knowing(value, key), { ...request, host: undefined, region, authorization })).toBe(key);
    }
  }
});

describe('what has not the form of a key is refused without a look at the store', () => {
  test.each([
    `svc_sk_live_us_${secret}=`,
    `svc_sk_live_us_${secret.slice(1)}`,
    `svc_sk_live_us_${secret}A`,
    `svc_sk_live_us_${secret.slice(1)}+`,
    `svc_sk_live_us_${secret.slice(1)}/`,
    `svc_sk_prod_us_${secret}`,
    `svc_rk_live_us_${secret}`,
    `svc_sk_live_uk_${secret}`,
    `svc_live_sk_us_${secret}`,
    `SVC_SK_LIVE_US_${secret}`,
    `sk_live_us_${secret}`,
    `svc_sk_live_us${secret}`,
    `svc_sk_live_us_${secret}\n`.repeat(2),
    `Bearer Bearer svc_sk_live_us_${secret}`,
    `Bearersvc_sk_live_us_${secret}`,
    `Token svc_sk_live_us_${secret}`,
    'Bearer',
    'Bearer ',
    ' ',
    '',
  ])('%j', async (authorization) => {
    const keys = knowing(authorization, stored());
    await expect(authenticate(keys, { ...request, authorization })).rejects.toMatchObject(refused);
    expect(keys.asked).toEqual([]);
  });

  test('nor does any other text pass', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (authorization) => {
        const keys = knowing(authorization, stored());
        await expect(authenticate(keys, { ...request, authorization })).rejects.toMatchObject(refused);
        expect(keys.asked).toEqual([]);
      }),
    );
  });
});

describe('the host', () => {
  const authorization = `svc_sk_live_us_${secret}`;

  test.each(['au.api.example.com', 'eu.localhost:4000', 'AU.example.com', 'eu.'])(
    '%s is another region: refused before the key is looked up',
    async (host) => {
      const keys = knowing(authorization, stored());
      await expect(authenticate(keys, { ...request, host, authorization })).rejects.toMatchObject(refused);
      expect(keys.asked).toEqual([]);
    },
  );

  test.each([
    'us.api.example.com',
    'US.api.example.com',
    'api.example.com',
    'aus.example.com',
    'abc123.execute-api.us-east-1.amazonaws.com',
    'localhost:4000',
    'au',
    '',
    undefined,
  ])('%s says nothing against it', async (host) => {
    const key = stored();
    expect(await authenticate(knowing(authorization, key), { ...request, host, authorization })).toBe(key);
  });
});

test.each([
  ['a millisecond ago', -1, false],
  ['now', 0, false],
  ['in a millisecond', 1, true],
])('a key that expires %s', async (_, ms, usable) => {
  const value = `svc_sk_live_us_${secret}`;
  const key = stored({ expires_at: new Date(nowMs + ms).toISOString() });
  const found = authenticate(knowing(value, key), { ...request, authorization: value });
  if (usable) expect(await found).toBe(key);
  else await expect(found).rejects.toMatchObject(refused);
});

test('only the digest of a key is ever looked up', async () => {
  const value = `svc_sk_live_us_${secret}`;
  const keys = knowing(value, stored());
  await authenticate(keys, { ...request, authorization: value });
  expect(keys.asked).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});
