import { ApiError, notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import type { AccountAction } from './action.ts';

const input = record({ endpoint_id: requiredText(), event_id: requiredText() });

export const redeliver: AccountAction<typeof input> = {
  summary: 'Delivers an event to an endpoint again, on a new run of the ladder.',
  account: 'required',
  input,
  async decide({ store, queue, clock }, { endpoint_id, event_id }, { id: account }) {
    const [endpoint, delivery, body] = await Promise.all([
      store.endpoints.get(account, endpoint_id),
      store.deliveries.get(account, endpoint_id, event_id),
      store.events.getBody(account, event_id),
    ]);
    if (!endpoint) throw notFound('Webhook endpoint');
    if (!delivery || body === undefined) throw notFound('Delivery');
    if (!endpoint.enabled) throw new ApiError('conflict', 'The endpoint is disabled; enable it first.');
    const { write, attempt } = store.deliveries.restartWrite(delivery, clock.now());
    return {
      result: { endpoint_id, event_id, status: 'pending', attempts: 0, run: attempt.run },
      writes: [write],
      // Should the queue refuse, or this function end here, the sweep sends what is due.
      afterwards: () => queue.send([{ body: encodeMessage(attempt), groupId: account }]),
    };
  },
};
