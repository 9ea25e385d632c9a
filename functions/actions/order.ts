import { ApiError, changedMeanwhile, notFound } from '../../shared/core/errors.ts';
import { oneOf, record } from '../../shared/core/fields.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { countOrder, type TotalsDelta } from '../../shared/domain/customer/rules.ts';
import { orderStatuses } from '../../shared/domain/enumerations.ts';
import { addsText } from '../../shared/domain/erased-fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { type OrderChanges, orderChanges } from '../../shared/domain/order/input.ts';
import { catalogOffer } from '../../shared/domain/order/items.ts';
import { isDecidedByMoneyBack, paymentStatusAfter } from '../../shared/domain/order/payment-status.ts';
import { growsBeyondReserve, isReadable } from '../../shared/domain/order/response-size.ts';
import { assertKnownFields, changeOrder, transitionOrder } from '../../shared/domain/order/rules.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { hasMoney } from '../../shared/domain/payment/rules.ts';
import { namesOfProduct } from '../../shared/domain/product/rules.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { Decision } from '../../shared/operations/operation.ts';
import { erasedCustomer, unlessErasedWrites } from '../../shared/operations/paid-order.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import { type ActionServices, idField, onAccount } from './action.ts';
import { decideChange, softDelete } from './modify.ts';
import { deletedView, orderView } from './views.ts';

const customerWrites = (
  store: Store,
  account: Account,
  { customer_id }: Order,
  delta: TotalsDelta | undefined,
  putsText: boolean,
): readonly Write[] => {
  if (customer_id === null) return [];
  if (delta === undefined) return putsText ? unlessErasedWrites(store, account.id, [customer_id], erasedCustomer) : [];
  if (putsText) return [store.customers.totalsWrite(account.id, customer_id, { ...delta, unlessErased: true }, erasedCustomer)];
  // If another write changed or erased the customer, the order may have changed too. A stale
  // decision makes the caller read both again.
  const customerConflict = () => changedMeanwhile('The customer');
  return [store.customers.totalsWrite(account.id, customer_id, delta, customerConflict)];
};

/** Reads the payments of the order to change. Because the order was read before, a change that commits knows of every payment. */
type ReadPayments = () => Promise<readonly Payment[]>;

/**
 * Changes an order. In the same transaction, it updates the customer's totals by the difference. If
 * the change puts text on the order, it fails with 409 if the customer was erased. `catalogNames` has the
 * names of products in the catalog.
 */
const modifyOrder = async <View>(
  services: ActionServices,
  account: Account,
  id: string,
  change: (order: Order, now: string, payments: ReadPayments) => Order | Promise<Order>,
  view: (order: Order) => View,
  catalogNames: ReadonlySet<string> = new Set(),
): Promise<Decision<View>> => {
  const { store } = services;
  const stored = await store.orders.get(account.id, id);
  if (!stored || stored.record.deleted_at !== null) throw notFound('Order');
  const before = stored.record;
  const payments = () => store.payments.ofOrder(account.id, id);
  const writesOf = (after: Order): readonly Write[] => {
    const { order, delta } = countOrder(before, after, account.currency);
    const putsText = addsText(before, order, catalogNames);
    return [store.orders.replaceWrite(account.id, order, stored), ...customerWrites(store, account, before, delta, putsText)];
  };
  return decideChange(services, stored, (order, now) => change(order, now, payments), view, writesOf);
};

/**
 * Reads the records that the changes refer to: the products of the items, and the keys of custom
 * fields.
 */
const readReferences = async ({ products, accounts }: Store, account: string, { items = [], custom_fields }: OrderChanges) => {
  const ids = items.flatMap(({ product_id }) => product_id ?? []);
  const [found, settings] = await Promise.all([
    products.getMany(account, ids),
    custom_fields === undefined ? {} : accounts.getSettings(account),
  ]);
  const catalogNames = new Set([...found.values()].flatMap(namesOfProduct));
  return { offer: catalogOffer(found), catalogNames, fieldKeys: customFieldKeys(settings, 'order') };
};

/**
 * Returns the changed order with the payment status that was sent, or else the one that follows from
 * the new total. Rejects another status than that of its refunds and disputes.
 */
const withPaymentStatus = async (before: Order, after: Order, sent: string | undefined, payments: ReadPayments): Promise<Order> => {
  if (sent === before.payment_status || (sent === undefined && after.total === before.total)) return after;
  const known = await payments();
  const status = paymentStatusAfter({ order: before, payments: known }, { order: after, payments: known });
  if (sent === undefined) return status ? { ...after, payment_status: status } : after;
  if (!isDecidedByMoneyBack({ order: after, payments: known })) return after;
  throw new ApiError('conflict', 'Refunds and disputes of the order set its payment_status. Leave the field out.', {
    field: 'payment_status',
  });
};

/** Rejects a change after which the order and its payments would not fit into a response (decisions §3). */
const assertReadableOrder = async (before: Order, after: Order, payments: ReadPayments): Promise<void> => {
  if (!growsBeyondReserve(before, after) || isReadable(after, await payments())) return;
  throw new ApiError('invalid_value', 'The order and its payments would not fit into a response. Shorten the texts of the order.');
};

/** Rejects the deletion of an order with money that was not given back (decisions §7). */
const assertDeletable = (payments: readonly Payment[]): void => {
  if (payments.some(({ refund_intents = [] }) => refund_intents.length > 0))
    throw new ApiError('conflict', 'A refund of the order is still running. Delete the order when it has ended.');
  if (payments.some(hasMoney))
    throw new ApiError(
      'conflict',
      'The order has payments that were not given back. Refund them first, or void those that no gateway took.',
    );
};

export const order = {
  update: onAccount({
    summary: 'Changes the fields that you send and recalculates the total. Lists and objects are replaced whole. Other fields stay.',
    input: record({ ...idField, ...orderChanges }),
    async decide(services, { id, ...changes }, account) {
      const { offer, catalogNames, fieldKeys } = await readReferences(services.store, account.id, changes);
      const change = async (current: Order, now: string, payments: ReadPayments): Promise<Order> => {
        // A stored value may stay after its field definition was deleted.
        assertKnownFields(changes.custom_fields ?? {}, new Set([...fieldKeys, ...Object.keys(current.custom_fields)]));
        const changed = changeOrder(current, changes, offer, now);
        await assertReadableOrder(current, changed, payments);
        return withPaymentStatus(current, changed, changes.payment_status, payments);
      };
      return modifyOrder(services, account, id, change, orderView, catalogNames);
    },
  }),
  set_status: onAccount({
    summary: 'Moves an order to another status, if the transition is allowed. `completed` and `cancelled` are final.',
    input: record({ ...idField, status: oneOf(orderStatuses) }),
    decide: (services, { id, status }, account) =>
      modifyOrder(services, account, id, (order, now) => transitionOrder(order, status, now), orderView),
  }),
  delete: onAccount({
    summary:
      "Deletes an order and subtracts it from its customer's totals. Its payments must be refunded or voided. This cannot be undone.",
    input: record(idField),
    decide(services, { id }, account) {
      const change = async (current: Order, now: string, payments: ReadPayments): Promise<Order> => {
        assertDeletable(await payments());
        return softDelete(current, now);
      };
      return modifyOrder(services, account, id, change, deletedView);
    },
  }),
};
