import type { ErrorCode } from '../core/errors.ts';

/** When the service returns each code. */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  invalid_api_key: 'The key is missing, unknown, revoked, expired, or of another region or type.',
  insufficient_scope: 'The key lacks the scope that `requiredScope` names.',
  publishable_key_not_allowed: 'The operation accepts secret keys only.',
  limit_reached: "The plan's orders of this month are used up.",
  invalid_value: 'A field or parameter is wrong, or the body is too large or no object.',
  invalid_json: 'The body is empty or not JSON.',
  invalid_cursor: 'The cursor is of another list or query, or its record is gone.',
  conflicting_filters: 'Two parameters exclude each other; `field` names one.',
  unsupported_filter_sort_combination: 'A bound of creation time with another sort.',
  customer_not_found: 'The account has no customer with `customer.id`.',
  invalid_idempotency_key: 'The key is not 1 to 255 letters, digits, `_`, `-`, `:` or `.`.',
  not_found: 'The account has no such record, or the API no such path.',
  conflict: 'Another record or change, or the state, forbids it.',
  request_in_flight: 'A request with this Idempotency-Key is still running.',
  idempotency_key_reused: 'The Idempotency-Key had another body or route.',
  api_version_deprecated: 'The request is below `/api/v1`.',
  internal_error: 'The service failed. The Idempotency-Key is free.',
  search_not_configured: 'The account has no search, or it cannot be used now.',
};

/** The remedy for each code, in the words of the caller. */
export const errorRemedies: Readonly<Record<ErrorCode, string>> = {
  invalid_api_key: 'Check the key and the host.',
  insufficient_scope: 'Use a key with that scope.',
  publishable_key_not_allowed: 'Use a secret key, on a server.',
  limit_reached: 'Wait for the next month, or change the plan.',
  invalid_value: 'Correct `field`; `message` has its rule.',
  invalid_json: 'Send a JSON object as UTF-8.',
  invalid_cursor: 'Start the list again without a cursor.',
  conflicting_filters: 'Send only one of them.',
  unsupported_filter_sort_combination: 'Use `sort=createdAt`.',
  customer_not_found: 'Check the id, or send details.',
  invalid_idempotency_key: 'Choose another form.',
  not_found: 'Check the id, the key and the path.',
  conflict: 'Read the record, then change or repeat the request.',
  request_in_flight: 'Wait a second, then repeat it.',
  idempotency_key_reused: 'Use a new key for each operation.',
  api_version_deprecated: 'Use `/api/v2`.',
  internal_error: 'Repeat the request, and wait longer each time.',
  search_not_configured: 'Repeat it later, or list products.',
};
