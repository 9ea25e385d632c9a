import { expect, test } from '@jest/globals';
import { ApiError, type ErrorCode, errorCodes, FlatError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { describeError } from '../../shared/core/log.ts';

test('the codes are those of the contract, each with its status and type', () => {
  const rows = Object.entries(errorCodes).map(([code, { status, type }]) => `${status} ${type} ${code}`);
  expect(rows.sort()).toEqual(
    [
      '401 authentication_error invalid_api_key',
      '403 permission_error insufficient_scope',
      '403 invalid_request_error publishable_key_not_allowed',
      '403 rate_limit_error limit_reached',
      '400 validation_error invalid_value',
      '400 validation_error invalid_json',
      '400 validation_error invalid_cursor',
      '400 validation_error conflicting_filters',
      '400 validation_error unsupported_filter_sort_combination',
      '400 validation_error customer_not_found',
      '400 validation_error invalid_idempotency_key',
      '404 not_found not_found',
      '409 conflict conflict',
      '409 idempotency_error request_in_flight',
      '422 idempotency_error idempotency_key_reused',
      '410 deprecated api_version_deprecated',
      '500 api_error internal_error',
      '503 service_unavailable search_not_configured',
    ].sort(),
  );
});

test.each(Object.keys(errorCodes) as ErrorCode[])('%s has the standard envelope', (code) => {
  const error = new ApiError(code, 'Words.');
  expect(error.status).toBe(errorCodes[code].status);
  expect(error.body).toEqual({ error: { type: errorCodes[code].type, code, message: 'Words.' } });
});

test('the envelope has field, scope and further fields, but no reasons for the log', () => {
  const error = new ApiError('insufficient_scope', 'Words.', {
    field: 'a.b',
    requiredScope: 'orders:read',
    extra: { max: 5 },
    internal: 'secret',
    cause: new Error('secret'),
  });
  expect(error.body.error).toEqual({
    type: 'permission_error',
    code: 'insufficient_scope',
    message: 'Words.',
    field: 'a.b',
    requiredScope: 'orders:read',
    max: 5,
  });
  expect((error.cause as Error).message).toBe('secret');
});

test('notFound and invalidValue make the two commonest errors', () => {
  expect(invalidValue('amount', 'No.').body.error).toMatchObject({ code: 'invalid_value', field: 'amount' });
  expect(notFound('Expense')).toMatchObject({ status: 404, message: 'Expense not found. Check the id.' });
});

test('a flat rejection keeps its body and headers', () => {
  const error = new FlatError(429, { error: 'rate_limit_exceeded', retryAfter: 60 }, { 'Retry-After': '60' });
  expect(error).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded', retryAfter: 60 }, headers: { 'Retry-After': '60' } });
  expect(new FlatError(403, { error: 'plan_required' }).headers).toEqual({});
});

test('describeError returns a bounded description of any thrown value', () => {
  const described = describeError(new TypeError('x'.repeat(2_000)));
  expect(described['name']).toBe('TypeError');
  expect(described['message']).toHaveLength(500);
  expect(String(described['stack']).split('|').length).toBeLessThanOrEqual(4);
  expect(describeError('text')).toEqual({ name: 'unknown', message: 'text' });
  expect(describeError(undefined)).toEqual({ name: 'unknown', message: 'undefined' });
});
