import { orderInputSchema, orderItemSchema } from '../../shared/domain/order/input.ts';
import { order, orderEventObject, orderItem, orderStatusChangedEventObject, orderWithPayments } from '../../shared/domain/order/wire.ts';
import { exact, fieldValues, mayBeShort, metadataText, type ResourceWords, sent } from './common.ts';

export const orders = {
  group: { name: 'Orders', description: 'What customers have asked the bakery to make. Secret keys only.' },
  operations: {
    listOrders: {
      summary: 'List orders',
      description: 'Newest first, or by last save or delivery date. Deleted orders are left out, payments are not included.',
      success: 'A page of orders.',
      body: { list: order },
      errors: { unsupported_filter_sort_combination: '' },
      query: {
        sort: `Always descending; orders without a delivery date come last. With a filter and another sort than \`createdAt\` ${mayBeShort}`,
        created_after: 'Inclusive; ISO 8601 or epoch seconds. A date is its midnight in UTC. With the default sort only.',
        created_before:
          'Inclusive; ISO 8601 or epoch seconds. A date without a time takes in its whole UTC day. With the default sort only.',
        status: 'Any of these, separated by commas.',
        payment_status: exact,
        customer_id: exact,
      },
    },
    createOrder: {
      summary: 'Create an order',
      description:
        'Prices, subtotal and total are computed: total = subtotal + tax + delivery fee − discount. Order, customer and payments are created together or not at all. Emits `order.created`, and `customer.created` if the customer is new; payments emit events only with `emit_webhooks`.',
      success: 'The order; its payments are read by id.',
      body: order,
      errors: {
        customer_not_found: '',
        limit_reached: '',
        conflict: 'The customer was changed by another request at the same time; retry.',
      },
    },
    retrieveOrder: {
      summary: 'Retrieve an order',
      description: 'One order with its payments and refunds.',
      success: 'The order.',
      body: orderWithPayments,
    },
  },
  inputs: {
    OrderInput: sent(orderInputSchema, order, {
      items: 'Lines of the order.',
      status: 'Any of the statuses; transitions are not checked here.',
      payment_status: 'Any of the statuses; it is not derived from `payments`.',
      payment_method: 'Free text; stored and echoed unchanged.',
      delivery_time: 'Time it is wanted, `HH:MM`; dropped for `dispatch`.',
      delivery_fee: 'Added to the total; rounded to 2 decimals.',
      discount: 'Taken off the total; rounded to 2 decimals.',
      tax: 'Added to the total; rounded to 2 decimals.',
      event_category: 'Free text; it is not compared with the event categories.',
      custom_fields: fieldValues,
      metadata: metadataText,
      customer: 'A customer by id or by details. Details match an existing customer by email or create a new one. Absent for a walk-in.',
      payments: 'Payments to record with the order.',
      emit_webhooks: 'Whether the payments emit events; the order always does.',
      currency: "Three letters in any case; the account's currency when absent, `AUD` if it has none.",
    }),
    OrderItemInput: sent(orderItemSchema, orderItem, {
      product_id:
        "A product on the storefront. It supplies name and price if they are absent. A price in another currency than the order's is rejected.",
      name: 'Required without `product_id`.',
      unit_price: 'Required without `product_id`; rounded to 2 decimals.',
    }),
  },
  events: {
    'order.created': {
      summary: 'An order was made',
      description: 'Through the API, by a paid checkout or in the dashboard.',
      object: orderEventObject,
    },
    'order.updated': { summary: 'An order was saved', description: 'Every save, a change of status included.', object: orderEventObject },
    'order.status_changed': {
      summary: 'An order moved to another status',
      description: 'Emitted in addition to `order.updated`.',
      object: orderStatusChangedEventObject,
    },
    'order.deleted': { summary: 'An order was deleted', description: 'No further events follow for it.', object: orderEventObject },
  },
} as const satisfies ResourceWords;
