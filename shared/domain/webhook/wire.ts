import * as v from 'valibot';
import { eventTypes } from '../event/types.ts';
import { among, count, flag, integer, known, list, number, oneOf, orNull, shape, text, timestamp, url } from '../wire-shape.ts';
import { autoDisableReason, deliveryStatuses } from './record.ts';

const attemptErrors = ['invalid_url', 'redirect_not_followed', 'http_error', 'no_response'] as const;

const deliveryStats = shape('DeliveryStats', 'How deliveries to an endpoint went.', {
  success_count: count('Attempts that were answered with 2xx.'),
  failure_count: count('Attempts that failed.'),
  consecutive_failures: count('Failures since the last success; at 10 the endpoint is disabled.'),
  last_delivery_at: orNull(timestamp('Moment of the last attempt.')),
  last_success_at: orNull(timestamp('Moment of the last success.')),
  last_failure_at: orNull(timestamp('Moment of the last failure.')),
});

const common = {
  id: text('Opaque; it has no promised prefix.'),
  url: url('Where events are sent.'),
  description: text('Free text; empty where none was given.'),
  events: list(v.picklist(eventTypes), 'Subscribed event types.'),
  enabled: flag('Whether events are sent.'),
  status: oneOf(['active', 'disabled'], 'Says what `enabled` says.'),
  delivery_stats: deliveryStats,
  created_at: timestamp('Moment it was registered.'),
  updated_at: timestamp('Moment of the last change through the API.'),
};
const one = {
  ...common,
  disabled_reason: orNull(known([autoDisableReason], 'Why the service disabled it; null where it did not.')),
};
const secret = v.pipe(v.string(), v.regex(/^whsec_/), v.description('Signing secret; the prefix belongs to it. Shown only here.'));

export const webhookEndpointSummary = shape('WebhookEndpointSummary', 'An endpoint as lists show it.', common);
export const webhookEndpoint = shape('WebhookEndpoint', 'A URL that events are sent to.', one);
export const webhookEndpointWithSecret = shape('WebhookEndpointWithSecret', 'A new endpoint with its signing secret.', { ...one, secret });
export const deletedWebhookEndpoint = shape('DeletedWebhookEndpoint', 'The endpoint is gone.', {
  deleted: v.pipe(v.literal(true), v.description('Always true.')),
  id: text('Id it had.'),
});
export const rotatedSecret = shape('RotatedSecret', 'The new signing secret of an endpoint.', {
  id: text('Id of the endpoint.'),
  secret,
  previous_secret_expires_at: timestamp('Until then deliveries are signed with both secrets.'),
});
export const webhookTestResult = shape('WebhookTestResult', 'How the test event was received.', {
  success: flag('Whether the answer was 2xx.'),
  status_code: orNull(integer('Status of the answer; null where there was none.')),
  response_time_ms: orNull(number('Milliseconds until the answer; null where there was none.')),
  error: orNull(oneOf(attemptErrors, 'Why it failed; `no_response` covers timeouts, DNS, refused connections and TLS.')),
});
export const delivery = shape('Delivery', 'One event for one endpoint.', {
  id: v.pipe(v.string(), v.regex(/^evt_/), v.description('Id of the event.')),
  type: among(eventTypes, 'Type of the event.'),
  status: oneOf(deliveryStatuses, '`delivered` and `failed` are final.'),
  attempts: count('Failures so far.'),
  last_status_code: orNull(integer('Status of the last answer; null where there was none.')),
  last_error: orNull(among([...attemptErrors, 'endpoint_disabled'], 'How the last attempt failed; null where there is nothing to report.')),
  next_retry_at: orNull(timestamp('Not before then it is tried again.')),
  last_attempt_at: orNull(timestamp('Moment of the last attempt.')),
  delivered_at: orNull(timestamp('Moment it was delivered.')),
  failed_at: orNull(timestamp('Moment it was given up.')),
  created_at: timestamp('Moment of the change it tells of.'),
});

export type WebhookEndpointSummary = v.InferOutput<typeof webhookEndpointSummary>;
export type WebhookEndpoint = v.InferOutput<typeof webhookEndpoint>;
export type WebhookEndpointWithSecret = v.InferOutput<typeof webhookEndpointWithSecret>;
export type DeletedWebhookEndpoint = v.InferOutput<typeof deletedWebhookEndpoint>;
export type RotatedSecret = v.InferOutput<typeof rotatedSecret>;
export type WebhookTestResult = v.InferOutput<typeof webhookTestResult>;
export type Delivery = v.InferOutput<typeof delivery>;

export const webhookTestMessage = shape('WebhookTestMessage', 'What `webhook.test` says.', {
  message: text('A fixed sentence.'),
  timestamp: timestamp('Moment it was sent.'),
});

export type WebhookTestMessage = v.InferOutput<typeof webhookTestMessage>;
