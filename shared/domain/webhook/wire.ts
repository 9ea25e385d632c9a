import * as v from 'valibot';
import { eventTypes } from '../event/types.ts';
import { among, count, flag, integer, known, list, number, oneOf, orNull, shape, text, timestamp, url } from '../wire-shape.ts';
import { autoDisableReason, deliveryStatuses } from './record.ts';

const attemptErrors = ['invalid_url', 'redirect_not_followed', 'http_error', 'no_response'] as const;

const deliveryStats = shape('DeliveryStats', 'Delivery statistics of an endpoint.', {
  success_count: count('Attempts that got a 2xx response.'),
  failure_count: count('Attempts that failed.'),
  consecutive_failures: count('Failures since the last success. At 10 the endpoint is disabled.'),
  last_delivery_at: orNull(timestamp('Time of the last attempt.')),
  last_success_at: orNull(timestamp('Time of the last success.')),
  last_failure_at: orNull(timestamp('Time of the last failure.')),
});

const common = {
  id: text('Opaque id. Its prefix may change.'),
  url: url('URL that receives the events.'),
  description: text('Free text. May be empty.'),
  events: list(v.picklist(eventTypes), 'Subscribed event types.'),
  enabled: flag('Whether events are sent.'),
  status: oneOf(['active', 'disabled'], '`active` if `enabled` is true.'),
  delivery_stats: deliveryStats,
  created_at: timestamp('Time of registration.'),
  updated_at: timestamp('Time of the last change by the API.'),
};
const one = {
  ...common,
  disabled_reason: orNull(known([autoDisableReason], 'Reason if the service disabled it, otherwise null.')),
};
const secret = v.pipe(v.string(), v.regex(/^whsec_/), v.description('Signing secret, including the prefix. Only this response has it.'));

export const webhookEndpointSummary = shape('WebhookEndpointSummary', 'An endpoint in a list.', common);
export const webhookEndpoint = shape('WebhookEndpoint', 'A URL that receives events.', one);
export const webhookEndpointWithSecret = shape('WebhookEndpointWithSecret', 'A new endpoint with its signing secret.', { ...one, secret });
export const deletedWebhookEndpoint = shape('DeletedWebhookEndpoint', 'A deleted endpoint.', {
  deleted: v.pipe(v.literal(true), v.description('Always true.')),
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
  error: orNull(oneOf(attemptErrors, 'Cause of the failure. `no_response` includes timeouts, DNS, refused connections and TLS.')),
});
export const delivery = shape('Delivery', 'The delivery of one event to one endpoint.', {
  id: v.pipe(v.string(), v.regex(/^evt_/), v.description('Id of the event.')),
  type: among(eventTypes, 'Type of the event.'),
  status: oneOf(deliveryStatuses, '`delivered` and `failed` are final.'),
  attempts: count('Failed attempts so far.'),
  last_status_code: orNull(integer('Status of the last response. Null if there was none.')),
  last_error: orNull(among([...attemptErrors, 'endpoint_disabled'], 'Failure of the last attempt, or null.')),
  next_retry_at: orNull(timestamp('The next attempt is at this time or later.')),
  last_attempt_at: orNull(timestamp('Time of the last attempt.')),
  delivered_at: orNull(timestamp('Time of delivery.')),
  failed_at: orNull(timestamp('Time at which the delivery failed for good.')),
  created_at: timestamp('Time of the change that caused the event.'),
});

export type WebhookEndpointSummary = v.InferOutput<typeof webhookEndpointSummary>;
export type WebhookEndpoint = v.InferOutput<typeof webhookEndpoint>;
export type WebhookEndpointWithSecret = v.InferOutput<typeof webhookEndpointWithSecret>;
export type DeletedWebhookEndpoint = v.InferOutput<typeof deletedWebhookEndpoint>;
export type RotatedSecret = v.InferOutput<typeof rotatedSecret>;
export type WebhookTestResult = v.InferOutput<typeof webhookTestResult>;
export type Delivery = v.InferOutput<typeof delivery>;

export const webhookTestMessage = shape('WebhookTestMessage', 'Content of `webhook.test`.', {
  message: text('A fixed sentence.'),
  timestamp: timestamp('Time of sending.'),
});

export type WebhookTestMessage = v.InferOutput<typeof webhookTestMessage>;
