import * as webhook from '../../shared/domain/webhook/fields.ts';
import { endpointsPerAccount } from '../../shared/domain/webhook/record.ts';
import { webhookTestRule } from '../../shared/http/rate-limits.ts';
import type { Stage } from '../examples/stage.ts';
import type { ResourceWords } from './common.ts';

const meanwhile = 'Another request changed the endpoint at the same time. Retry.';

export const webhooks = {
  group: { name: 'Webhooks', description: 'Endpoints that receive events, and their delivery logs. Secret keys only.' },
  operations: {
    createWebhook: {
      summary: 'Register a webhook endpoint',
      description: `At most ${endpointsPerAccount} per account; another one fails with \`invalid_value\`. Private, internal, loopback, link-local and cloud-metadata addresses are rejected, here and at each delivery. Only this response has the signing secret.`,
      success: 'The endpoint with its secret.',
      body: webhook.webhookEndpointWithSecret,
      errors: { conflict: 'The account has an endpoint with this URL. `field` is `url`.' },
    },
    listWebhooks: {
      summary: 'List webhook endpoints',
      description: 'Newest first, without secrets.',
      success: 'A page of endpoints.',
      body: { list: webhook.webhookEndpointSummary },
    },
    retrieveWebhook: {
      summary: 'Retrieve a webhook endpoint',
      description: 'Returns one endpoint without its secret, with the reason if the service disabled it.',
      success: 'The endpoint.',
      body: webhook.webhookEndpoint,
    },
    updateWebhook: {
      summary: 'Update a webhook endpoint',
      description: 'Changes only the fields that are sent. Events from while the endpoint was disabled are not sent later.',
      success: 'The endpoint.',
      body: webhook.webhookEndpoint,
      errors: { conflict: `Another endpoint of the account has this URL; \`field\` is \`url\`. Or: ${meanwhile}` },
    },
    deleteWebhook: {
      summary: 'Delete a webhook endpoint',
      description: 'Deletes the endpoint for good. Waiting deliveries fail with `endpoint_disabled` when they are due.',
      success: 'The deleted endpoint.',
      body: webhook.deletedWebhookEndpoint,
      errors: { conflict: meanwhile },
    },
    rotateWebhookSecret: {
      summary: 'Rotate the signing secret',
      description:
        'The new secret signs from the next attempt on. For 24 hours the old one signs too, in a second header. A secret from an earlier rotation ends at once. No body is needed; if there is one, it must be a JSON object.',
      success: 'The new secret. Only this response has it.',
      body: webhook.rotatedSecret,
      errors: { conflict: meanwhile },
    },
    testWebhook: {
      summary: 'Send a test event',
      description: `Sends one \`webhook.test\` now and returns the result. There are no retries, no delivery record and no statistics. It waits 25 seconds for a response. At most ${webhookTestRule.limit} per account in 60 seconds. No body is needed; if there is one, it must be a JSON object.`,
      success: 'The result.',
      body: webhook.webhookTestResult,
      errors: { conflict: 'The endpoint is disabled. Nothing was sent.' },
    },
    listWebhookEvents: {
      summary: 'List deliveries of a webhook endpoint',
      description: 'Returns the delivery log, newest first: one record per event for the endpoint, kept for 30 days.',
      success: 'A page of deliveries.',
      body: { list: webhook.delivery },
      query: { status: 'Deliveries in this status. With `pending` and `delivered`, pages may be shorter than `limit`.' },
    },
  },
  inputs: {
    WebhookEndpointInput: {
      url: 'Public HTTPS URL without credentials. Unique within the account.',
      events: 'Event types to receive. Duplicates are removed.',
      description: 'Your own text for the endpoint. Empty if absent.',
    },
    WebhookEndpointChanges: {
      url: 'Public HTTPS URL without credentials. Unique within the account.',
      events: 'Replaces the subscribed types. Duplicates are removed.',
      description: 'Your own text for the endpoint. Null empties it.',
      enabled:
        'True also clears `disabled_reason` and the count of consecutive failures. Events from while it was disabled are not sent later.',
    },
  },
  events: {
    'webhook.test': {
      summary: 'A test event',
      description: 'Sent only by POST /webhooks/{id}/test. No endpoint can subscribe to it.',
      object: webhook.webhookTestMessage,
    },
  },
  async examples({ call, delivered, hooks, later }: Stage) {
    const endpoint = await call('createWebhook', 'expenses', 'For one type', {
      body: { url: `${hooks}/hooks/expenses`, events: ['expense.created'], description: 'Bookkeeping' },
      headers: { 'idempotency-key': 'webhook-4711' },
    });
    const { id } = endpoint;
    await call('testWebhook', 'received', 'The receiver responded with 2xx', { id });
    later();
    await call('createExpense', 'rent', 'Required fields only', { body: { amount: 950, date: '2026-03-01', category: 'rent' } });
    await delivered(id, 1);
    await call('listWebhookEvents', 'delivered', 'What was delivered', { id, query: { status: 'delivered' } });
    await call('retrieveWebhook', 'active', 'With its statistics', { id });
    await call('listWebhooks', 'all', 'All of them');
    later();
    await call('updateWebhook', 'types', 'Other types', { id, body: { events: ['expense.created', 'expense.updated'] } });
    await call('updateWebhook', 'disable', 'Pause it', { id, body: { enabled: false } });
    await call('testWebhook', 'disabled', 'A disabled endpoint', { id, status: 409 });
    await call('rotateWebhookSecret', 'rotated', 'A new secret', { id });
    await call('deleteWebhook', 'deleted', 'Gone', { id });
  },
} as const satisfies ResourceWords;
