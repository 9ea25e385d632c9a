import { type ErrorCode, errorCodes } from '../shared/core/errors.ts';
import { pageParameters } from '../shared/core/paging.ts';
import type { Route } from '../shared/core/routes.ts';
import { type JsonSchema, ref } from './json-schema.ts';

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

const isPaged = ({ query }: Route): boolean =>
  query !== undefined && 'entries' in query && Object.hasOwn(query.entries as object, Object.keys(pageParameters)[1] ?? '');

/**
 * A POST without a documented body accepts an absent body, and reads one that is sent (decisions
 * §3).
 */
export const takesBody = ({ body, method }: Route): boolean => body !== undefined || method === 'POST';

/** Returns the codes of the checks before an operation (decisions §2). */
const codesOfChain = (route: Route): readonly ErrorCode[] => [
  ...(route.idempotent ? (['invalid_idempotency_key'] as const) : []),
  ...(route.query || takesBody(route) ? (['invalid_value'] as const) : []),
  ...(takesBody(route) ? (['invalid_json'] as const) : []),
  ...(isPaged(route) ? (['invalid_cursor'] as const) : []),
  'invalid_api_key',
  'insufficient_scope',
  ...(route.keys === 'secret' ? (['publishable_key_not_allowed'] as const) : []),
  ...(route.path.includes('{id}') ? (['not_found'] as const) : []),
  ...(route.idempotent ? (['request_in_flight', 'idempotency_key_reused'] as const) : []),
  'internal_error',
];

/** Returns the codes by status, in the order of the table. */
export const codesByStatus = (route: Route, own: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> => {
  const possible = new Set([...codesOfChain(route), ...own]);
  const grouped = Map.groupBy(
    (Object.keys(errorCodes) as ErrorCode[]).filter((code) => possible.has(code)),
    (code) => errorCodes[code].status,
  );
  return new Map([...grouped].sort(([a], [b]) => a - b));
};

const text = (description: string): JsonSchema => ({ type: 'string', description });
const only = (value: string): JsonSchema => ({ type: 'string', const: value });
const object = (description: string, properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const { limit_reached: limitReached, ...standard } = errorCodes;

/** The two kinds of error bodies: the envelope, and flat bodies with `error` as a text. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: object('The standard envelope.', { error: ref('ErrorDetail') }),
  ErrorDetail: object(
    'Branch on `code`; the wording of `message` may change.',
    {
      type: {
        type: 'string',
        enum: [...new Set(Object.values(standard).map(({ type }) => type))],
        description: 'Category of the error. Branch on `code` instead.',
      },
      code: {
        type: 'string',
        'x-extensible-enum': Object.keys(standard),
        description: 'Stable code for programs. New codes may be added.',
      },
      message: text('Says what is wrong and what to do. Its wording may change.'),
      field: text('Path of the wrong field or parameter, for example `items.0.quantity`.'),
      requiredScope: text('The missing scope; with `insufficient_scope` only.'),
    },
    ['field', 'requiredScope'],
  ),
  LimitReachedError: object('The standard envelope at the order limit.', { error: ref('LimitReachedDetail') }),
  LimitReachedDetail: object('The limit that was reached.', {
    type: only(limitReached.type),
    code: only('limit_reached'),
    message: text('Says what is wrong and what to do. Its wording may change.'),
    limit: only('orders_per_month'),
    current: { type: 'integer', description: 'Orders of this UTC month.' },
    max: { type: 'integer', description: 'Orders a month that the plan allows.' },
  }),
  PlanRequiredError: object("The account's plan does not include the API. Flat; do not retry.", {
    error: only('plan_required'),
    feature: only('rest-api'),
    label: text('Name of the feature.'),
    required: only('business'),
    current: { type: 'string', enum: ['free', 'starter'], description: 'Plan of the account.' },
  }),
  AccountInactiveError: object('The account is suspended or closed. Flat; do not retry.', {
    error: only('account_inactive'),
    status: { type: 'string', enum: ['suspended', 'closed'], description: 'Status of the account.' },
  }),
  RateLimitError: object('Too many requests. Flat.', {
    error: only('rate_limit_exceeded'),
    message: text('Says what is wrong and what to do. Its wording may change.'),
    retryAfter: { type: 'integer', description: 'Seconds to wait, as in Retry-After.' },
  }),
  GatewayError: object('A response of the gateway itself.', {
    message: text('Says what is wrong and what to do. Its wording may change.'),
  }),
};

/** Returns the table of codes: for the reference with their type, for the guide without. */
export const errorTable = (hasType: boolean): string => {
  const heads = ['Status', ...(hasType ? ['`type`'] : []), '`code`', 'When', 'What to do'];
  const rows = (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
    const { status, type } = errorCodes[code];
    return [status, ...(hasType ? [`\`${type}\``] : []), `\`${code}\``, errorTexts[code], errorRemedies[code]];
  });
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
};
