import { ApiError, invalidValue } from '../core/errors.ts';
import { addMoney, maxAmount, roundMoney } from '../core/money.ts';
import { type Customer, customerName } from './customer.ts';
import type { Order, OrderItem } from './order.ts';
import type { OrderInput, OrderItemInput, OrderPaymentInput } from './order-input.ts';
import { isSettled, normalisePaymentMethod, type Payment, paymentAmounts } from './payment.ts';
import { isStorefrontVisible, type Product } from './product.ts';

/** What the server decides of an order. */
export interface OrderOrigin {
  readonly id: string;
  readonly order_number: number;
  readonly currency: string;
  readonly customer: Customer | null;
  /** The products that the items name, by id. */
  readonly products: ReadonlyMap<string, Product>;
  readonly source: string;
  readonly now: string;
  readonly newItemId: () => string;
}

const makeItem = (input: OrderItemInput, index: number, { products, newItemId }: OrderOrigin): OrderItem => {
  const product = input.product_id === null ? undefined : products.get(input.product_id);
  if (input.product_id !== null && (!product || !isStorefrontVisible(product))) {
    throw invalidValue(`items.${index}.product_id`, 'No such product is offered.');
  }
  const name = input.name || product?.name;
  const unit_price = input.unit_price ?? product?.price;
  if (!name) throw invalidValue(`items.${index}.name`, `items.${index}.name is required without a product_id.`);
  if (unit_price === undefined)
    throw invalidValue(`items.${index}.unit_price`, `items.${index}.unit_price is required without a product_id.`);
  const { product_id, quantity, notes } = input;
  return { id: newItemId(), product_id, name, quantity, unit_price, total: roundMoney(unit_price * quantity), notes };
};

/** total = subtotal + tax + delivery_fee − discount, in whole cents. */
const amountsOf = (items: readonly OrderItem[], { tax, delivery_fee, discount }: OrderInput) => {
  const subtotal = addMoney(...items.map((item) => item.total));
  const total = addMoney(subtotal, tax, delivery_fee, -discount);
  if (total < 0) throw invalidValue('discount', 'discount must not exceed what the order comes to.');
  if (total >= maxAmount) throw invalidValue('items', `The order must come to less than ${maxAmount}.`);
  return { subtotal, tax, delivery_fee, discount, total };
};

/** The record of a new order. Refuses an item without a name, price or offered product, and a discount above everything else. */
export const makeOrder = (input: OrderInput, origin: OrderOrigin): Order => {
  const items = input.items.map((item, index) => makeItem(item, index, origin));
  const { customer } = origin;
  return {
    id: origin.id,
    order_number: origin.order_number,
    external_id: input.external_id,
    status: input.status,
    payment_status: input.payment_status,
    ...amountsOf(items, input),
    currency: origin.currency,
    customer_id: customer?.id ?? null,
    customer_name: customer && customerName(customer),
    customer_email: customer?.email ?? null,
    customer_phone: customer?.phone ?? null,
    delivery_type: input.delivery_type,
    delivery_date: input.delivery_date,
    // Carriers give no time (§ Enumerations, Delivery type).
    delivery_time: input.delivery_type === 'dispatch' ? null : input.delivery_time,
    delivery_address: input.delivery_address,
    order_type: input.order_type,
    source: origin.source,
    payment_method: input.payment_method,
    event_category: input.event_category,
    items,
    notes: input.notes,
    custom_fields: input.custom_fields,
    metadata: input.metadata,
    previous_status: null,
    created_at: origin.now,
    updated_at: origin.now,
    deleted_at: null,
  };
};

/** The record of a payment that comes with an order. */
export const makeOrderPayment = (input: OrderPaymentInput, order: Order, id: string, emits_on_create: boolean): Payment => ({
  id,
  order_id: order.id,
  customer_id: order.customer_id,
  schedule_id: null,
  ...paymentAmounts(input.amount, input.tip_amount, input.fee_amount),
  type: 'payment',
  source: order.source,
  method: normalisePaymentMethod(input.method),
  status: input.status,
  previous_status: null,
  method_details: input.method_details,
  gateway: input.gateway,
  original_payment_id: null,
  refunded_amount: 0,
  description: input.description,
  created_at: order.created_at,
  completed_at: isSettled(input.status) ? order.created_at : null,
  updated_at: order.created_at,
  emits_on_create,
});

/** Refuses custom fields for which the account has no active definition (`custom_fields.<key>`). */
export const assertKnownFields = (values: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void => {
  const unknown = Object.keys(values).find((key) => !known.has(key));
  if (unknown !== undefined) {
    const field = `custom_fields.${unknown}`;
    throw new ApiError('invalid_value', `${field} is no custom field of this account.`, { field });
  }
};
