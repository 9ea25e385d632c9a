import { endpointsPerAccount } from '../../shared/domain/webhook/record.ts';
import * as webhook from '../../shared/domain/webhook/wire.ts';
import { webhookTestRule } from '../../shared/http/rate-limits.ts';
import type { Stage } from '../examples/stage.ts';
import type { ResourceWords } from './common.ts';

const meanwhile = 'The endpoint was changed by another request at the same time; retry.';

export const webhooks = {
  group: { name: 'Webhooks', description: 'Where events are sent, and how that went. Secret keys only.' },
  operations: {
    createWebhook: {
      summary: 'Register a webhook endpoint',
      description: `At most ${endpointsPerAccount} an account; one more is \`invalid_value\`. Addresses that are private, internal, loopback, link-local or of cloud metadata are refused, here and whenever something is to be sent. The signing secret is in this answer only.`,
      success: 'The endpoint with its secret.',
      body: webhook.webhookEndpointWithSecret,
      errors: { conflict: 'The account has an endpoint with this URL; `field` is `url`.' },
    },
    listWebhooks: {
      summary: 'List webhook endpoints',
      description: 'Newest first, without secrets.',
      success: 'A page of endpoints.',
      body: { list: webhook.webhookEndpointSummary },
    },
    retrieveWebhook: {
      summary: 'Retrieve a webhook endpoint',
      description: 'One endpoint without its secret, with the reason where the service disabled it.',
      success: 'The endpoint.',
      body: webhook.webhookEndpoint,
    },
    updateWebhook: {
      summary: 'Update a webhook endpoint',
      description: 'Members that are sent are changed, others stay. Enabling again does not send what happened meanwhile.',
      success: 'The endpoint.',
      body: webhook.webhookEndpoint,
      errors: { conflict: `Another endpoint of the account has this URL; \`field\` is \`url\`. Or: ${meanwhile}` },
    },
    deleteWebhook: {
      summary: 'Delete a webhook endpoint',
      description: 'Gone for good. Deliveries that wait fail as `endpoint_disabled` when they fall due.',
      success: 'It is deleted.',
      body: webhook.deletedWebhookEndpoint,
      errors: { conflict: meanwhile },
    },
    rotateWebhookSecret: {
      summary: 'Rotate the signing secret',
      description:
        'The new secret signs from the next attempt on; the old one signs beside it for 24 hours, in a header of its own. A secret that was replaced before ends at once. It takes no body; one that is sent has to be a JSON object.',
      success: 'The new secret; it is shown only here.',
      body: webhook.rotatedSecret,
      errors: { conflict: meanwhile },
    },
    testWebhook: {
      summary: 'Send a test event',
      description: `Sends one \`webhook.test\` now and tells how it was received: no retries, no delivery record, no statistics. It waits 25 seconds for an answer. At most ${webhookTestRule.limit} in 60 seconds an account. It takes no body; one that is sent has to be a JSON object.`,
      success: 'How it was received.',
      body: webhook.webhookTestResult,
      errors: { conflict: 'The endpoint is disabled; nothing was sent.' },
    },
    listWebhookEvents: {
      summary: 'List deliveries of a webhook endpoint',
      description: 'The delivery log, newest first: a record for every event that the endpoint was to get, kept for 30 days.',
      success: 'A page of deliveries.',
      body: { list: webhook.delivery },
      query: {
        status: 'Deliveries in this status; of `pending` and `delivered` pages may be shorter than `limit`.',
      },
    },
  },
  inputs: {
    WebhookEndpointInput: {
      url: 'Public HTTPS address without credentials; once per account.',
      events: 'Types to be sent; duplicates are folded.',
      description: 'Free text.',
    },
    WebhookEndpointChanges: {
      url: 'Public HTTPS address without credentials; once per account.',
      events: 'Replaces the subscribed types; duplicates are folded.',
      description: 'Free text; null empties it.',
      enabled: 'True also clears `disabled_reason` and the count of consecutive failures; what happened meanwhile is not sent later.',
    },
  },
  events: {
    'webhook.test': {
      summary: 'A test',
      description: 'Sent by POST /webhooks/{id}/test alone; nobody can subscribe to it.',
      object: webhook.webhookTestMessage,
    },
  },
  async examples({ call, delivered, hooks, later }: Stage) {
    const endpoint = await call('createWebhook', 'expenses', {
      summary: 'For one type',
      body: { url: `${hooks}/hooks/expenses`, events: ['expense.created'], description: 'Bookkeeping' },
      headers: { 'idempotency-key': 'webhook-4711' },
      status: 201,
    });
    const { id } = endpoint;
    await call('testWebhook', 'received', { summary: 'The receiver answered with 2xx', id, status: 200 });
    later();
    await call('createExpense', 'rent', {
      summary: 'The least there is',
      body: { amount: 950, date: '2026-03-01', category: 'rent' },
      status: 201,
    });
    await delivered(id, 1);
    await call('listWebhookEvents', 'delivered', { summary: 'What was delivered', id, query: { status: 'delivered' }, status: 200 });
    await call('retrieveWebhook', 'active', { summary: 'With its statistics', id, status: 200 });
    await call('listWebhooks', 'all', { summary: 'All of them', status: 200 });
    later();
    await call('updateWebhook', 'types', {
      summary: 'Other types',
      id,
      body: { events: ['expense.created', 'expense.updated'] },
      status: 200,
    });
    await call('updateWebhook', 'disable', { summary: 'Pause it', id, body: { enabled: false }, status: 200 });
    await call('testWebhook', 'disabled', { summary: 'A disabled endpoint', id, status: 409 });
    await call('rotateWebhookSecret', 'rotated', { summary: 'A new secret', id, status: 200 });
    await call('deleteWebhook', 'deleted', { summary: 'Gone', id, status: 200 });
  },
} as const satisfies ResourceWords;
