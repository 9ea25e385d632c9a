import * as v from 'valibot';
import { record, requiredText } from '../../shared/core/fields.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { AccountAction } from './action.ts';
import { limitOf } from './limits.ts';
import { unbookedFeeView } from './views.ts';

const input = record({ limit: limitOf(50, 100), cursor: v.exactOptional(requiredText(2_048)) });

export const listUnbookedFees: AccountAction<typeof input> = {
  summary: 'Lists the fees of checkouts that could not be booked on their day, and why; gateway_fee.book books one.',
  account: 'required',
  input,
  async read({ store }, query, { id: account }) {
    const call = { account, operation: 'gateway_fee.list_unbooked', id: '', query };
    const page = await store.gatewayFees.listUnbooked(account, pageRequest(call));
    return pageBody(call, page, unbookedFeeView);
  },
};
