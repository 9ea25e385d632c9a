import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Endpoint } from '../../shared/domain/webhook.ts';
import type { EndpointChanges } from '../../shared/table/endpoints.ts';
import type { updateBody } from './schema.ts';
import { assertUrl, onEndpoint, type WebhookServices } from './services.ts';
import { endpointView } from './view.ts';

type UpdateBody = InferOutput<typeof updateBody>;

/** Enabling forgets the reason and the run of failures; what happened while disabled is not delivered later (§ Delivery semantics 6). */
const switched = (endpoint: Endpoint, enabled: boolean, nowMs: number): EndpointChanges => ({
  enabled,
  disabled_reason: null,
  ...(enabled ? { consecutive_failures: 0 } : {}),
  ...(enabled === endpoint.enabled ? {} : enabled ? { enabled_ms: nowMs, disabled_ms: null } : { disabled_ms: nowMs }),
});

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
