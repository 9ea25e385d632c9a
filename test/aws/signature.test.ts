import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { signedHeadersOf } from '../../shared/aws/sign.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: any) {
    this.#hash = secret ? createHmac('sha256', secret) : createHash('sha256');
  }
  update(chunk: any) {
    this.#hash.update(chunk);
  }
  async digest() {
    return new Uint8Array(this.#hash.digest());
  }
  reset() {}
}

test('ten thousand random requests have the signatures that the official signer gives them', async () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', ' ', '\t', '/', '=', '+', '%', '!', "'", '(', ')', '*', '~'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 20,
  });
  const body = fc.oneof(
    { weight: 20, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }).filter((one) => one.isWellFormed()) },
    { weight: 1, arbitrary: fc.nat(400_000).map((length) => '🍞'.repeat(length / 4)) },
    { weight: 3, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  );
  const headerName = fc.constantFrom(
    'x-amz-target',
    'content-type',
    'content-length',
    'x-extra',
    'user-agent',
    'x-amzn-trace-id',
    'proxy-a',
    'sec-b',
    'connection',
  );
  const headerValue = text.filter((one) => /^[\x20-\x7e\t]*$/.test(one));
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  const scope = fc.record({
    service: fc.constantFrom('dynamodb', 'sqs', 'scheduler', 's3'),
    region: fc.constantFrom('us-east-1', 'eu-west-1'),
    accessKeyId: fc.constant('AKIDEXAMPLE'),
    secretAccessKey: fc.string({ minLength: 1 }),
    sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.dictionary(headerName, headerValue),
      body,
      day,
      scope,
      async (segment, extra, payload, date, { service, region, ...credentials }) => {
        const path = `/${segment
          .split('/')
          .filter((one) => one !== '' && one !== '.' && one !== '..')
          .map(encodeURIComponent)
          .join('/')}`;
        const request = { method: 'POST', protocol: 'https:', hostname: 'h', path, headers: { host: 'h', ...extra }, body: payload };
        const uriEscapePath = service !== 's3';
        const known = { ...credentials, ...(credentials.sessionToken === undefined ? { sessionToken: undefined } : {}) };
        const signer = new SignatureV4({
          service,
          region,
          credentials: known as any,
          sha256: Sha256 as any,
          uriEscapePath,
          applyChecksum: false,
        });
        const { headers } = (await signer.sign({ ...request, query: {} } as any, { signingDate: date })) as any;
        const ours = signedHeadersOf(request, { service, region, credentials: known, nowMs: date.getTime(), uriEscapePath });
        expect(ours['authorization']).toBe(headers['authorization']);
      },
    ),
    { numRuns: 10_000 },
  );
});
