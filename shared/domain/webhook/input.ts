import * as v from 'valibot';
import { markup, namedRecord, url } from '../../core/fields.ts';
import { eventTypes } from '../event/types.ts';

/** Event types, at least one. Duplicates are removed. */
const events = v.pipe(
  v.array(v.picklist(eventTypes, 'must be a subscribable event type'), 'must be an array of event types'),
  v.minLength(1, 'must name at least one event type'),
  v.transform((types) => [...new Set(types)]),
);

const description = v.pipe(
  v.nullable(markup()),
  v.transform((text) => text ?? ''),
);

/** The caller checks the URL, because the rules depend on the delivery policy. */
export const endpointInput = namedRecord('WebhookEndpointInput', { url: url(), events, description: v.optional(description, '') });
export type EndpointInput = v.InferOutput<typeof endpointInput>;

/**
 * Fields of an endpoint that a change may send, each alone. Enabling and disabling are separate
 * actions.
 */
export const endpointEdits = { url: v.optional(url()), events: v.optional(events), description: v.optional(description) };

export const endpointChanges = namedRecord('WebhookEndpointChanges', {
  ...endpointEdits,
  enabled: v.optional(v.boolean('must be true or false')),
});
export type EndpointPatch = v.InferOutput<typeof endpointChanges>;
