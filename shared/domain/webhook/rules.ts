import { isoFromMs, notBefore } from '../../core/time.ts';
import { type Account, emitsEvents } from '../account/record.ts';
import type { EndpointInput } from './input.ts';
import { type Endpoint, secretGraceMs } from './record.ts';

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
export const switched = (endpoint: Endpoint, enabled: boolean, nowMs: number) => ({
  enabled,
  disabled_reason: null,
  ...(enabled ? { consecutive_failures: 0 } : {}),
  ...(enabled === endpoint.enabled ? {} : enabled ? { enabled_ms: nowMs, disabled_ms: null } : { disabled_ms: nowMs }),
});

/**
 * Returns the change of a rotation. The new secret is valid at once, the old one for 24 more hours.
 * A still older secret ends now (decisions §6).
 */
export const rotated = (endpoint: Endpoint, secret: string, nowMs: number) =>
  notBefore(endpoint, {
    secret,
    previous_secret: endpoint.secret,
    previous_secret_until_ms: nowMs + secretGraceMs,
    updated_at: isoFromMs(nowMs),
  });
