import * as v from 'valibot';
import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { foundView } from './delivery-view.ts';

const input = record({ event_id: requiredText(), body: v.optional(v.boolean('must be true or false'), false) });

export const findDeliveries: AccountAction<typeof input> = {
  summary: 'Finds an event: its delivery to each endpoint with the attempts of five runs at most; its body on request.',
  account: 'required',
  input,
  async read({ store }, { event_id, body: wantsBody }, { id: account }) {
    const [endpoints, event] = await Promise.all([store.endpoints.all(account), store.events.get(account, event_id)]);
    const found = await Promise.all(
      endpoints.map(async (endpoint) => {
        const inspected = await store.deliveries.inspect(account, endpoint.id, event_id);
        return inspected ? [foundView(endpoint, inspected)] : [];
      }),
    );
    const deliveries = found.flat();
    if (!event && deliveries.length === 0) throw notFound('Event');
    return { event_id, type: event?.type ?? deliveries[0]?.type ?? null, deliveries, ...(wantsBody ? { body: event?.body ?? null } : {}) };
  },
};
