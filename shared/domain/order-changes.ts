import { ApiError } from '../core/errors.ts';
import { mayBecome, type Order, type OrderStatus } from './order.ts';
import type { OrderChanges } from './order-input.ts';
import { makeItems, type Offer, orderAmounts, scheduledTime } from './order-make.ts';

/** The order in another status; refuses what the transition table does (§ Order status transitions). */
export const moveOrder = (order: Order, status: OrderStatus, updated_at: string): Order => {
  if (!mayBecome(order.status, status))
    throw new ApiError('conflict', `An order that is ${order.status} cannot become ${status}.`, { field: 'status' });
  return { ...order, status, previous_status: order.status === status ? order.previous_status : order.status, updated_at };
};

/** What is on the order stays orderable as it was agreed, whatever became of the product. */
const agreedOffer =
  ({ items, currency }: Order): Offer =>
  (id) => {
    const item = items.find(({ product_id }) => product_id === id);
    return item && { name: item.name, price: item.unit_price, currency };
  };

/** Lines are numbered on, so that no id comes back as another line. */
const itemIdsAfter = ({ id, items }: Order): (() => string) => {
  let line = Math.max(0, ...items.map((item) => Number(item.id.slice(id.length + 1)) || 0));
  return () => `${id}_${++line}`;
};

/**
 * The order after a change, with the amounts that follow from it. Items may name products that `offer` has or that are on the
 * order already; a status that differs has to be a move of the table.
 */
export const changeOrder = (order: Order, changes: OrderChanges, offer: Offer, updated_at: string): Order => {
  const { items: inputs, status, ...members } = changes;
  const agreed = agreedOffer(order);
  const origin = { offer: (id: string) => agreed(id) ?? offer(id), currency: order.currency, newItemId: itemIdsAfter(order) };
  const items = inputs ? makeItems(inputs, origin) : order.items;
  const changed = { ...order, ...members, items, updated_at };
  const moved = status === undefined || status === order.status ? changed : moveOrder(changed, status, updated_at);
  return { ...moved, ...orderAmounts(items, moved), delivery_time: scheduledTime(moved) };
};
