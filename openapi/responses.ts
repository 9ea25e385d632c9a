import { type ErrorCode, errorCodes } from '../shared/core/errors.ts';
import type { Route } from '../shared/core/routes.ts';
import { errorRemedies, errorTexts } from '../shared/http/error-texts.ts';
import { rateRules } from '../shared/http/rate-limits.ts';
import { corsHeaders } from '../shared/http/responses.ts';
import { codesByStatus, takesBody } from './errors.ts';
import type { RecordedCall } from './examples/stage.ts';
import { rateLimits } from './introduction.ts';
import { type JsonSchema, mapped, ref, type Schemas } from './json-schema.ts';
import type { OperationWords } from './words/common.ts';

const commonHeaders: readonly HeaderName[] = ['RequestId', 'CacheControl'];

/** Returns `examples` of a media type; nothing if no call was recorded. */
export const examplesOf = (calls: readonly RecordedCall[], value: (call: RecordedCall) => unknown): JsonSchema =>
  calls.length === 0
    ? {}
    : { examples: Object.fromEntries(calls.map((call) => [call.name, { summary: call.summary, value: value(call) }])) };

const json = (schema: JsonSchema, calls: readonly RecordedCall[]): JsonSchema => ({
  'application/json': { schema, ...examplesOf(calls, ({ responseBody }) => responseBody) },
});

/** Returns the page envelope of a named schema, with its own name. */
const pageOf = (name: string): JsonSchema => ({
  type: 'object',
  description: 'One page of a list, and how to get the next.',
  properties: {
    data: { type: 'array', items: ref(name), description: 'Records. May be shorter than `limit`, or empty, although more records follow.' },
    pagination: ref('Pagination'),
  },
  required: ['data', 'pagination'],
});

export const pagination: JsonSchema = {
  type: 'object',
  description: 'Position of the page. Continue with `next_cursor` while `has_more` is true.',
  properties: {
    limit: { type: 'integer', description: 'Maximum number of records on the page: what was asked for, between 1 and 100.' },
    has_more: { type: 'boolean', description: 'Whether more records follow.' },
    next_cursor: { type: ['string', 'null'], description: 'Cursor of the next page. Null on the last page.' },
    prev_cursor: { type: 'null', description: 'Always null: lists go forward only.' },
  },
  required: ['limit', 'has_more', 'next_cursor', 'prev_cursor'],
};

/** Returns the body of the success. Adds the schema of its page if it is a list. */
const bodyOf = ({ body }: OperationWords, schemas: Schemas): JsonSchema => {
  if (!('list' in body)) return schemas.of(body);
  const name = String(schemas.of(body.list)['$ref']).split('/').at(-1) ?? '';
  return schemas.add(`${name}Page`, pageOf(name));
};

/** Bodies of a status in addition to the standard envelope. */
const otherBodies = (status: number, codes: readonly ErrorCode[]): readonly JsonSchema[] => [
  ...(status === 403 ? [ref('PlanRequiredError'), ref('AccountInactiveError')] : []),
  ...(codes.includes('limit_reached') ? [ref('LimitReachedError')] : []),
  // The gateway also uses this status if no response arrived in time.
  ...(status === 503 ? [ref('GatewayError')] : []),
];

const errorResponse = (
  status: number,
  codes: readonly ErrorCode[],
  own: OperationWords['errors'],
  cors: boolean,
  calls: readonly RecordedCall[],
): JsonSchema => {
  const bodies = [ref('Error'), ...otherBodies(status, codes)];
  const lines = codes.map((code) => `- \`${code}\`: ${own?.[code] || `${errorTexts[code]} ${errorRemedies[code]}`}`);
  if (status === 403) {
    lines.push("- flat `plan_required`: the account's plan has no API.", '- flat `account_inactive`: the account is suspended or closed.');
  }
  return {
    description: lines.join('\n'),
    headers: headersOf(status === 401 ? [...commonHeaders, 'Challenge'] : commonHeaders, cors),
    content: json(bodies.length === 1 ? (bodies[0] as JsonSchema) : { anyOf: bodies }, calls),
    'x-error-codes': codes,
  };
};

/** Responses shared by many operations, with and without the CORS headers. */
const sharedCodes = { Unauthorized: 'invalid_api_key', InternalError: 'internal_error' } as const;
const sharedStatuses = new Map<number, string>(Object.entries(sharedCodes).map(([name, code]) => [errorCodes[code].status, name]));
const sharedRef = (name: string, cors: boolean): JsonSchema => ({ $ref: `#/components/responses/${name}${cors ? 'WithCors' : ''}` });

const tooMany: readonly HeaderName[] = [
  ...commonHeaders,
  'RetryAfter',
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimitRule',
];

/** The component responses with their recorded examples. */
export const responseComponents = (calls: readonly RecordedCall[]): JsonSchema => {
  const recorded = (expectedStatus: number) => calls.filter(({ status }) => status === expectedStatus);
  const shared = (cors: boolean): JsonSchema => {
    const suffix = cors ? 'WithCors' : '';
    const errors = Object.entries(sharedCodes).map(([name, code]) => {
      const { status } = errorCodes[code];
      return [`${name}${suffix}`, errorResponse(status, [code], undefined, cors, recorded(status))];
    });
    const limited = {
      description: `- flat \`rate_limit_exceeded\`: too many requests in 60 seconds: ${rateLimits}. Wait for Retry-After.`,
      headers: headersOf(tooMany, cors),
      content: json(ref('RateLimitError'), recorded(429)),
    };
    return { ...Object.fromEntries(errors), [`TooManyRequests${suffix}`]: limited };
  };
  return {
    ...shared(false),
    ...shared(true),
    GatewayRefusal: {
      description: 'The request is larger than 10 MB.',
      content: json({ anyOf: [ref('GatewayError'), ref('Error')] }, []),
    },
    GatewayUnavailable: { description: 'The service did not respond in time. Retry.', content: json(ref('GatewayError'), []) },
  };
};

const cacheControlHeader = (value: string): JsonSchema => ({
  description: 'Who may cache the response, and for how long.',
  required: true,
  schema: { const: value },
});

/** Returns every response of an operation, by status. */
export const responsesOf = (route: Route, texts: OperationWords, calls: readonly RecordedCall[], schemas: Schemas): JsonSchema => {
  const { cacheControl, status = 200 } = route;
  const cors = route.keys === 'any';
  const of = (expectedStatus: number) => calls.filter((call) => call.status === expectedStatus);
  const success = {
    description: texts.success,
    headers: {
      ...headersOf([...commonHeaders, 'RateLimitLimit', ...(route.idempotent ? (['IdempotentReplayed'] as const) : [])], cors),
      ...(cacheControl === undefined || cacheControl === 'no-store' ? {} : { 'Cache-Control': cacheControlHeader(cacheControl) }),
    },
    content: json(bodyOf(texts, schemas), of(status)),
  };
  const byStatus = codesByStatus(route, Object.keys(texts.errors ?? {}) as ErrorCode[]);
  const errors = [...byStatus].map(([code, codes]) => {
    const name = sharedStatuses.get(code);
    return [code, name ? sharedRef(name, cors) : errorResponse(code, codes, texts.errors, cors, of(code))];
  });
  const unavailable = byStatus.has(503) ? {} : { 503: { $ref: '#/components/responses/GatewayUnavailable' } };
  return {
    [status]: success,
    ...Object.fromEntries(errors),
    ...(takesBody(route) ? { 413: { $ref: '#/components/responses/GatewayRefusal' } } : {}),
    429: sharedRef('TooManyRequests', cors),
    ...unavailable,
  };
};

interface Header {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** Set if the header may be absent from a response that documents it. */
  readonly optional?: true;
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Response headers by their component's name. */
const ownHeaders = {
  RequestId: { name: 'X-Request-Id', description: 'Id of this request. Quote it to support.', schema: text },
  CacheControl: { name: 'Cache-Control', description: 'The response may not be cached.', schema: { const: 'no-store' } },
  RateLimitLimit: {
    name: 'X-RateLimit-Limit',
    description: "Requests per 60 seconds. On success: the key's limit. On 429: the exceeded limit.",
    schema: count,
  },
  RateLimitRemaining: { name: 'X-RateLimit-Remaining', description: 'Always 0. Only on 429.', schema: { ...count, maximum: 0 } },
  RateLimitReset: { name: 'X-RateLimit-Reset', description: 'Unix time in seconds at which the full limit is available.', schema: count },
  RateLimitRule: {
    name: 'X-RateLimit-Rule',
    description: 'The rule that was exceeded. Absent if too many webhook tests were sent.',
    schema: { type: 'string', enum: Object.values(rateRules).map(({ name }) => name) },
    optional: true,
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds to wait. Always 60.', schema: count },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: 'Present if the response is the stored one of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
    optional: true,
  },
  Challenge: { name: 'WWW-Authenticate', description: 'How to authenticate. The same for every cause.', schema: { const: 'Bearer' } },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof ownHeaders;

const sharedHeaders: Readonly<Record<string, Header>> = Object.fromEntries(
  Object.entries(corsHeaders).map(([name, value]) => [
    name.replaceAll('-', ''),
    { name, description: 'The same on every response of an operation that takes publishable keys.', schema: { const: value } },
  ]),
);
const headers: Readonly<Record<string, Header>> = { ...ownHeaders, ...sharedHeaders };

/** Returns `headers` of a response. */
const headersOf = (names: readonly HeaderName[], cors: boolean): JsonSchema =>
  Object.fromEntries(
    [...names, ...(cors ? Object.keys(sharedHeaders) : [])].map((component) => [
      headers[component]?.name,
      { $ref: `#/components/headers/${component}` },
    ]),
  );

export const headerComponents: JsonSchema = mapped(headers, ({ description, schema, optional }) => ({
  description,
  required: optional !== true,
  schema,
}));
