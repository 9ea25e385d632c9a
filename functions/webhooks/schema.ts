import * as v from 'valibot';
import { namedRecord, oneOf } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { endpointEdits } from '../../shared/domain/webhook/input.ts';
import { deliveryStatuses } from '../../shared/domain/webhook/record.ts';

export { endpointInput as createBody } from '../../shared/domain/webhook/input.ts';

export const updateBody = namedRecord('WebhookEndpointChanges', {
  ...endpointEdits,
  enabled: v.optional(v.boolean('must be true or false')),
});

export const listQuery = v.object(pageParameters);
export const eventsQuery = v.object({ ...pageParameters, status: v.optional(oneOf(deliveryStatuses)) });
