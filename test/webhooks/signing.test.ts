import { timingSafeEqual, webcrypto } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deliveryHeaders, newSecret, signatureHeader } from '../../shared/webhooks/signing.ts';
import { anyCharacter } from '../support/any-character.ts';

const utf8 = new TextEncoder();

/**
 * Verifies as a receiver does: over the raw bytes, with another implementation of HMAC and a
 * constant-time comparison.
 */
const verify = async (secret: string, header: string, rawBody: Uint8Array): Promise<boolean> => {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header);
  if (!match) return false;
  const key = await webcrypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = await webcrypto.subtle.sign('HMAC', key, Buffer.concat([utf8.encode(`${match[1]}.`), rawBody]));
  return timingSafeEqual(new Uint8Array(signed), Buffer.from(match[2] ?? '', 'hex'));
};

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => newSecret({ bytes: () => bytes }));
const anyBody = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.uint8Array({ maxLength: 300 }));
const anyMs = fc.nat(253_402_300_799_999);
const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? utf8.encode(body) : body);

describe('the signature', () => {
  test('the signature is the known value for a known secret, time and body', () => {
    // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
    expect(signatureHeader('whsec_test', 1_700_000_000, '{"a":1}')).toBe(
      't=1700000000,v1=38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789',
    );
  });

  test('the signature is accepted by an independent receiver, for strings (as UTF-8) and for bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anySecret, anyMs, anyBody, async (secret, nowMs, body) => {
        const headers = deliveryHeaders({ eventId: 'evt_1', secret, nowMs, body });
        expect(await verify(secret, headers['X-Webhook-Signature'] ?? '', bytesOf(body))).toBe(true);
      }),
    );
  });

  test('the signature is rejected after any change of one byte of the body, of the time or of the secret', async () => {
    await fc.assert(
      fc.asyncProperty(anySecret, anyMs, fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), async (secret, nowMs, body, at) => {
        const header = signatureHeader(secret, Math.floor(nowMs / 1000), body);
        const changed = Uint8Array.from(body);
        changed[at % body.length] = (changed[at % body.length] ?? 0) ^ 1;
        expect(await verify(secret, header, changed)).toBe(false);
        expect(await verify(secret, header.replace('t=', 't=1'), body)).toBe(false);
        expect(await verify(`${secret}x`, header, body)).toBe(false);
      }),
    );
  });

  test('the signature uses the whole secret as key: without its prefix the signature does not match', async () => {
    const secret = newSecret({ bytes: (size) => new Uint8Array(size).fill(7) });
    expect(await verify(secret.slice('whsec_'.length), signatureHeader(secret, 1, 'x'), utf8.encode('x'))).toBe(false);
  });
});

describe('the headers of an attempt', () => {
  const signing = { eventId: 'evt_9', secret: 'whsec_new', nowMs: 1_700_000_000_999, body: '{"a":"ü"}' };

  test('the headers of an attempt are exactly the documented ones', () => {
    expect(deliveryHeaders(signing)).toEqual({
      'X-Webhook-Signature': signatureHeader('whsec_new', 1_700_000_000, signing.body),
      'X-Webhook-Id': 'evt_9',
      Accept: '*/*',
      'X-Webhook-Timestamp': '1700000000',
      'Idempotency-Key': 'evt_9',
      'User-Agent': 'BakeryCommerce-Webhooks/1.0',
      'Content-Type': 'application/json',
    });
  });

  test("the headers of an attempt include, in the grace period, the old secret's signature over the same time and body", () => {
    const headers = deliveryHeaders({ ...signing, previousSecret: 'whsec_old' });
    expect(headers).toEqual({
      ...deliveryHeaders(signing),
      'X-Webhook-Signature-Previous': signatureHeader('whsec_old', 1_700_000_000, signing.body),
    });
  });

  test('the headers of an attempt differ between attempts only in time and signature', () => {
    const first = deliveryHeaders(signing);
    const second = deliveryHeaders({ ...signing, nowMs: signing.nowMs + 300_000 });
    const changed = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(changed).toEqual(['X-Webhook-Signature', 'X-Webhook-Timestamp']);
  });
});

describe('a new secret', () => {
  test('a new secret is whsec_ and 32 bytes in base64url', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
    const secret = newSecret({ bytes: (size) => bytes.subarray(0, size) });
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(Uint8Array.from(Buffer.from(secret.slice('whsec_'.length), 'base64url'))).toEqual(bytes);
  });
});
