import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ALBEvent, CloudFrontHeaders } from 'aws-lambda';
import fc from 'fast-check';
import { type VerifyWebhookInput, verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/index.ts';
import { signatureHeader } from '../../shared/webhooks/signing.ts';
import { anyCharacter } from '../support/any-character.ts';
import { signatureVectors } from './vectors.ts';

const nowSeconds = 1_773_133_200;
const now = () => nowSeconds * 1000;
const event = (object: unknown) => ({
  id: 'evt_1',
  type: 'order.created',
  created: 1,
  api_version: 'v1',
  data: { object },
  tenant_id: 'a',
});

/** The sender's signature, made with Node's own HMAC. */
const sign = (secret: string, rawBody: Uint8Array | string, t: number | string = nowSeconds): string =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex')}`;

const reasonOf = (input: VerifyWebhookInput): Promise<string> =>
  verifyWebhook({ now, ...input }).then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : String(error)),
  );

const aSecret = fc.base64String({ minLength: 32, maxLength: 48 }).map((text) => `whsec_${text}`);
const aBody = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(event(value))));

test('verifyWebhook returns the event that a secret signed', () =>
  fc.assert(
    fc.asyncProperty(aSecret, aBody, async (secret, rawBody) => {
      const headers = { 'X-Webhook-Signature': sign(secret, rawBody) };
      expect(await verifyWebhook({ rawBody, headers, secrets: secret, now })).toEqual(JSON.parse(rawBody.toString()));
    }),
  ));

test('one changed bit of the body, the signature or t is rejected', () =>
  fc.assert(
    fc.asyncProperty(aSecret, aBody, fc.nat(), fc.nat(7), async (secret, rawBody, at, bit) => {
      const signature = sign(secret, rawBody);
      const flipped = Buffer.from(rawBody);
      flipped[at % flipped.length] = (flipped[at % flipped.length] ?? 0) ^ (1 << bit);
      expect(await reasonOf({ rawBody: flipped, headers: { 'x-webhook-signature': signature }, secrets: secret })).toBe('mismatch');

      const position = signature.length - 1 - (at % 64);
      const other = ((Number.parseInt(signature[position] ?? '0', 16) ^ (1 << (bit % 4))) & 15).toString(16);
      const forged = signature.slice(0, position) + other + signature.slice(position + 1);
      expect(await reasonOf({ rawBody, headers: { 'x-webhook-signature': forged }, secrets: secret })).toBe('mismatch');

      const moved = signature.replace(`t=${nowSeconds}`, `t=${nowSeconds + 1 + bit}`);
      expect(await reasonOf({ rawBody, headers: { 'x-webhook-signature': moved }, secrets: secret })).toBe('mismatch');
    }),
  ));

test('another secret is rejected', () =>
  fc.assert(
    fc.asyncProperty(aSecret, aSecret, aBody, async (one, two, rawBody) => {
      fc.pre(one !== two);
      expect(await reasonOf({ rawBody, headers: { 'x-webhook-signature': sign(one, rawBody) }, secrets: two })).toBe('mismatch');
    }),
  ));

test('a header with any text is rejected with the documented error only', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), aBody, async (text, rawBody) => {
      expect(await reasonOf({ rawBody, headers: { 'x-webhook-signature': text }, secrets: 's' })).toBe('missing');
    }),
  ));

test('a signature is good within the tolerance either way, to the second', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: -400, max: 400 }), async (offset) => {
      const rawBody = '{"type":"webhook.test"}';
      const headers = { 'x-webhook-signature': sign('s', rawBody, nowSeconds + offset) };
      expect(await reasonOf({ rawBody, headers, secrets: 's' })).toBe(Math.abs(offset) <= 300 ? 'verified' : 'stale');
      expect(await reasonOf({ rawBody, headers, secrets: 's', toleranceSeconds: 10 })).toBe(Math.abs(offset) <= 10 ? 'verified' : 'stale');
    }),
  ));

test.each(signatureVectors.cases.map((vector) => [vector.outcome, vector.says, vector] as const))(
  '%s: a signature %s',
  async (outcome, _, { raw, headers, secret, tolerance, message }) => {
    const verifying = verifyWebhook({
      rawBody: raw,
      headers: headers as VerifyWebhookInput['headers'],
      secrets: secret,
      toleranceSeconds: tolerance,
      now: () => signatureVectors.now * 1000,
    });
    if (outcome === 'verified') expect(await verifying).toEqual(JSON.parse(raw));
    else await expect(verifying).rejects.toMatchObject({ reason: outcome, ...(message && { message }) });
  },
);

test('the vectors that verify are signed as the service signs', () => {
  const [first] = signatureVectors.cases;
  expect(first?.headers).toEqual({
    'X-Webhook-Signature': signatureHeader(String(first?.secret), signatureVectors.now, first?.raw ?? ''),
  });
});

test.each<[string, VerifyWebhookInput['rawBody']]>([
  ['text', '{"type":"€"}'],
  ['a Uint8Array that is part of a larger buffer', Buffer.from('xx{"type":"€"}').subarray(2)],
  ['an ArrayBuffer', new TextEncoder().encode('{"type":"€"}').buffer],
])('the body may come as %s', async (_, rawBody) => {
  expect(await reasonOf({ rawBody, headers: { 'x-webhook-signature': sign('s', '{"type":"€"}') }, secrets: 's' })).toBe('verified');
});

test.each([[[]], [''], [['s', '']], [undefined]] as unknown as [string][])(
  'verifyWebhook throws for the secrets %j, which verify nothing',
  async (secrets) => {
    const rawBody = '{}';
    await expect(verifyWebhook({ rawBody, headers: { 'x-webhook-signature': sign('s', rawBody) }, secrets, now })).rejects.toThrow(
      TypeError,
    );
  },
);

test.each<[string, unknown]>([
  ['of type object', event({})],
  ['nothing', undefined],
  ['an array', [123, 125]],
])('a body that is %s was parsed before, and the receiver is told so and what to do', async (kind, rawBody) => {
  const headers = { 'x-webhook-signature': sign('s', '') };
  await expect(verifyWebhook({ rawBody: rawBody as string, headers, secrets: 's', now })).rejects.toMatchObject({
    name: 'TypeError',
    message: `rawBody is ${kind}, perhaps a body that was parsed already: pass its bytes as they came, before any JSON parser (Express: express.raw({ type: 'application/json' }), fetch handlers: await request.arrayBuffer()).`,
  });
});

test('a view of a part of a buffer is verified as that part', async () => {
  const rawBody = Buffer.from(JSON.stringify(event({})));
  const buffer = Buffer.concat([Buffer.from('before'), rawBody, Buffer.from('after')]);
  const view = new DataView(buffer.buffer, buffer.byteOffset + 6, rawBody.length) as unknown as Uint8Array;
  expect(await reasonOf({ rawBody: view, headers: { 'x-webhook-signature': sign('s', rawBody) }, secrets: 's' })).toBe('verified');
});

describe('bodies and headers of frameworks', () => {
  const rawBody = JSON.stringify(event({ id: 'ord_1' }));
  const signature = sign('whsec_a', rawBody);
  const record = { 'X-Webhook-Signature': signature };
  const base: VerifyWebhookInput = { rawBody, headers: record, secrets: 'whsec_a' };

  test.each<[string, Partial<VerifyWebhookInput>]>([
    ['a promise of headers', { headers: Promise.resolve(new Headers(record)) }],
    ['pairs', { headers: Object.entries(record) }],
    ['the raw list of Node', { headers: ['Host', 'x', 'X-Webhook-Signature', signature] }],
    [
      'the raw list of undici, in bytes',
      { headers: ['Host', 'x', 'X-Webhook-Signature', signature].map((text) => Buffer.from(text)) as never },
    ],
    [
      'a request of Hono',
      { headers: { path: '/', raw: new Request('https://example.com', { headers: record }) } as VerifyWebhookInput['headers'] },
    ],
    ['an object with get', { headers: { get: (name) => (name === 'x-webhook-signature' ? signature : null) } }],
    ['a whole request of fetch', { headers: new Request('https://example.com', { headers: record }) }],
    ['a Map of lists, with names as sent', { headers: new Map([['X-Webhook-Signature', [signature]]]) }],
    ['an event of an ALB', { headers: { multiValueHeaders: { 'x-webhook-signature': [signature] } } as Partial<ALBEvent> }],
    ['headers of Lambda@Edge', { headers: { 'x-webhook-signature': [{ key: undefined, value: signature }] } satisfies CloudFrontHeaders }],
    ['a whole request of Node, or an event of Lambda', { headers: { headers: record } }],
    ['a body in Base64', { rawBody: Buffer.from(rawBody).toString('base64') }],
    ['white space around the secret', { secrets: ' whsec_a\n' }],
  ])('verifyWebhook accepts %s', async (_, changes) => {
    expect(await verifyWebhook({ ...base, ...changes, now })).toMatchObject({ id: 'evt_1' });
  });

  test.each<[string, RegExp, object]>([
    ['no headers', /^headers is of type undefined/, { headers: undefined }],
    ...Object.entries({
      'an event of Lambda@Edge': { Records: [{ cf: { request: { headers: record } } }] },
      'a context of Hono': { req: { raw: record }, get: () => undefined },
      'an item of n8n': { json: { headers: record } },
      'objects of one header each': [{ Host: 'x' }, record],
      'the bytes of the body': Buffer.from(rawBody),
    }).map(([form, headers]): [string, RegExp, object] => [`${form} as headers`, /^headers has no header that can be read/, { headers }]),
    ['a whole request as body', /^rawBody is a whole request/, { rawBody: new Request('https://example.com') }],
    ['a tolerance that is NaN', /^toleranceSeconds must be a number.*NaN/, { toleranceSeconds: Number(undefined) }],
    ['a tolerance below 0', /^toleranceSeconds must be a number/, { toleranceSeconds: -1 }],
    ['a tolerance without end', /^toleranceSeconds must be a number/, { toleranceSeconds: Number.POSITIVE_INFINITY }],
    ['a clock that is NaN', /now\(\) must be a number.*NaN/, { now: () => Number.NaN }],
    ['a secret of white space', /^secrets needs/, { secrets: ' \n' }],
  ])('verifyWebhook rejects %s and names the mistake', async (_, message, changes) => {
    const stale = { 'X-Webhook-Signature': sign('whsec_a', rawBody, 1) };
    const input = { ...base, headers: stale, now, ...changes } as VerifyWebhookInput;
    await expect(verifyWebhook(input)).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
    );
  });
});
