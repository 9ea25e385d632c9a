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
export const rateLimits = `\`${read.name}\` ${read.limit} GETs and \`${write.name}\` ${write.limit} writes a key; \`${publicIp.name}\` ${publicIp.limit} an address on endpoints that take publishable keys; ${webhookTestRule.limit} webhook tests an account`;

/** What holds for every operation. */
export const introduction = `JSON over HTTPS with an API key, and signed webhooks that tell of every change.

# Keys
Send \`Authorization: Bearer <key>\`; the bare key is taken too. A key belongs to one account and one region and works on that region's host only.
Keys read \`svc_{sk|pk}_{live|test}_{region}_{43 base64url characters}\`, new ones \`live\`; older ones lack the \`sk\` and are secret keys. Secret keys are for servers and
may hold any scope; publishable keys are for browsers, hold \`${scopeGroups.commerce.join('`, `')}\`, and are taken only where an operation says so.
\`pricing:read\` grants nothing yet. Accounts need the Business plan and the status \`active\` or \`grace\`.

| Group of a secret key | Scopes |
|---|---|
${groups}

# Requests
Bodies are JSON objects of at most 256 KiB, nested at most 20 deep; others are refused with \`invalid_value\`. Members and parameters that are not known are ignored, and in what is created null is the same as absent.
A record stores at most 384 KiB of what callers send and of names from the catalog; a request that needs more is rejected with \`invalid_value\`. A checkout session is measured with room for the shopper's details and its order.
Of a repeated parameter the first value counts. Amounts have at most 2 decimals and are never texts; timestamps come with milliseconds and \`Z\`; ids are opaque.
Every response has an \`X-Request-Id\`.

A time that you send is \`YYYY-MM-DD\`, \`YYYYMMDD\` or \`YYYY-MM-DDTHH:MM\`, with optional seconds, a fraction of up to nine digits, and \`Z\` or an offset; without
them it is UTC. Week dates, ordinal dates, other basic forms and leap seconds are \`invalid_value\`. In a query, a lower bound finer than a millisecond rounds up and
an upper bound rounds down.

HTML is removed from texts, except from \`description\` and \`notes\`. It is never removed from an email address or from the id of a record: there it is an error.
Emails that are equal after Unicode NFC and lower-casing belong to one customer. A free-form field named \`__proto__\`, \`prototype\` or \`constructor\` is \`invalid_value\`.

A request is judged in this order, and the first refusal is the answer: limit of the address, key (401), limit of the key (429), plan and status of the account (403), type of the key (403),
scope (403), Idempotency-Key (400), body and parameters (400), and last what it is about. Each operation states its own as \`x-rate-limits\`,
\`x-key-types\` and \`x-required-scope\`, and the codes of its errors as \`x-error-codes\`.

# Idempotency
Send an \`Idempotency-Key\` with POSTs that take one, and retry with the same: the answer of the first success is kept for 24 hours and comes again with
\`Idempotent-Replayed: true\`. The same key with another body or on another route is refused with 422, one that is being processed with 409. A request that failed, whatever its status, frees its key at once.

# Lists
Go on with \`next_cursor\` while \`has_more\` is true, whatever the length of a page, with all other parameters unchanged. A page also ends where it would pass 1 MB. A cursor that no longer leads anywhere is refused with \`invalid_cursor\`.
For a sync of customers, expenses or products send the latest \`updated_at\` you have as \`updated_after\`: it is inclusive, so that record comes again. Orders have no such filter: read them with \`sort=updatedAt\` down to that moment.
Deleted records are in no list. What was written shows in lists within a second or so, and by its id at once.

# Rate limits
Fixed windows of 60 seconds: ${rateLimits}.
Beyond them 429 with a flat body and \`Retry-After\`.

# Errors
Errors have the standard envelope \`{ error: { type, code, message, field?, requiredScope? } }\`; branch on \`code\`. Three are flat, \`error\` being a text: 429 \`rate_limit_exceeded\`, 403 \`plan_required\` and 403 \`account_inactive\`.
What the gateway answers itself, such as 503 after 30 seconds, is \`{ message }\`. An unknown path or method is \`not_found\`, with or without a key.

${errorTable()}

# Browsers
Endpoints that take publishable keys answer CORS preflights (\`OPTIONS\`) with 204 without asking for a key, and carry these headers on every answer, to either type of key:

| Header | Value |
|---|---|
${cors}

# Versions
This is \`/api/v2\`; everything under \`/api/v1\` is answered with 410 before any authentication. Members and values may be added to answers and events; ignore what you do not know.
The envelope of events has a version of its own, \`api_version\`, which is \`v1\` on every delivery.`;

/** How events reach a receiver. */
export const aboutEvents = `Signed POSTs to the URLs an account has registered. Answer with any 2xx within 30 seconds and do the work afterwards.

Verify before you believe: take \`t\` and \`v1\` from \`X-Webhook-Signature\`, compute the HMAC-SHA256 of \`<t>.<raw body>\` with the whole signing secret (\`whsec_\` included), compare in constant time, and choose how old a \`t\` you take.
For 24 hours after a rotation \`X-Webhook-Signature-Previous\` holds the same by the old secret.

A delivery is tried up to 5 times: at once, then 5 minutes, 30 minutes, 2 hours and 24 hours after a failure, at the earliest. Redirects are failures, and never followed; certificates have to be valid and publicly trusted.
After ${autoDisableAfter} failures in a row, across all events, the endpoint is disabled. Events come at least once and in any order: ignore ids that you have seen. Each is one delivery, of any size.

Deliveries come from no fixed addresses. A subscription gets every event of its type: there is no filter by content, and past deliveries are not sent again through this API.`;
