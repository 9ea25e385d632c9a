import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newKey, presentedKey } from '../../shared/auth/authenticate.ts';
import { regions } from '../../shared/core/config.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { anyCharacter } from '../support/any-character.ts';

const request = { host: 'us.api.example.com', region: 'us' } as const;
const invalidKeyError = { code: 'invalid_api_key', message: 'Invalid API key.', body: { error: { type: 'authentication_error' } } };
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

describe('malformed keys', () => {
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
  ])('the malformed key %j is rejected', (authorization) => {
    expect(thrownBy(() => presentedKey({ ...request, authorization }))).toMatchObject(invalidKeyError);
  });

  test('any text without the form of a key is rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (authorization) => {
        expect(thrownBy(() => presentedKey({ ...request, authorization }))).toMatchObject(invalidKeyError);
      }),
    );
  });
});
