import { expect, test } from '@jest/globals';
import { signedHeaders } from '../../pages/developers/src/deliveries/headers.ts';

const attempt = { run: 1, attempt: 2, at: '2026-03-10T12:00:01.200Z', status_code: 503, error: 'http_error', duration_ms: 1_500 };

test('the headers of an attempt have the second in which it began', () => {
  const seconds = Date.parse('2026-03-10T11:59:59Z') / 1000;
  expect(Object.fromEntries(signedHeaders(attempt, 'evt_1'))).toEqual({
    'X-Webhook-Id': 'evt_1',
    'X-Webhook-Timestamp': String(seconds),
    'X-Webhook-Signature': `t=${seconds},v1=…`,
    'Idempotency-Key': 'evt_1',
  });
});

test.each(['invalid_url', 'endpoint_disabled'])('an attempt that sent nothing has no headers: %s', (error) => {
  expect(signedHeaders({ ...attempt, status_code: null, error }, 'evt_1')).toEqual([]);
});
