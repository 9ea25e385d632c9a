import type { InferOutput } from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type OrderWithPayments, orderView } from '../../shared/domain/order/fields.ts';
import { paymentPayload } from '../../shared/domain/payment/fields.ts';
import type { OperationsOf } from '../../shared/http/exchange.ts';
import { operation } from '../../shared/operations/operation.ts';
import { listOperation } from '../../shared/operations/pages.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import { createOrder, type OrderServices } from './create.ts';
import type { listQuery, routes } from './routes.ts';

const orderQuery = (query: InferOutput<typeof listQuery>): ListQuery<'order'> => {
  const { sort, created_after, created_before, status, payment_status, customer_id, external_id } = query;
  if (sort !== 'createdAt' && (created_after !== undefined || created_before !== undefined)) {
    const field = created_after === undefined ? 'created_before' : 'created_after';
    throw new ApiError('unsupported_filter_sort_combination', `${field} works only with sort=createdAt. Leave out sort or ${field}.`, {
      field,
    });
  }
  return {
    sort,
    where: {
      ...(status === undefined ? {} : { status }),
      ...(payment_status === undefined ? {} : { payment_status: [payment_status] }),
      ...(customer_id === undefined ? {} : { customer_id: [customer_id] }),
      ...(external_id === undefined ? {} : { external_id: [external_id] }),
    },
    ...(created_after === undefined ? {} : { from: isoFromMs(created_after) }),
    ...(created_before === undefined ? {} : { to: isoFromMs(created_before) }),
  };
};

export const orders = (services: OrderServices): OperationsOf<typeof routes> => ({
  createOrder: createOrder(services),
  /** GET /orders. Descending by the date of the sort. Orders without a delivery date come last. */
  listOrders: listOperation((call, page) => services.store.orders.list(call.account, orderQuery(call.query), page), orderView),
  /**
   * GET /orders/{id}. Returns 404 if the order does not exist, is deleted or belongs to another
   * account. Only this operation returns the payments of an order.
   */
  retrieveOrder: operation({
    async read({ account, id }) {
      const { orders, payments } = services.store;
      const [stored, paid] = await Promise.all([orders.get(account, id), payments.ofOrder(account, id)]);
      return { stored, paid };
    },
    decide(_call, { stored, paid }) {
      if (!stored || stored.record.deleted_at !== null) throw notFound('Order');
      return { result: { ...orderView(stored.record), payments: paid.map(paymentPayload) } satisfies OrderWithPayments };
    },
  }),
});
