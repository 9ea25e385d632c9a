import { type ErrorCode, errorCodes } from '../shared/core/errors.ts';
import { pageParameters } from '../shared/core/paging.ts';
import type { Route } from '../shared/core/routes.ts';
import { errorRemedies, errorTexts } from '../shared/http/error-texts.ts';
import { type JsonSchema, ref } from './json-schema.ts';

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
