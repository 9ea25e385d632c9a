import { rateRules } from '../shared/http/rate-limits.ts';
import { corsHeaders } from '../shared/http/responses.ts';
import type { JsonSchema } from './json-schema.ts';

interface Header {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** Not on every response that documents it. */
  readonly optional?: true;
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Every header a response may carry, by the name of its component. */
const headers = {
  RequestId: { name: 'X-Request-Id', description: 'Id of this request; name it when asking for help.', schema: text },
  CacheControl: { name: 'Cache-Control', description: 'The answer may not be kept.', schema: { const: 'no-store' } },
  RateLimitLimit: {
    name: 'X-RateLimit-Limit',
    description: "On success the limit of the key's bucket; on 429 that of the bucket that was hit. Requests per 60 seconds.",
    schema: count,
  },
  RateLimitRemaining: { name: 'X-RateLimit-Remaining', description: 'Always 0; sent with 429 alone.', schema: { ...count, maximum: 0 } },
  RateLimitReset: { name: 'X-RateLimit-Reset', description: 'Unix seconds at which the bucket is full again.', schema: count },
  RateLimitRule: {
    name: 'X-RateLimit-Rule',
    description: 'The rule that was hit; absent where webhook tests were too many.',
    schema: { type: 'string', enum: Object.values(rateRules).map(({ name }) => name) },
    optional: true,
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds to wait; 60 by every rule.', schema: count },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: 'Present where the answer is the stored one of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
    optional: true,
  },
  Challenge: { name: 'WWW-Authenticate', description: 'How to authenticate; the same whatever was wrong.', schema: { const: 'Bearer' } },
  ...Object.fromEntries(
    Object.entries(corsHeaders).map(([name, value]) => [
      name.replaceAll('-', ''),
      { name, description: 'The same on every answer of an endpoint that takes publishable keys.', schema: { const: value } },
    ]),
  ),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName =
  | 'RequestId'
  | 'CacheControl'
  | 'RateLimitLimit'
  | 'RateLimitRemaining'
  | 'RateLimitReset'
  | 'RateLimitRule'
  | 'RetryAfter'
  | 'IdempotentReplayed'
  | 'Challenge';

const byName: Readonly<Record<string, Header>> = headers;

/** `headers` of a response. */
export const headersOf = (names: readonly HeaderName[], cors: boolean): JsonSchema =>
  Object.fromEntries(
    [...names, ...(cors ? Object.keys(corsHeaders).map((name) => name.replaceAll('-', '')) : [])].map((component) => [
      byName[component]?.name,
      { $ref: `#/components/headers/${component}` },
    ]),
  );

export const headerComponents: JsonSchema = Object.fromEntries(
  Object.entries(byName).map(([component, { description, schema, optional }]) => [
    component,
    { description, required: optional !== true, schema },
  ]),
);
