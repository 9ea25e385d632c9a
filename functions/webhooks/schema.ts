import * as v from 'valibot';
import { markup, namedRecord, oneOf, url } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { eventTypes } from '../../shared/domain/event-types.ts';
import { deliveryStatuses } from '../../shared/domain/webhook.ts';

/** At least one subscribable type; duplicates are folded. */
const events = v.pipe(
  v.array(v.picklist(eventTypes, 'must hold subscribable event types only'), 'must be an array of event types'),
  v.minLength(1, 'must name at least one event type'),
  v.transform((types) => [...new Set(types)]),
);

const description = v.pipe(
  v.nullable(markup()),
  v.transform((text) => text ?? ''),
);

/** The URL's text is judged by the operation, which knows the delivery policy. */
export const createBody = namedRecord('WebhookEndpointInput', { url: url(), events, description: v.optional(description, '') });

export const updateBody = namedRecord('WebhookEndpointChanges', {
  url: v.optional(url()),
  events: v.optional(events),
  description: v.optional(description),
  enabled: v.optional(v.boolean('must be true or false')),
});

export const listQuery = v.object(pageParameters);
export const eventsQuery = v.object({ ...pageParameters, status: v.optional(oneOf(deliveryStatuses)) });
