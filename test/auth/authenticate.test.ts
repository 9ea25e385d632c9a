import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertUsable, hashKey, newKey, presentedKey } from '../../shared/auth/authenticate.ts';
import { regions } from '../../shared/core/config.ts';
import { systemRandom } from '../../shared/core/random.ts';
import type { ApiKey } from '../../shared/domain/account/record.ts';
import { anyCharacter } from '../support/any-character.ts';

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

const request = { host: 'us.api.example.com', region: 'us' } as const;
const refused = { code: 'invalid_api_key', message: 'Invalid API key.', body: { error: { type: 'authentication_error' } } };
const secret = 'A'.repeat(43);

/** Returns the error that a call throws, or undefined. */
const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
};

test('presentedKey returns type and digest of every new key, with and without Bearer', () => {
  for (const region of regions) {
    for (const [type, legacy] of [
      ['secret', false],
      ['secret', true],
      ['publishable', false],
    ] as const) {
      const { value, hash } = newKey(type, region, systemRandom, legacy);
      for (const authorization of [value, `Bearer ${value}`, `bearer   ${value}`, ` BeArEr ${value} `])
        expect(presentedKey({ authorization, host: undefined, region })).toEqual({ hash, type, region });
    }
  }
});

describe('a malformed key is rejected', () => {
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
    undefined,
  ])('%j', (authorization) => {
    expect(thrownBy(() => presentedKey({ ...request, authorization }))).toMatchObject(refused);
  });

  test('for any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (authorization) => {
        expect(thrownBy(() => presentedKey({ ...request, authorization }))).toMatchObject(refused);
      }),
    );
  });
});

describe('the host', () => {
  const authorization = `svc_sk_live_us_${secret}`;

  test.each(['au.api.example.com', 'eu.localhost:4000', 'AU.example.com', 'eu.'])('%s names another region and is rejected', (host) => {
    expect(thrownBy(() => presentedKey({ ...request, host, authorization }))).toMatchObject(refused);
  });

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
  ])('%s is accepted', (host) => {
    expect(presentedKey({ ...request, host, authorization })).toMatchObject({ type: 'secret' });
  });
});

describe('a stored key', () => {
  const presented = presentedKey({ ...request, authorization: `svc_sk_live_us_${secret}` });

  test.each([
    ['a millisecond ago', -1, false],
    ['now', 0, false],
    ['in a millisecond', 1, true],
  ])('that expires %s', (_, ms, usable) => {
    const key = stored({ expires_at: new Date(nowMs + ms).toISOString() });
    if (usable) expect(assertUsable(key, presented, nowMs)).toBe(key);
    else expect(thrownBy(() => assertUsable(key, presented, nowMs))).toMatchObject(refused);
  });

  test.each<[string, ApiKey | undefined]>([
    ['is not there', undefined],
    ['is of the other type', stored({ type: 'publishable' })],
    ['is of another region', stored({ region: 'eu' })],
    ['is revoked', stored({ revoked_at: '2030-01-01T00:00:00.000Z' })],
  ])('that %s is rejected', (_, key) => {
    expect(thrownBy(() => assertUsable(key, presented, nowMs))).toMatchObject(refused);
  });
});

test('presentedKey returns only the digest of a key', () => {
  const value = `svc_sk_live_us_${secret}`;
  const { hash } = presentedKey({ ...request, authorization: value });
  expect(hash).toBe(hashKey(value));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});
