import * as v from 'valibot';
import { oneOf } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/paging.ts';
import type { Route } from '../../shared/core/routes.ts';
import { deliveryStatuses } from '../../shared/domain/webhook/record.ts';
import { endpointChanges, endpointInput } from '../../shared/domain/webhook/rules.ts';

export const listQuery = v.object(pageParameters);
const eventsQuery = v.object({ ...pageParameters, status: v.optional(oneOf(deliveryStatuses)) });

const managed = { scope: 'webhooks:manage', keys: 'secret' } as const;

export const routes = [
  { operation: 'createWebhook', method: 'POST', path: '/webhooks', ...managed, status: 201, idempotent: true, body: endpointInput },
  { operation: 'listWebhooks', method: 'GET', path: '/webhooks', ...managed, query: listQuery },
  { operation: 'retrieveWebhook', method: 'GET', path: '/webhooks/{id}', ...managed },
  { operation: 'updateWebhook', method: 'PATCH', path: '/webhooks/{id}', ...managed, body: endpointChanges },
  { operation: 'deleteWebhook', method: 'DELETE', path: '/webhooks/{id}', ...managed },
  { operation: 'rotateWebhookSecret', method: 'POST', path: '/webhooks/{id}/rotate-secret', ...managed },
  { operation: 'testWebhook', method: 'POST', path: '/webhooks/{id}/test', ...managed },
  { operation: 'listWebhookEvents', method: 'GET', path: '/webhooks/{id}/events', ...managed, query: eventsQuery },
] as const satisfies readonly Route[];
