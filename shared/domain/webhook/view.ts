import { isoFromMs } from '../../core/time.ts';
import { pick } from '../record-fields.ts';
import type { DeliveryRecord, Endpoint } from './record.ts';
import type * as wire from './wire.ts';

const stats = [
  'success_count',
  'failure_count',
  'consecutive_failures',
  'last_delivery_at',
  'last_success_at',
  'last_failure_at',
] as const satisfies readonly (keyof wire.WebhookEndpoint['delivery_stats'])[];

/**
 * Fields of a list entry: without the secret and without `disabled_reason` (§ Webhook endpoint).
 */
const listed = [
  'id',
  'url',
  'description',
  'events',
  'enabled',
  'status',
  'delivery_stats',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof wire.WebhookEndpointSummary)[];

export const endpointSummaryView = (endpoint: Endpoint): wire.WebhookEndpointSummary =>
  pick({ ...endpoint, status: endpoint.enabled ? 'active' : 'disabled', delivery_stats: pick(endpoint, stats) }, listed);

/**
 * Returns the view of an endpoint without its secret. Only the creation of an endpoint and the
 * rotation of its secret add the secret.
 */
export const endpointView = (endpoint: Endpoint): wire.WebhookEndpoint => ({
  ...endpointSummaryView(endpoint),
  disabled_reason: endpoint.disabled_reason,
});

/** Fields of a delivery in the REST API (§ Delivery attempt record). */
const shown = [
  'id',
  'type',
  'status',
  'attempts',
  'last_status_code',
  'last_error',
  'next_retry_at',
  'last_attempt_at',
  'delivered_at',
  'failed_at',
  'created_at',
] as const satisfies readonly (keyof wire.Delivery)[];

export const deliveryView = (record: DeliveryRecord): wire.Delivery => pick(record, shown);

/** Returns the view of a test event's result. */
export const testResultView = (result: {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: wire.WebhookTestResult['error'];
}): wire.WebhookTestResult => ({
  success: result.success,
  status_code: result.statusCode,
  response_time_ms: result.responseTimeMs,
  error: result.error,
});

/** Returns the response of a rotation, which contains the new secret. */
export const rotatedSecretView = (
  id: string,
  to: { readonly secret: string; readonly previous_secret_until_ms: number },
): wire.RotatedSecret => ({
  id,
  secret: to.secret,
  previous_secret_expires_at: isoFromMs(to.previous_secret_until_ms),
});
