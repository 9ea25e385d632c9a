import { order, orderEventObject, orderItem, orderStatusChangedEventObject, orderWithPayments } from '../../shared/domain/order/fields.ts';
import { orderInputSchema, orderItemSchema } from '../../shared/domain/order/input.ts';
import { eventsOf, exact, fieldValues, mayBeShort, metadataText, type ResourceWords, sent } from './common.ts';

export const orders = {
  group: { name: 'Orders', description: 'Orders of the bakery. Secret keys only.' },
  operations: {
    listOrders: {
      summary: 'List orders',
      description:
        'Newest first, or sorted by last save or delivery date. Leaves out deleted orders. The orders have no `payments`: retrieve an order to get them.',
      success: 'A page of orders.',
      body: { list: order },
      errors: { unsupported_filter_sort_combination: '' },
      query: {
        sort: `Always descending. Orders without a delivery date come last. With a filter and another sort than \`createdAt\`, ${mayBeShort}`,
        created_after: 'Inclusive. ISO 8601 or epoch seconds. A date is midnight UTC. Only with the default sort.',
        created_before:
          'Inclusive. ISO 8601 or epoch seconds. A date without a time includes its whole UTC day. Only with the default sort.',
        status: 'One or more statuses, separated by commas.',
        payment_status: exact,
        customer_id: exact,
        external_id: exact,
      },
    },
    createOrder: {
      summary: 'Create an order',
      description:
        'The service calculates prices, subtotal and total: total = subtotal + tax + delivery fee − discount. Order, customer and payments are created together or not at all. Emits `order.created`, and `customer.created` if the customer is new. Payments emit events only with `emit_webhooks`.',
      success: 'The order. Retrieve it by id for its payments.',
      body: order,
      errors: {
        customer_not_found: '',
        limit_reached: '',
        conflict: 'Another request changed the customer at the same time. Retry.',
      },
    },
    retrieveOrder: {
      summary: 'Retrieve an order',
      description: 'Returns one order with its payments and refunds.',
      success: 'The order.',
      body: orderWithPayments,
    },
  },
  inputs: {
    OrderInput: sent(orderInputSchema, order, {
      items: 'What is ordered, one line per product or variant.',
      status: 'Any status. Transitions are not checked here.',
      payment_status: 'Any status. It is not derived from `payments`.',
      payment_method: 'Free text, returned unchanged.',
      delivery_time: 'Requested time, `HH:MM`. Dropped for `dispatch`.',
      delivery_fee: 'Added to the total. Rounded to 2 decimals.',
      discount: 'Subtracted from the total. Rounded to 2 decimals.',
      tax: 'Added to the total. Rounded to 2 decimals.',
      event_category: 'Free text. It is not compared with the event categories.',
      custom_fields: fieldValues,
      metadata: metadataText,
      customer:
        'A customer by id or by details. Details match an existing customer by email or create a new one; beside an id they are ignored. Absent for a walk-in.',
      payments: 'Payments to record with the order.',
      emit_webhooks: 'Whether the payments emit events. The order always does.',
      currency: "Three letters in any case. The account's currency when absent, or `AUD` if it has none.",
    }),
    OrderItemInput: sent(orderItemSchema, orderItem, {
      product_id:
        "A product on the storefront. It supplies name and price if they are absent. A price in another currency than the order's is rejected.",
      variant_id: 'A variant of the product. It supplies name and price if they are absent.',
      name: 'Name of the line. Required without `product_id`; otherwise the name of the product.',
      unit_price: 'Price of one piece, rounded to 2 decimals. Required without `product_id`; otherwise the price of the product.',
    }),
  },
  events: eventsOf(orderEventObject, {
    'order.created': { summary: 'An order was created', description: 'By the API, a paid checkout or the dashboard.' },
    'order.updated': { summary: 'An order was saved', description: 'Sent for every save, also a change of status.' },
    'order.status_changed': {
      summary: 'An order moved to another status',
      description: 'Emitted in addition to `order.updated`.',
      object: orderStatusChangedEventObject,
    },
    'order.deleted': { summary: 'An order was deleted', description: 'No further events follow for it.' },
  }),
} as const satisfies ResourceWords;
