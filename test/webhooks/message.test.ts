import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { decodeMessage, encodeMessage, messageVersions } from '../../shared/webhooks/message.ts';

const message = { account: 'acct_1', endpoint: 'whe_1', event: 'evt_1', run: 2, attempt: 3 };

test('a message is the documented JSON with the version first', () => {
  expect(encodeMessage(message)).toBe('{"v":1,"account":"acct_1","endpoint":"whe_1","event":"evt_1","run":2,"attempt":3}');
});

test('decoding an encoded message returns it', () => {
  const id = fc.string({ minLength: 1 });
  const messages = fc.record(
    {
      ...{ account: id, endpoint: id, event: id, run: fc.nat(), attempt: fc.nat() },
      ...{ notBeforeMs: fc.nat(), bounces: fc.integer({ min: 1, max: 1_000 }) },
    },
    { requiredKeys: ['account', 'endpoint', 'event', 'run', 'attempt'] },
  );
  fc.assert(fc.property(messages, (any) => expect(decodeMessage(encodeMessage(any))).toEqual(any)));
});

test.each([
  ['nonsense', 'no JSON object'],
  ['[1]', 'no JSON object'],
  [JSON.stringify(message), 'no version'],
  [JSON.stringify({ v: 0, ...message }), 'version 0, no longer read'],
  [JSON.stringify({ v: 2, ...message }), 'version 2, newer than 1: deploy the version that wrote it, then redrive'],
  [JSON.stringify({ v: 1, ...message, run: '2' }), 'members missing or wrong'],
])('%s is rejected with the reason: %s', (text, reason) => {
  expect([decodeMessage(text), whyUnreadable(text, messageVersions)]).toEqual([undefined, reason]);
});

test('every written message can be read', () => {
  expect(messageVersions.readable).toContain(messageVersions.written);
});
