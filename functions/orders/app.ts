import type { InferOutput } from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Order, type OrderWithPayments, orderView } from '../../shared/domain/order/fields.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import type { Call, OperationsOf } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import type { Page } from '../../shared/table/page.ts';
import type { Stored } from '../../shared/table/records.ts';
import { createOrder, type OrderServices } from './create.ts';
import type { listQuery, routes } from './routes.ts';

type Query = InferOutput<typeof listQuery>;

const orderQuery = (query: Query): ListQuery<'order'> => {
  const { sort, created_after, created_before, status, payment_status, customer_id, external_id } = query;
  if (sort !== 'createdAt' && (created_after !== undefined || created_before !== undefined)) {
    const field = created_after === undefined ? 'created_before' : 'created_after';
    throw new ApiError('unsupported_filter_sort_combination', `${field} works only with sort=createdAt.`, { field });
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

/** GET /orders. Descending by the date of the sort. Orders without a delivery date come last. */
const listOrders = ({ store }: OrderServices): Operation<Call<Query>, Page<Order>> => ({
  read: async (call) => store.orders.list(call.account, orderQuery(call.query), pageRequest(call)),
  decide: (call, page) => ({ result: pageBody(call, page, orderView) }),
});

/** An order with its payments, which only GET by id returns. */
interface Found {
  readonly stored: Stored<Order> | undefined;
  readonly payments: readonly Payment[];
}

/**
 * GET /orders/{id}. Returns 404 if the order does not exist, is deleted or belongs to another
 * account.
 */
const retrieveOrder = ({ store }: OrderServices): Operation<Call, Found> => ({
  async read({ account, id }) {
    const [stored, payments] = await Promise.all([store.orders.get(account, id), store.payments.ofOrder(account, id)]);
    return { stored, payments };
  },
  decide(_call, { stored, payments }) {
    if (!stored || stored.record.deleted_at !== null) throw notFound('Order');
    return { result: { ...orderView(stored.record), payments: payments.map(paymentPayload) } satisfies OrderWithPayments };
  },
});

export const orders = (services: OrderServices): OperationsOf<typeof routes> => ({
  createOrder: createOrder(services),
  listOrders: listOrders(services),
  retrieveOrder: retrieveOrder(services),
});
