import * as v from 'valibot';
import { oneOf, record, requiredText } from '../../shared/core/fields.ts';
import { deliveryStatuses } from '../../shared/domain/webhook/record.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { AccountAction } from './action.ts';
import { deliveryRunView } from './delivery-view.ts';
import { endpointOf } from './endpoints.ts';
import { limitOf } from './limits.ts';

const input = record({
  endpoint_id: requiredText(),
  status: v.exactOptional(oneOf(deliveryStatuses)),
  limit: limitOf(50, 100),
  cursor: v.exactOptional(requiredText(2_048)),
});

export const listDeliveries: AccountAction<typeof input> = {
  summary: 'Lists the deliveries of an endpoint, newest first.',
  account: 'required',
  input,
  async read(services, { endpoint_id, ...query }, { id: account }) {
    const call = { account, operation: 'delivery.list', id: endpoint_id, query };
    const [page] = await Promise.all([
      services.store.deliveries.list(account, endpoint_id, query.status, pageRequest(call)),
      endpointOf(services, account, endpoint_id),
    ]);
    return pageBody(call, page, deliveryRunView);
  },
};
