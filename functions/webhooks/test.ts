import { ApiError } from '../../shared/core/errors.ts';
import { previousSecret } from '../../shared/domain/webhook/record.ts';
import { testResultView } from '../../shared/domain/webhook/view.ts';
import { assertAllowed, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { sendTestEvent } from '../../shared/webhooks/test-event.ts';
import { onEndpoint, type WebhookServices } from './services.ts';

/** Sends one `webhook.test` now: no retry, no record, no statistics (§ Webhooks, Test rules). */
export const testWebhook = (services: WebhookServices) =>
  onEndpoint(services, async ({ account }, endpoint) => {
    if (!endpoint.enabled) throw new ApiError('conflict', 'The endpoint is disabled; enable it to send a test.');
    const { store, clock } = services;
    assertAllowed(await store.buckets.take(webhookTestRule.name, account, webhookTestRule.limit), webhookTestRule);
    const nowMs = clock.now();
    const result = await sendTestEvent(services, { ...endpoint, previousSecret: previousSecret(endpoint, nowMs) }, nowMs);
    return { body: testResultView(result) };
  });
