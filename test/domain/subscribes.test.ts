import { expect, test } from '@jest/globals';
import { subscribes } from '../../shared/domain/webhook/record.ts';
import { newEndpoint } from '../../shared/domain/webhook/rules.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const owner = { id: 'acct_1', status: 'active' } as const;
const input = { url: 'https://example.com/', description: '', events: ['order.created'] } as const;
const endpoint = newEndpoint({ id: 'whe_1', secret: 's', account: owner }, { ...input, events: [...input.events] }, nowMs);

test.each([
  ['by a writer with a clock one second behind', -1_000, -1_000, true],
  ['by a request that began long before the registration', -20_000, 0, true],
  ['by such a request in the second of the registration, if the stream rounds down', -20_000, -1_999, true],
  ['more than a second before the registration', -1_001, -2_000, false],
] as const)('a new endpoint receives a change made %s or not', (_, changed, committed, receives) => {
  const moment = { changedMs: nowMs + changed, committedMs: nowMs + committed };
  expect(subscribes(endpoint, 'order.created', moment)).toBe(receives);
});
