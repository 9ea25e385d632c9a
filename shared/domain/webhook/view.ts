import { isoFromMs } from '../../core/time.ts';
import type { DeliveryRecord, Endpoint } from './record.ts';
import type * as wire from './wire.ts';

/** A list item: no secret, no `disabled_reason` (§ Webhook endpoint). */
export const endpointSummaryView = (endpoint: Endpoint): wire.WebhookEndpointSummary => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  enabled: endpoint.enabled,
  status: endpoint.enabled ? 'active' : 'disabled',
  delivery_stats: {
    success_count: endpoint.success_count,
    failure_count: endpoint.failure_count,
    consecutive_failures: endpoint.consecutive_failures,
    last_delivery_at: endpoint.last_delivery_at,
    last_success_at: endpoint.last_success_at,
    last_failure_at: endpoint.last_failure_at,
  },
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at,
});

/** One endpoint; the secret is added by the two operations that may show it. */
export const endpointView = (endpoint: Endpoint): wire.WebhookEndpoint => ({
  ...endpointSummaryView(endpoint),
  disabled_reason: endpoint.disabled_reason,
});

/** § Delivery attempt record. */
export const deliveryView = (record: DeliveryRecord): wire.Delivery => ({
  id: record.id,
  type: record.type,
  status: record.status,
  attempts: record.attempts,
  last_status_code: record.last_status_code,
  last_error: record.last_error,
  next_retry_at: record.next_retry_at,
  last_attempt_at: record.last_attempt_at,
  delivered_at: record.delivered_at,
  failed_at: record.failed_at,
  created_at: record.created_at,
});

/** What became of a test event. */
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

/** The other answer that shows a secret. */
export const rotatedSecretView = (
  id: string,
  to: { readonly secret: string; readonly previous_secret_until_ms: number },
): wire.RotatedSecret => ({
  id,
  secret: to.secret,
  previous_secret_expires_at: isoFromMs(to.previous_secret_until_ms),
});
