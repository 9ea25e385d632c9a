import { ApiError } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { previousSecret } from '../../shared/domain/webhook/record.ts';
import { testResultView } from '../../shared/domain/webhook/view.ts';
import { webhookTestRule, whyRefused } from '../../shared/http/rate-limits.ts';
import { sendTestEvent } from '../../shared/webhooks/test-event.ts';
import type { AccountAction } from './action.ts';
import { endpointOf } from './endpoints.ts';

const input = record({ id: requiredText() });

export const testEndpoint: AccountAction<typeof input> = {
  summary: 'Sends a test event to a webhook endpoint now; ten a minute and account, those of the REST API counted.',
  account: 'required',
  input,
  async run(services, { id }, account) {
    const { store, clock } = services;
    const endpoint = await endpointOf(services, account.id, id);
    if (!endpoint.enabled) throw new ApiError('conflict', 'The endpoint is disabled; enable it to send a test.');
    const { name, limit } = webhookTestRule;
    const bucket = await store.buckets.take(name, account.id, limit);
    if (!bucket.allowed) {
      const why = whyRefused(bucket);
      throw new ApiError('limit_reached', `At most ${limit} tests a minute.`, {
        extra: { limit: name, max: limit },
        ...(why && { internal: why }),
      });
    }
    const nowMs = clock.now();
    const result = await sendTestEvent(services, { ...endpoint, previousSecret: previousSecret(endpoint, nowMs) }, nowMs);
    return testResultView(result);
  },
};
