import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { switched } from '../../shared/domain/webhook/rules.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import type { EndpointChanges } from '../../shared/table/endpoints.ts';
import { assertUrl } from '../../shared/webhooks/url-rules.ts';
import type { updateBody } from './schema.ts';
import { onEndpoint, type WebhookServices } from './services.ts';

type UpdateBody = InferOutput<typeof updateBody>;

const changesOf = (endpoint: Endpoint, { url, events, description, enabled }: UpdateBody, nowMs: number): EndpointChanges => ({
  ...(url === undefined ? {} : { url }),
  ...(events === undefined ? {} : { events }),
  ...(description === undefined ? {} : { description }),
  ...(enabled === undefined ? {} : switched(endpoint, enabled, nowMs)),
});

/** Changes the members that are sent, and no others. */
export const updateWebhook = (services: WebhookServices) =>
  onEndpoint<unknown, UpdateBody>(services, ({ body, nowMs }, endpoint) => {
    if (body.url !== undefined) assertUrl(body.url, services.policy);
    const changes = changesOf(endpoint, body, nowMs);
    if (Object.keys(changes).length === 0) return { body: endpointView(endpoint) };
    const complete = { ...changes, updated_at: isoFromMs(nowMs) };
    return { body: endpointView({ ...endpoint, ...complete }), writes: services.store.endpoints.updateWrites(endpoint, complete) };
  });
