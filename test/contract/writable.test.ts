import { describe, expect, test } from '@jest/globals';
import type { SchemaNode } from '../../shared/core/schema-node.ts';
import { customer } from '../../shared/domain/customer/fields.ts';
import { expense, expenseEventObject } from '../../shared/domain/expense/fields.ts';
import { inventoryItem } from '../../shared/domain/inventory/fields.ts';
import { order, orderItem } from '../../shared/domain/order/fields.ts';
import { payment } from '../../shared/domain/payment/fields.ts';
import { product } from '../../shared/domain/product/fields.ts';
import { quickSale } from '../../shared/domain/quick-sale/fields.ts';
import { webhookEndpoint } from '../../shared/domain/webhook/fields.ts';
import { inputs } from './inputs.ts';

const entriesOf = (schema: object): NonNullable<SchemaNode['entries']> => {
  const { entries, wrapped, item, pipe = [] } = schema as SchemaNode;
  return (
    entries ?? Object.assign({}, ...[wrapped, item, ...pipe].flatMap((inner) => (inner && inner !== schema ? [entriesOf(inner)] : [])))
  );
};

/** Returns the names of fields that a route's body or an action's input takes, or those of one of its fields. */
const takenBy = (name: string, inside?: string): readonly string[] => {
  const schema = inputs.find((input) => input.name === name)?.schema;
  if (!schema) throw new Error(name);
  return Object.keys(inside === undefined ? entriesOf(schema) : entriesOf(entriesOf(schema)[inside] ?? {}));
};

const dates = { id: 'the service makes it', created_at: 'time of the write', updated_at: 'time of the write' };
const bySum = 'calculated';

const ofPayment = {
  ...dates,
  total_amount: bySum,
  net_amount: bySum,
  type: 'payment.refund makes refunds',
  source: 'the channel of the call',
  previous_status: 'the status before the write',
  original_payment_id: 'payment.refund sets it',
  refunded_amount: 'sum of the refunds',
  completed_at: 'time of the completion',
};

interface Resource {
  readonly shape: object;
  /** The bodies and inputs that create or change the resource. */
  readonly creates: readonly string[];
  readonly changes: readonly string[];
  /** Field of those inputs whose entries are the resource. */
  readonly inside?: string;
  /** Fields that no caller sends, with the reason. */
  readonly serverSet: Readonly<Record<string, string>>;
  /** Fields of a creation that a change does not take, with the reason. */
  readonly fixed?: Readonly<Record<string, string>>;
}

const resources: Readonly<Record<string, Resource>> = {
  customer: {
    shape: customer,
    creates: ['createCustomer'],
    changes: ['customer.update'],
    serverSet: { ...dates, total_orders: 'counted', total_spent: 'counted', last_order_date: 'counted' },
  },
  order: {
    shape: order,
    creates: ['createOrder'],
    changes: ['order.update'],
    serverSet: {
      ...dates,
      order_number: 'a counter of the account',
      friendly_order_number: bySum,
      subtotal: bySum,
      total: bySum,
      items_count: bySum,
      source: 'the channel of the call',
      // The create body names the customer in `customer`.
      customer_id: 'of `customer`',
      customer_name: 'of `customer`',
      customer_email: 'of `customer`',
      customer_phone: 'of `customer`',
    },
    fixed: { currency: 'every amount of the order is in it' },
  },
  'order item': {
    shape: orderItem,
    creates: ['createOrder'],
    changes: ['order.update'],
    inside: 'items',
    serverSet: { id: 'the service makes it', total: bySum },
  },
  payment: { shape: payment, creates: ['payment.create'], changes: [], serverSet: ofPayment },
  'payment of a new order': {
    shape: payment,
    creates: ['createOrder'],
    changes: [],
    inside: 'payments',
    serverSet: {
      ...ofPayment,
      order_id: 'the new order',
      customer_id: 'its customer',
      schedule_id: 'payment plans belong to the dashboard',
    },
  },
  product: { shape: product, creates: ['product.create'], changes: ['product.update'], serverSet: dates },
  'quick sale': {
    shape: quickSale,
    creates: ['quick_sale.create'],
    changes: ['quick_sale.update'],
    serverSet: { ...dates, net_amount: bySum },
  },
  'expense of the dashboard': {
    shape: {
      entries: { ...expense.entries, external_id: expenseEventObject.entries.external_id },
    },
    creates: ['expense.create'],
    changes: ['expense.update'],
    serverSet: { ...dates, editable: 'false for gateway fees', line_items: 'gateway fees', metadata: 'gateway fees' },
  },
  'expense of the API': {
    shape: expense,
    creates: ['createExpense'],
    changes: [],
    serverSet: {
      ...dates,
      status: 'submitted (§ Expenses)',
      source: 'api (§ Expenses)',
      editable: 'true (§ Expenses)',
      line_items: 'gateway fees',
      metadata: 'gateway fees',
    },
  },
  'inventory item': { shape: inventoryItem, creates: ['inventory.put'], changes: [], serverSet: {} },
  'webhook endpoint': {
    shape: webhookEndpoint,
    creates: ['createWebhook', 'webhook.create'],
    changes: ['updateWebhook', 'webhook.update'],
    serverSet: {
      ...dates,
      enabled: 'a new endpoint is enabled; a change takes it',
      status: 'follows enabled',
      disabled_reason: 'the service sets it',
      delivery_stats: 'counted',
    },
  },
};

describe.each(Object.entries(resources))('the fields of the %s', (name, { shape, creates, changes, inside, serverSet, fixed = {} }) => {
  const readable = Object.keys(entriesOf(shape));

  test(`every field of the ${name} that a read shows is one that a creation takes, or the service sets it for a reason`, () => {
    for (const create of creates) {
      const dropped = readable.filter((field) => !takenBy(create, inside).includes(field) && !Object.hasOwn(serverSet, field));
      expect([create, dropped]).toEqual([create, []]);
    }
  });

  test(`a change of the ${name} takes every field that a creation takes, or the field is fixed for a reason`, () => {
    for (const change of changes) {
      const taken = takenBy(change, inside);
      const dropped = creates
        .flatMap((create) => takenBy(create, inside))
        .filter((field) => readable.includes(field) && !taken.includes(field));
      expect([change, dropped.filter((field) => !Object.hasOwn(fixed, field))]).toEqual([change, []]);
    }
  });

  test(`the reasons for the ${name} name only fields that it has`, () => {
    const named = [...Object.keys(serverSet), ...Object.keys(fixed)];
    expect(named.filter((field) => !readable.includes(field) && !Object.hasOwn(dates, field))).toEqual([]);
  });
});
