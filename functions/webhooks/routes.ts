import type { Route } from '../../shared/core/routes.ts';
import { createBody, eventsQuery, listQuery, updateBody } from './schema.ts';

const managed = { scope: 'webhooks:manage', keys: 'secret' } as const;

export const routes = [
  { operation: 'createWebhook', method: 'POST', path: '/webhooks', ...managed, status: 201, idempotent: true, body: createBody },
  { operation: 'listWebhooks', method: 'GET', path: '/webhooks', ...managed, query: listQuery },
  { operation: 'retrieveWebhook', method: 'GET', path: '/webhooks/{id}', ...managed },
  { operation: 'updateWebhook', method: 'PATCH', path: '/webhooks/{id}', ...managed, body: updateBody },
  { operation: 'deleteWebhook', method: 'DELETE', path: '/webhooks/{id}', ...managed },
  { operation: 'rotateWebhookSecret', method: 'POST', path: '/webhooks/{id}/rotate-secret', ...managed },
  { operation: 'testWebhook', method: 'POST', path: '/webhooks/{id}/test', ...managed },
  { operation: 'listWebhookEvents', method: 'GET', path: '/webhooks/{id}/events', ...managed, query: eventsQuery },
] as const satisfies readonly Route[];
