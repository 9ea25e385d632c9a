import type { Clock } from '../../shared/core/clock.ts';
import { randomId } from '../../shared/core/ids.ts';
import { type Customer, customerName } from '../../shared/domain/customer/fields.ts';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { countOrder } from '../../shared/domain/customer/rules.ts';
import type { Order, OrderItem } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import type { Store } from '../../shared/table/store.ts';

interface Shop {
  readonly store: Store;
  readonly clock: Clock;
}

export const customerOf = (nowMs: number, fields: Partial<Customer> = {}): Customer => {
  const id = randomId('cus', nowMs);
  const details = { first_name: 'Ada', last_name: 'Crumb', email: `${id}@example.com`, phone: null, company: null };
  return { ...makeCustomer(details, id, new Date(nowMs).toISOString()), ...fields };
};

export const orderItemOf = (fields: Partial<OrderItem> = {}): OrderItem => ({
  id: 'item_1',
  product_id: null,
  variant_id: null,
  name: 'Cake',
  quantity: 1,
  unit_price: 40,
  total: 40,
  notes: null,
  ...fields,
});

/**
 * Returns a pending pickup order of one cake for 40, without a customer by default, counted as an
 * account in USD counts it.
 */
export const orderOf = (nowMs: number, fields: Partial<Order> = {}, customer?: Customer): Order => {
  const now = new Date(nowMs).toISOString();
  const order: Order = {
    id: randomId('ord', nowMs),
    order_number: 1001,
    external_id: null,
    status: 'pending',
    payment_status: 'pending',
    subtotal: 40,
    tax: 0,
    delivery_fee: 0,
    discount: 0,
    total: 40,
    currency: 'USD',
    customer_id: customer?.id ?? null,
    customer_name: customer ? customerName(customer) : null,
    customer_email: customer?.email ?? null,
    customer_phone: customer?.phone ?? null,
    delivery_type: 'pickup',
    delivery_date: null,
    delivery_time: null,
    delivery_address: null,
    order_type: null,
    source: 'api',
    payment_method: null,
    event_category: null,
    items: [orderItemOf()],
    notes: null,
    custom_fields: {},
    metadata: {},
    previous_status: null,

    counted: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...fields,
  };
  return 'counted' in fields ? order : countOrder(undefined, order, 'USD').order;
};

/** A completed card payment of 40 without an order. */
export const paymentOf = (nowMs: number, fields: Partial<Payment> = {}): Payment => {
  const now = new Date(nowMs).toISOString();
  return {
    id: randomId('pay', nowMs),
    order_id: null,
    customer_id: null,
    schedule_id: null,
    amount: 40,
    tip_amount: 0,
    total_amount: 40,
    fee_amount: 0,
    net_amount: 40,
    type: 'payment',
    source: 'api',
    method: 'card',
    status: 'completed',
    previous_status: null,
    method_details: null,
    gateway: null,
    original_payment_id: null,
    refunded_amount: 0,
    description: null,
    created_at: now,
    completed_at: now,
    updated_at: now,
    emits_on_create: true,
    ...fields,
  };
};

export const writeCustomer = async ({ store, clock }: Shop, account: string, fields: Partial<Customer> = {}): Promise<Customer> => {
  const customer = customerOf(clock.now(), fields);
  await store.commit(store.customers.createWrites(account, customer));
  return customer;
};

/** Writes an order without the API, counted in the given customer's totals. */
export const writeOrder = async (
  { store, clock }: Shop,
  account: string,
  fields: Partial<Order> = {},
  customer?: Customer,
): Promise<Order> => {
  const order = orderOf(clock.now(), fields, customer);
  await store.commit([store.orders.createWrite(account, order)]);
  return order;
};
