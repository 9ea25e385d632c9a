import { scopeGroups } from '../shared/core/scopes.ts';
import { autoDisableAfter } from '../shared/domain/webhook/record.ts';
import { rateRules, webhookTestRule } from '../shared/http/rate-limits.ts';
import { corsHeaders } from '../shared/http/responses.ts';
import { errorTable } from './errors.ts';

const groups = Object.entries(scopeGroups)
  .map(([name, scopes]) => `| ${name} | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`)
  .join('\n');

const cors = Object.entries(corsHeaders)
  .map(([name, value]) => `| ${name} | \`${value}\` |`)
  .join('\n');

const { read, write, publicIp } = rateRules;
export const rateLimits = `\`${read.name}\` ${read.limit} GETs and \`${write.name}\` ${write.limit} writes per key; \`${publicIp.name}\` ${publicIp.limit} requests per address on endpoints that accept publishable keys; ${webhookTestRule.limit} webhook tests per account`;

/** The part of the document that applies to every operation. */
export const introduction = `JSON over HTTPS with an API key, and signed webhooks for every change.

# Keys
Send \`Authorization: Bearer <key>\`; the bare key works too. A key belongs to one account and one region and works on that region's host only.

Keys have the form \`svc_{sk|pk}_{live|test}_{region}_{43 base64url characters}\`. New keys are \`live\`. Older keys lack the \`sk\` and are secret keys.

- Secret keys are for servers and may hold any scope.
- Publishable keys are for browsers. They hold \`${scopeGroups.commerce.join('`, `')}\` and work only with operations that say so.
- \`pricing:read\` grants nothing yet.

The account needs the Business plan and the status \`active\` or \`grace\`.

| Group of a secret key | Scopes |
|---|---|
${groups}

# Requests
Bodies are JSON objects of at most 256 KiB, nested at most 20 levels deep. The service ignores unknown fields and parameters. In a creation, null means absent. If a parameter is repeated, the first value counts.

A record stores at most 384 KiB of what callers send and of names from the catalog. A checkout session also needs space for the shopper's details and its order. A request that exceeds a bound fails with \`invalid_value\`.

Amounts are numbers with at most 2 decimals. Timestamps have milliseconds and \`Z\`. Ids are opaque. Every response has an \`X-Request-Id\`.

A time that you send is \`YYYY-MM-DD\`, \`YYYYMMDD\` or \`YYYY-MM-DDTHH:MM\`, with optional seconds, a fraction of up to nine digits, and \`Z\` or an offset. Without \`Z\` or an offset it is UTC. Week dates, ordinal dates, other basic forms and leap seconds are \`invalid_value\`. In a query, a lower bound finer than a millisecond rounds up and an upper bound rounds down.

The service removes HTML from texts, except from \`description\` and \`notes\`. In an email address and in the id of a record, HTML is an error. Emails that are equal after Unicode NFC and lower-casing belong to one customer. A free-form field named \`__proto__\`, \`prototype\` or \`constructor\` is \`invalid_value\`. So is a text with a NUL character or half of a surrogate pair.

The service checks a request in this order and returns the first error: rate limit of the address, key (401), rate limit of the key (429), plan and status of the account (403), type of the key (403), scope (403), Idempotency-Key (400), body and parameters (400), and last the operation itself. Each operation lists its rules in \`x-rate-limits\`, \`x-key-types\` and \`x-required-scope\`, and its error codes in \`x-error-codes\`.

# Idempotency
Send an \`Idempotency-Key\` with POSTs that accept one, and retry with the same key. The service keeps the response of the first success for 24 hours and returns it with \`Idempotent-Replayed: true\`.

The same key with another body or on another route fails with 422. A key whose request is still being processed fails with 409. A request that fails, with any status, frees its key at once.

# Lists
Follow \`next_cursor\` while \`has_more\` is true, whatever the length of a page, with all other parameters unchanged. A page also ends before it exceeds 1 MB. A cursor that is no longer valid fails with \`invalid_cursor\`.

To sync customers, expenses or products, send the latest \`updated_at\` you have as \`updated_after\`. The bound is inclusive, so that record is returned again. To sync orders, read them with \`sort=updatedAt\` down to that time.

Lists leave out deleted records. A write shows in lists within about a second, and by its id at once.

# Rate limits
Fixed windows of 60 seconds: ${rateLimits}. Requests above them get 429 with a flat body and \`Retry-After\`.

# Errors
Errors have the standard envelope \`{ error: { type, code, message, field?, requiredScope? } }\`. Branch on \`code\`.

Three errors are flat, with a text in \`error\`: 429 \`rate_limit_exceeded\`, 403 \`plan_required\` and 403 \`account_inactive\`. Responses of the gateway itself, such as 503 after 30 seconds, are \`{ message }\`. An unknown path or method is \`not_found\`, with or without a key.

${errorTable(true)}

# Browsers
Endpoints that accept publishable keys answer CORS preflights (\`OPTIONS\`) with 204 without a key. All their responses, to either type of key, have these headers:

| Header | Value |
|---|---|
${cors}

# Versions
This is \`/api/v2\`. Every request below \`/api/v1\` gets 410 before any authentication. New fields and values may be added to responses and events; ignore those you do not know. Events have a version of their own, \`api_version\`, which is \`v1\` on every delivery.`;

/** How events reach a receiver. */
export const aboutEvents = `Events are signed POSTs to the URLs that an account has registered. Respond with any 2xx within 30 seconds and do the work afterwards.

Verify each request first:

1. Take \`t\` and \`v1\` from \`X-Webhook-Signature\`.
2. Compute the HMAC-SHA256 of \`<t>.<raw body>\` with the whole signing secret, \`whsec_\` included.
3. Compare the two in constant time.
4. Reject a \`t\` that is too old for you.

For 24 hours after a rotation, \`X-Webhook-Signature-Previous\` holds the signature with the old secret.

A delivery is attempted up to 5 times: at once, then 5 minutes, 30 minutes, 2 hours and 24 hours after a failure, or slightly later. A redirect is a failure and is not followed. Certificates must be valid and publicly trusted. After ${autoDisableAfter} failures in a row, across all events, the service disables the endpoint.

Events arrive at least once and in any order: ignore ids that you have seen. Each event is one request, of any size.

Deliveries come from changing addresses. A subscription receives every event of its type; there is no filter by content. This API does not redeliver past events.`;
