import { notFound } from '../../shared/core/errors.ts';
import type { Order } from '../../shared/domain/order/record.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Stored } from '../../shared/table/records.ts';
import { orderWithPaymentsView } from './view.ts';

interface Found {
  readonly stored: Stored<Order> | undefined;
  readonly payments: readonly Payment[];
}

/** GET /orders/{id}: 404 where it is absent, deleted or another account's. */
export const retrieveOrder = ({ store }: ApiServices): Operation<unknown, unknown, Found> => ({
  async read({ account, id }) {
    const [stored, payments] = await Promise.all([store.orders.get(account, id), store.payments.ofOrder(account, id)]);
    return { stored, payments };
  },
  decide(_call, { stored, payments }) {
    if (!stored || stored.record.deleted_at !== null) throw notFound('Order');
    return { body: orderWithPaymentsView(stored.record, payments) };
  },
});
