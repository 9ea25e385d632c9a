import { expect, test } from '@jest/globals';
import { failingSince } from '../../pages/developers/src/webhooks/failing-since.ts';

const stats = { success_count: 0, failure_count: 10, consecutive_failures: 10, last_delivery_at: null, last_failure_at: null };

test.each([
  ['without a success: the creation of the endpoint', null, '2026-03-01T00:00:00.000Z'],
  ['a retry schedule before the last success', '2026-03-10T12:00:00.000Z', '2026-03-09T09:25:00.000Z'],
  ['never before the creation of the endpoint', '2026-03-01T12:00:00.000Z', '2026-03-01T00:00:00.000Z'],
])('the page shows since when events may have failed: %s', (_, last_success_at, since) => {
  expect(failingSince({ delivery_stats: { ...stats, last_success_at }, created_at: '2026-03-01T00:00:00.000Z' })).toBe(since);
});
