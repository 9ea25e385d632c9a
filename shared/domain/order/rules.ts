import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount, multiplyMoney } from '../../core/money.ts';
import { type Customer, customerName } from '../customer/record.ts';
import type { OrderStatus } from '../enumerations.ts';
import { makePayment, type PaymentInput } from '../payment/input.ts';
import type { Payment } from '../payment/record.ts';
import { assertPricedIn, isStorefrontVisible, type Product } from '../product/record.ts';
import type { OrderChanges, OrderInput, OrderItemInput } from './input.ts';
import { mayBecome, type Order, type OrderItem } from './record.ts';

/**
 * Returns the order with another status. Rejects a change that the table of transitions does not
 * allow (§ Order status transitions).
 */
export const transitionOrder = (order: Order, status: OrderStatus, updated_at: string): Order => {
  if (!mayBecome(order.status, status))
    throw new ApiError('conflict', `The status cannot change from ${order.status} to ${status}.`, { field: 'status' });
  return { ...order, status, previous_status: order.status === status ? order.previous_status : order.status, updated_at };
};

/**
 * Returns an offer that includes the order's own items at their agreed prices, even if their
 * products changed.
 */
const agreedOffer =
  ({ items, currency }: Order): Offer =>
  (id) => {
    const item = items.find(({ product_id }) => product_id === id);
    return item && { name: item.name, price: item.unit_price, currency };
  };

/**
 * Returns a function that makes item ids. Their numbers continue after those of the order's lines,
 * so that an id is never used again.
 */
const itemIdsAfter = ({ id, items }: Order): (() => string) => {
  let line = Math.max(0, ...items.map((item) => Number(item.id.slice(id.length + 1)) || 0));
  return () => `${id}_${++line}`;
};

/**
 * Returns the order after a change, with recalculated amounts. Items may name products that `offer`
 * has or that are on the order already. A different status must be an allowed transition.
 */
export const changeOrder = (order: Order, changes: OrderChanges, offer: Offer, updated_at: string): Order => {
  const { items: inputs, status, ...members } = changes;
  const agreed = agreedOffer(order);
  const origin = { offer: (id: string) => agreed(id) ?? offer(id), currency: order.currency, newItemId: itemIdsAfter(order) };
  const items = inputs ? makeItems(inputs, origin) : order.items;
  const changed = { ...order, ...members, items, updated_at };
  const transitioned = status === undefined || status === order.status ? changed : transitionOrder(changed, status, updated_at);
  return { ...transitioned, ...orderAmounts(items, transitioned), delivery_time: scheduledTime(transitioned) };
};

/** Items with prices, and the order's amounts. */
interface PricedOrder extends Pick<Order, 'items' | 'subtotal' | 'tax' | 'delivery_fee' | 'discount' | 'total'> {}

/** Fields of an order that the service sets. */
interface OrderOrigin extends Pick<Order, 'id' | 'order_number' | 'currency' | 'source' | 'created_at'> {
  readonly customer: Pick<Customer, 'id' | 'first_name' | 'last_name' | 'email' | 'phone'> | null;
}

/** Returns name, price and currency of a product that can be ordered. */
type Offer = (productId: string) => Pick<Product, 'name' | 'price' | 'currency'> | undefined;

/** Data from which items are made, in addition to the input. */
interface ItemOrigin {
  readonly offer: Offer;
  /** The order's currency. */
  readonly currency: string;
  readonly newItemId: () => string;
}

/** Returns an offer of the products that the storefront shows. */
export const catalogOffer =
  (products: ReadonlyMap<string, Product>): Offer =>
  (id) => {
    const product = products.get(id);
    return product && isStorefrontVisible(product) ? product : undefined;
  };

const makeItem = (input: OrderItemInput, index: number, { offer, currency, newItemId }: ItemOrigin): OrderItem => {
  const { product_id, quantity, notes } = input;
  const product = product_id === null ? undefined : offer(product_id);
  if (product_id !== null && !product)
    throw invalidValue(`items.${index}.product_id`, `items.${index}.product_id is not a product on the storefront.`);
  if (product && input.unit_price === null) assertPricedIn(currency, product, index);
  const name = input.name || product?.name;
  const unit_price = input.unit_price ?? product?.price;
  if (!name) throw invalidValue(`items.${index}.name`, `items.${index}.name is required without a product_id.`);
  if (unit_price === undefined)
    throw invalidValue(`items.${index}.unit_price`, `items.${index}.unit_price is required without a product_id.`);
  return { id: newItemId(), product_id, name, quantity, unit_price, total: multiplyMoney(unit_price, quantity), notes };
};

/**
 * Returns the items with prices. Rejects an item without a name, price or offered product, and one
 * whose price comes from a product in another currency.
 */
export const makeItems = (inputs: readonly OrderItemInput[], origin: ItemOrigin): readonly OrderItem[] =>
  inputs.map((input, index) => makeItem(input, index, origin));

/**
 * Calculates total = subtotal + tax + delivery_fee − discount, in whole cents. Rejects a discount
 * that would make the total negative.
 */
export const orderAmounts = (
  items: readonly OrderItem[],
  { tax, delivery_fee, discount }: Pick<Order, 'tax' | 'delivery_fee' | 'discount'>,
) => {
  const subtotal = addMoney(...items.map((item) => item.total));
  const total = addMoney(subtotal, tax, delivery_fee, -discount);
  if (total < 0) throw invalidValue('discount', 'discount must not exceed the total before the discount.');
  if (subtotal >= maxAmount || total >= maxAmount) throw invalidValue('items', `The total of the order must be less than ${maxAmount}.`);
  return { subtotal, tax, delivery_fee, discount, total };
};

/**
 * Returns the delivery time; null for dispatch, because carriers promise no time (§ Enumerations,
 * Delivery type).
 */
const scheduledTime = ({ delivery_type, delivery_time }: Pick<Order, 'delivery_type' | 'delivery_time'>): string | null =>
  delivery_type === 'dispatch' ? null : delivery_time;

/** Returns the record of a new order. */
export const makeOrder = (
  said: Omit<OrderInput, 'customer' | 'payments' | 'emit_webhooks' | 'currency' | keyof PricedOrder>,
  priced: PricedOrder,
  { customer, ...origin }: OrderOrigin,
): Order => ({
  ...said,
  ...priced,
  ...origin,
  customer_id: customer?.id ?? null,
  customer_name: customer && customerName(customer),
  customer_email: customer?.email ?? null,
  customer_phone: customer?.phone ?? null,
  delivery_time: scheduledTime(said),
  previous_status: null,
  counted: null,
  updated_at: origin.created_at,
  deleted_at: null,
});

/** Returns the record of a payment that is sent with an order. */
export const makeOrderPayment = (input: PaymentInput, order: Order, id: string, emits_on_create: boolean): Payment =>
  makePayment(input, {
    id,
    order_id: order.id,
    customer_id: order.customer_id,
    schedule_id: null,
    source: order.source,
    created_at: order.created_at,
    emits_on_create,
  });

/** Rejects custom fields without an active definition. The error names `custom_fields.<key>`. */
export const assertKnownFields = (values: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void => {
  const unknown = Object.keys(values).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalidValue(`custom_fields.${unknown}`, 'The account has no such custom field.');
};
