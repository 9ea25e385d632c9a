import type { GenericSchema } from 'valibot';
import type { GroupName, groups } from '../lib/groups.ts';
import type { ErrorCode } from '../shared/core/errors.ts';
import { checkoutSession } from '../shared/domain/checkout/wire.ts';
import { customer } from '../shared/domain/customer/wire.ts';
import { expense, expenseSummary } from '../shared/domain/expense/wire.ts';
import { order, orderWithPayments } from '../shared/domain/order/wire.ts';
import { product, searchToken } from '../shared/domain/product/wire.ts';
import * as reference from '../shared/domain/reference/wire.ts';
import { endpointsPerAccount } from '../shared/domain/webhook/record.ts';
import * as webhook from '../shared/domain/webhook/wire.ts';
import { webhookTestRule } from '../shared/http/rate-limits.ts';

export type OperationId = (typeof groups)[GroupName][number]['operation'];

/** What the route table does not say of an operation. */
export interface OperationTexts {
  readonly summary: string;
  readonly description: string;
  readonly success: string;
  /** The body of success; `list` puts it in the page envelope. */
  readonly body: GenericSchema | { readonly list: GenericSchema };
  /** Codes that the operation answers itself, and when where it is worth saying. */
  readonly errors?: Readonly<Partial<Record<ErrorCode, string>>>;
}

const meanwhile = 'The endpoint was changed by another request at the same time; retry.';

export const operationTexts: Readonly<Record<OperationId, OperationTexts>> = {
  listOrders: {
    summary: 'List orders',
    description: 'Newest first, or by last save or delivery date. Deleted orders are left out, payments are not included.',
    success: 'A page of orders.',
    body: { list: order },
    errors: { unsupported_filter_sort_combination: '' },
  },
  createOrder: {
    summary: 'Create an order',
    description:
      'Prices, subtotal and total are computed: total = subtotal + tax + delivery fee − discount. Order, customer and payments are made together or not at all. Emits `order.created`, and `customer.created` where the customer is new; payments are announced only with `emit_webhooks`.',
    success: 'The order; its payments are read by id.',
    body: order,
    errors: { customer_not_found: '', limit_reached: '', conflict: 'The customer was changed by another request at the same time; retry.' },
  },
  retrieveOrder: {
    summary: 'Retrieve an order',
    description: 'One order with its payments and refunds.',
    success: 'The order.',
    body: orderWithPayments,
  },
  listCustomers: {
    summary: 'List customers',
    description: 'Newest first; with `updated_after` by last save.',
    success: 'A page of customers.',
    body: { list: customer },
  },
  createCustomer: {
    summary: 'Create a customer',
    description: 'An email, a phone or a last name is required. Emits `customer.created`.',
    success: 'The customer.',
    body: customer,
    errors: { conflict: 'A customer with this email exists; `field` is `email`.' },
  },
  retrieveCustomer: {
    summary: 'Retrieve a customer',
    description: 'One customer with the totals of their orders.',
    success: 'The customer.',
    body: customer,
  },
  listExpenses: {
    summary: 'List expenses',
    description:
      'A lighter shape than by id; gateway fees are included, deleted expenses are not. There are three ways to ask: for a range of dates, which is ordered by date; with `updated_after`; with `order_by=updated_at`. Each takes one of `category`, `status` and `supplier_id` besides, a second one is `invalid_value`.',
    success: 'A page of expenses.',
    body: { list: expenseSummary },
    errors: { conflicting_filters: '' },
  },
  createExpense: {
    summary: 'Create an expense',
    description:
      'Status `submitted`, source `api` and the id are set by the service, whatever is sent. Emits `expense.created`. Without a `currency`, where the account has none either, the answer is 500.',
    success: 'The expense.',
    body: expense,
  },
  retrieveExpense: {
    summary: 'Retrieve an expense',
    description: 'The full shape; a gateway-fee expense also has `line_items` and `metadata`.',
    success: 'The expense.',
    body: expense,
  },
  listProducts: {
    summary: 'List products',
    description: 'Newest first; with `updated_after` by last save. A publishable key sees what the storefront shows.',
    success: 'A page of products.',
    body: { list: product },
  },
  retrieveProduct: {
    summary: 'Retrieve a product',
    description: 'Deleted products are not found; to a publishable key neither are products that the storefront does not show.',
    success: 'The product.',
    body: product,
  },
  createSearchToken: {
    summary: 'Create a search token',
    description:
      "A key for the browser to search the account's storefront directly at the search engine, for 15 minutes. It takes no body; one that is sent has to be a JSON object.",
    success: 'The token and where to use it.',
    body: searchToken,
    errors: { search_not_configured: '' },
  },
  createCheckout: {
    summary: 'Create a checkout session',
    description:
      'Prices a cart from the catalog and answers with the address of a hosted page, where the shopper pays within 24 hours. The payment makes the order, and both are announced; a session that is not paid announces nothing. Amounts are whole where the currency has no smaller unit. A blocked date, a slot that is not offered and a product in another currency than the account has are `invalid_value`.',
    success: 'The session.',
    body: checkoutSession,
    errors: { limit_reached: '' },
  },
  listExpenseCategories: {
    summary: 'List expense categories',
    description: 'A fixed list of 19, the same for every account.',
    success: 'The categories.',
    body: reference.expenseCategoryList,
  },
  listPaymentMethods: {
    summary: 'List payment methods',
    description: "The account's own enabled methods; they are not compared with what orders carry.",
    success: 'The methods.',
    body: reference.paymentMethodList,
  },
  listEventCategories: {
    summary: 'List event categories',
    description: 'Occasions that orders are made for; defaults where the account has configured none.',
    success: 'The categories.',
    body: reference.eventCategoryList,
  },
  listTimeSlots: {
    summary: 'List time slots',
    description: 'All configured slots, whatever the date. What one date offers is told by its availability.',
    success: 'The slots.',
    body: reference.timeSlotList,
  },
  listBlockedDates: {
    summary: 'List blocked dates',
    description: 'Single dates and weekly rules, as they are configured. Reasons and holidays are shown to secret keys only.',
    success: 'The dates and rules.',
    body: reference.blockedDateList,
  },
  listCustomFields: {
    summary: 'List custom fields',
    description: 'Active definitions. Internal ones, and the member `internal`, are shown to secret keys only.',
    success: 'The definitions.',
    body: reference.customFieldList,
  },
  getAvailability: {
    summary: 'Get availability',
    description:
      'Either `date` or both `from` and `to` are required: one date, or every date of a range, with the slots it offers. A date is blocked by a single date first, then by a weekly rule; nothing else is considered.',
    success: 'The dates, ascending.',
    body: reference.availabilityList,
  },
  createWebhook: {
    summary: 'Register a webhook endpoint',
    description: `At most ${endpointsPerAccount} an account; one more is \`invalid_value\`. Addresses that are private, internal, loopback, link-local or of cloud metadata are refused, here and whenever something is to be sent. The signing secret is in this answer only.`,
    success: 'The endpoint with its secret.',
    body: webhook.webhookEndpointWithSecret,
    errors: { conflict: 'The account has an endpoint with this URL; `field` is `url`.' },
  },
  listWebhooks: {
    summary: 'List webhook endpoints',
    description: 'Newest first, without secrets.',
    success: 'A page of endpoints.',
    body: { list: webhook.webhookEndpointSummary },
  },
  retrieveWebhook: {
    summary: 'Retrieve a webhook endpoint',
    description: 'One endpoint without its secret, with the reason where the service disabled it.',
    success: 'The endpoint.',
    body: webhook.webhookEndpoint,
  },
  updateWebhook: {
    summary: 'Update a webhook endpoint',
    description: 'Members that are sent are changed, others stay. Enabling again does not send what happened meanwhile.',
    success: 'The endpoint.',
    body: webhook.webhookEndpoint,
    errors: { conflict: `Another endpoint of the account has this URL; \`field\` is \`url\`. Or: ${meanwhile}` },
  },
  deleteWebhook: {
    summary: 'Delete a webhook endpoint',
    description: 'Gone for good. Deliveries that wait fail as `endpoint_disabled` when they fall due.',
    success: 'It is deleted.',
    body: webhook.deletedWebhookEndpoint,
    errors: { conflict: meanwhile },
  },
  rotateWebhookSecret: {
    summary: 'Rotate the signing secret',
    description:
      'The new secret signs from the next attempt on; the old one signs beside it for 24 hours, in a header of its own. A secret that was replaced before ends at once. It takes no body; one that is sent has to be a JSON object.',
    success: 'The new secret; it is shown only here.',
    body: webhook.rotatedSecret,
    errors: { conflict: meanwhile },
  },
  testWebhook: {
    summary: 'Send a test event',
    description: `Sends one \`webhook.test\` now and tells how it was received: no retries, no delivery record, no statistics. It waits 25 seconds for an answer. At most ${webhookTestRule.limit} in 60 seconds an account. It takes no body; one that is sent has to be a JSON object.`,
    success: 'How it was received.',
    body: webhook.webhookTestResult,
    errors: { conflict: 'The endpoint is disabled; nothing was sent.' },
  },
  listWebhookEvents: {
    summary: 'List deliveries of a webhook endpoint',
    description: 'The delivery log, newest first: a record for every event that the endpoint was to get, kept for 30 days.',
    success: 'A page of deliveries.',
    body: { list: webhook.delivery },
  },
};

export const groupTexts: Readonly<Record<GroupName, { readonly name: string; readonly description: string }>> = {
  orders: { name: 'Orders', description: 'What customers have asked the bakery to make. Secret keys only.' },
  customers: { name: 'Customers', description: 'Who orders. Secret keys only.' },
  expenses: { name: 'Expenses', description: 'What the bakery spends. Secret keys only.' },
  products: { name: 'Products', description: 'The catalog, for servers and storefronts.' },
  checkout: { name: 'Checkout', description: 'Carts that are paid on a hosted page.' },
  reference: { name: 'Reference data', description: 'What forms of a storefront are made from.' },
  webhooks: { name: 'Webhooks', description: 'Where events are sent, and how that went. Secret keys only.' },
};
