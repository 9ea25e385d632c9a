import type { InferOutput } from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Order } from '../../shared/domain/order/record.ts';
import { orderView } from '../../shared/domain/order/view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';

type Query = InferOutput<typeof listQuery>;

export const orderQuery = (query: Query): ListQuery<'order'> => {
  const { sort, created_after, created_before, status, payment_status, customer_id } = query;
  if (sort !== 'createdAt' && (created_after !== undefined || created_before !== undefined)) {
    const field = created_after === undefined ? 'created_before' : 'created_after';
    throw new ApiError('unsupported_filter_sort_combination', `${field} goes with sort=createdAt only.`, { field });
  }
  return {
    sort,
    where: {
      ...(status === undefined ? {} : { status }),
      ...(payment_status === undefined ? {} : { payment_status: [payment_status] }),
      ...(customer_id === undefined ? {} : { customer_id: [customer_id] }),
    },
    ...(created_after === undefined ? {} : { from: isoFromMs(created_after) }),
    ...(created_before === undefined ? {} : { to: isoFromMs(created_before) }),
  };
};

/** GET /orders: descending in the sort's date; orders without a delivery date come last. */
export const listOrders = ({ store }: ApiServices): Operation<Query, unknown, Page<Order>> => ({
  read: async (call) => store.orders.list(call.account, orderQuery(call.query), pageRequest(call)),
  decide: (call, page) => ({ body: pageBody(call, page, orderView) }),
});
