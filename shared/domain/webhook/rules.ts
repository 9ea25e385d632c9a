import * as v from 'valibot';
import { markup, namedRecord, url } from '../../core/fields.ts';
import { isoFromMs, withLaterTime } from '../../core/time.ts';
import { type Account, emitsEvents } from '../account/record.ts';
import { eventTypes } from '../event/types.ts';
import { type Endpoint, secretGraceMs } from './record.ts';

/** Event types, at least one. Duplicates are removed. */
const events = v.pipe(
  v.array(v.picklist(eventTypes, 'must be a subscribable event type'), 'must be an array of event types'),
  v.minLength(1, 'must name at least one event type'),
  v.transform((types) => [...new Set(types)]),
);

const description = v.pipe(
  v.nullable(markup()),
  v.transform((text) => text ?? ''),
);

/** The caller checks the URL, because the rules depend on the delivery policy. */
export const endpointInput = namedRecord('WebhookEndpointInput', { url: url(), events, description: v.optional(description, '') });
export type EndpointInput = v.InferOutput<typeof endpointInput>;

/**
 * Fields of an endpoint that a change may send, each alone. Enabling and disabling are separate
 * actions.
 */
export const endpointEdits = { url: v.optional(url()), events: v.optional(events), description: v.optional(description) };

export const endpointChanges = namedRecord('WebhookEndpointChanges', {
  ...endpointEdits,
  enabled: v.optional(v.boolean('must be true or false')),
});
export type EndpointPatch = v.InferOutput<typeof endpointChanges>;

/** Returns a new endpoint. */
export const newEndpoint = (
  { id, account, secret }: Pick<Endpoint, 'id' | 'secret'> & { readonly account: Pick<Account, 'id' | 'status'> },
  { url, description, events }: EndpointInput,
  nowMs: number,
): Endpoint => ({
  id,
  account: account.id,
  url,
  description,
  events,
  enabled: true,
  disabled_reason: null,
  account_closed: !emitsEvents(account),
  secret,
  previous_secret: null,
  previous_secret_until_ms: null,
  success_count: 0,
  failure_count: 0,
  consecutive_failures: 0,
  last_delivery_at: null,
  last_success_at: null,
  last_failure_at: null,
  enabled_ms: 0,
  disabled_ms: null,
  slots: [],
  created_at: isoFromMs(nowMs),
  updated_at: isoFromMs(nowMs),
});

/**
 * Returns the change that enables or disables an endpoint. Enabling clears the reason and the count
 * of failures. Events from while it was disabled are not delivered later (§ Delivery semantics 6).
 */
export const switchEndpoint = (endpoint: Endpoint, enabled: boolean, nowMs: number) => {
  const times = enabled ? { enabled_ms: nowMs, disabled_ms: null } : { disabled_ms: nowMs };
  return {
    enabled,
    disabled_reason: null,
    ...(enabled && { consecutive_failures: 0 }),
    ...(enabled !== endpoint.enabled && times),
  };
};

/**
 * Returns the change of a rotation. The new secret is valid at once, the old one for 24 more hours.
 * A still older secret ends now (decisions §6).
 */
export const secretRotation = (endpoint: Endpoint, secret: string, nowMs: number) =>
  withLaterTime(endpoint, {
    secret,
    previous_secret: endpoint.secret,
    previous_secret_until_ms: nowMs + secretGraceMs,
    updated_at: isoFromMs(nowMs),
  });
