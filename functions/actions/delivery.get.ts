import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { inspectedView } from './delivery-view.ts';

const input = record({ endpoint_id: requiredText(), event_id: requiredText() });

export const getDelivery: AccountAction<typeof input> = {
  summary: 'Shows one delivery with its body and the attempts of its last five runs, also of a deleted endpoint.',
  account: 'required',
  input,
  async read({ store }, { endpoint_id, event_id }, { id: account }) {
    const [inspected, body] = await Promise.all([
      store.deliveries.inspect(account, endpoint_id, event_id),
      store.events.getBody(account, event_id),
    ]);
    if (!inspected) throw notFound('Delivery');
    return { ...inspectedView(inspected), body: body ?? null };
  },
};
