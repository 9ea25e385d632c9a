import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../core/time.ts';
import { eventTypes } from '../event/types.ts';
import { namesOf, pick } from '../record-fields.ts';
import {
  count,
  extensibleList,
  extensibleOneOf,
  flag,
  integer,
  matching,
  number,
  oneOf,
  onlyValue,
  orNull,
  shape,
  text,
  timestamp,
  url,
} from '../wire-shape.ts';
import { autoDisableReason, type DeliveryRecord, deliveryStatuses, type Endpoint } from './record.ts';

const attemptErrors = ['invalid_url', 'redirect_not_followed', 'http_error', 'no_response'] as const;

const stats = {
  success_count: count('Attempts that got a 2xx response.'),
  failure_count: count('Attempts that got no 2xx response.'),
  consecutive_failures: count(
    'Failures since the last success. At 10 the endpoint is disabled, which a burst reaches within a second of an outage.',
  ),
  last_delivery_at: orNull(timestamp('Time of the last attempt. Null before the first.')),
  last_success_at: orNull(timestamp('Time of the last 2xx response. Null before the first.')),
  last_failure_at: orNull(timestamp('Time of the last failed attempt. Null before the first.')),
};
const deliveryStats = shape('DeliveryStats', 'Delivery statistics of an endpoint.', stats);

/** Fields of a list entry: without the secret and without `disabled_reason` (§ Webhook endpoint). */
const common = {
  id: text('Opaque id. Its prefix may change.'),
  url: url('URL that receives the events.'),
  description: text('Text that the caller gave the endpoint. Empty if none was sent.'),
  events: extensibleList(eventTypes, 'Event types that the endpoint receives.'),
  enabled: flag('Whether the endpoint receives events. The service sets it to false after 10 failures in a row.'),
  status: oneOf(['active', 'disabled'], '`active` if `enabled` is true.'),
  delivery_stats: deliveryStats,
  created_at: timestamp('Time at which the endpoint was registered.'),
  updated_at: timestamp('Time of the last change by the API.'),
};
const one = {
  ...common,
  disabled_reason: orNull(
    extensibleOneOf(
      [autoDisableReason],
      'Reason if the service disabled it, otherwise null. Fix the receiver, set `enabled`, and fetch what changed since with `updated_after`.',
    ),
  ),
};
const secret = matching(/^whsec_/, 'Signing secret, including the prefix. Only this response has it.');

export const webhookEndpointSummary = shape('WebhookEndpointSummary', 'An endpoint in a list.', common);
export const webhookEndpoint = shape('WebhookEndpoint', 'A URL that receives events.', one);
export const webhookEndpointWithSecret = shape('WebhookEndpointWithSecret', 'A new endpoint with its signing secret.', { ...one, secret });
export const deletedWebhookEndpoint = shape('DeletedWebhookEndpoint', 'A deleted endpoint.', {
  deleted: onlyValue(true, 'Always true: the endpoint is deleted.'),
  id: text('Id of the deleted endpoint.'),
});
export const rotatedSecret = shape('RotatedSecret', 'The new signing secret of an endpoint.', {
  id: text('Id of the endpoint.'),
  secret,
  previous_secret_expires_at: timestamp('Deliveries are signed with both secrets until this time.'),
});
export const webhookTestResult = shape('WebhookTestResult', 'Result of a test event.', {
  success: flag('Whether the receiver responded with 2xx.'),
  status_code: orNull(integer('Status of the response. Null if there was none.')),
  response_time_ms: orNull(number('Milliseconds until the response. Null if there was none.')),
  error: orNull(extensibleOneOf(attemptErrors, 'Cause of the failure. `no_response` includes timeouts, DNS, refused connections and TLS.')),
});
/** Fields of a delivery in the REST API (§ Delivery attempt record). */
const shown = {
  id: matching(/^evt_/, 'Id of the event.'),
  type: extensibleOneOf(eventTypes, 'Type of the event.'),
  status: oneOf(deliveryStatuses, '`delivered` and `failed` are final.'),
  attempts: count('Failed attempts so far.'),
  last_status_code: orNull(integer('Status of the last response. Null if there was none.')),
  last_error: orNull(extensibleOneOf([...attemptErrors, 'endpoint_disabled'], 'Failure of the last attempt, or null.')),
  next_retry_at: orNull(timestamp('The next attempt is at this time or later. Null without one.')),
  last_attempt_at: orNull(timestamp('Time of the last attempt. Null before the first.')),
  delivered_at: orNull(timestamp('Time of the 2xx response. Null until then.')),
  failed_at: orNull(timestamp('Time of the last failed attempt. Null unless `status` is `failed`.')),
  created_at: timestamp('Time of the change that caused the event.'),
};
export const delivery = shape('Delivery', 'The delivery of one event to one endpoint.', shown);

export type WebhookEndpointSummary = InferOutput<typeof webhookEndpointSummary>;
export type WebhookEndpoint = InferOutput<typeof webhookEndpoint>;
export type WebhookEndpointWithSecret = InferOutput<typeof webhookEndpointWithSecret>;
export type DeletedWebhookEndpoint = InferOutput<typeof deletedWebhookEndpoint>;
export type RotatedSecret = InferOutput<typeof rotatedSecret>;
export type WebhookTestResult = InferOutput<typeof webhookTestResult>;
export type Delivery = InferOutput<typeof delivery>;

export const webhookTestMessage = shape('WebhookTestMessage', 'Content of `webhook.test`.', {
  message: text('The same sentence in every test event.'),
  timestamp: timestamp('Time at which the test was sent.'),
});

export type WebhookTestMessage = InferOutput<typeof webhookTestMessage>;

export const endpointSummaryView = (endpoint: Endpoint): WebhookEndpointSummary =>
  pick({ ...endpoint, status: endpoint.enabled ? 'active' : 'disabled', delivery_stats: pick(endpoint, namesOf(stats)) }, namesOf(common));

/**
 * Returns the view of an endpoint without its secret. Only the creation of an endpoint and the
 * rotation of its secret add the secret.
 */
export const endpointView = (endpoint: Endpoint): WebhookEndpoint => ({
  ...endpointSummaryView(endpoint),
  disabled_reason: endpoint.disabled_reason,
});

export const deliveryView = (record: DeliveryRecord): Delivery => pick(record, namesOf(shown));

/** Returns the view of a test event's result. */
export const testResultView = (result: {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: WebhookTestResult['error'];
}): WebhookTestResult => ({
  success: result.success,
  status_code: result.statusCode,
  response_time_ms: result.responseTimeMs,
  error: result.error,
});

/** Returns the response of a rotation, which contains the new secret. */
export const rotatedSecretView = (
  id: string,
  to: { readonly secret: string; readonly previous_secret_until_ms: number },
): RotatedSecret => ({
  id,
  secret: to.secret,
  previous_secret_expires_at: isoFromMs(to.previous_secret_until_ms),
});
