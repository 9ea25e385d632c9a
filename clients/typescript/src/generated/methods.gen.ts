// Generated from docs/openapi.json.
import { operation } from '../operation.ts';
import { eachOf } from '../pages.ts';
import type { CallOptions, CreateOptions, Send } from '../transport.ts';
import type * as api from './types.gen.ts';

/** The operations by resource. */
export const createResources = (send: Send) => ({
  checkout: {
    /** Create a checkout session. Prices a cart from the catalog and answers with the address of a hosted page, where the shopper pays within 24 hours. The payment makes the order, and both are announced; a session that is not paid announces nothing. Amounts are whole where the currency has no smaller unit. A blocked date, a slot that is not offered and a product in another currency than the account has are `invalid_value`. */
    create: (body: api.CreateCheckoutData['body'], options?: CreateOptions) => operation<api.CreateCheckoutData, api.CreateCheckoutResponse>(send, 'POST', '/checkout', 'keyed')({ body }, options),
  },
  customers: {
    /** List customers. Newest first; with `updated_after` by last save. */
    list: (query: api.ListCustomersData['query'] = {}, options?: CallOptions) => operation<api.ListCustomersData, api.ListCustomersResponse>(send, 'GET', '/customers', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListCustomersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListCustomersData, api.ListCustomersResponse>(send, 'GET', '/customers', 'freely')({ query }, options), query),
    /** Create a customer. An email, a phone or a last name is required. Emits `customer.created`. */
    create: (body: api.CreateCustomerData['body'], options?: CreateOptions) => operation<api.CreateCustomerData, api.CreateCustomerResponse>(send, 'POST', '/customers', 'keyed')({ body }, options),
    /** Retrieve a customer. One customer with the totals of their orders. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveCustomerData, api.RetrieveCustomerResponse>(send, 'GET', '/customers/{id}', 'freely')({ parameters: { id } }, options),
  },
  expenses: {
    /** List expenses. A lighter shape than by id; gateway fees are included, deleted expenses are not. Query a range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each can be combined with one of `category`, `status` and `supplier_id`; a second one fails with `invalid_value`. */
    list: (query: api.ListExpensesData['query'] = {}, options?: CallOptions) => operation<api.ListExpensesData, api.ListExpensesResponse>(send, 'GET', '/expenses', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListExpensesData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListExpensesData, api.ListExpensesResponse>(send, 'GET', '/expenses', 'freely')({ query }, options), query),
    /** Create an expense. Status `submitted`, source `api` and the id are set by the service, whatever is sent. Emits `expense.created`. If neither the request nor the account has a currency, the response is 500. */
    create: (body: api.CreateExpenseData['body'], options?: CreateOptions) => operation<api.CreateExpenseData, api.CreateExpenseResponse>(send, 'POST', '/expenses', 'keyed')({ body }, options),
    /** Retrieve an expense. The full shape; a gateway-fee expense also has `line_items` and `metadata`. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveExpenseData, api.RetrieveExpenseResponse>(send, 'GET', '/expenses/{id}', 'freely')({ parameters: { id } }, options),
  },
  orders: {
    /** List orders. Newest first, or by last save or delivery date. Deleted orders are left out, payments are not included. */
    list: (query: api.ListOrdersData['query'] = {}, options?: CallOptions) => operation<api.ListOrdersData, api.ListOrdersResponse>(send, 'GET', '/orders', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListOrdersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListOrdersData, api.ListOrdersResponse>(send, 'GET', '/orders', 'freely')({ query }, options), query),
    /** Create an order. Prices, subtotal and total are computed: total = subtotal + tax + delivery fee − discount. Order, customer and payments are created together or not at all. Emits `order.created`, and `customer.created` if the customer is new; payments emit events only with `emit_webhooks`. */
    create: (body: api.CreateOrderData['body'], options?: CreateOptions) => operation<api.CreateOrderData, api.CreateOrderResponse>(send, 'POST', '/orders', 'keyed')({ body }, options),
    /** Retrieve an order. One order with its payments and refunds. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveOrderData, api.RetrieveOrderResponse>(send, 'GET', '/orders/{id}', 'freely')({ parameters: { id } }, options),
  },
  products: {
    /** List products. Newest first; with `updated_after` by last save. A publishable key sees what the storefront shows. */
    list: (query: api.ListProductsData['query'] = {}, options?: CallOptions) => operation<api.ListProductsData, api.ListProductsResponse>(send, 'GET', '/products', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListProductsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListProductsData, api.ListProductsResponse>(send, 'GET', '/products', 'freely')({ query }, options), query),
    /** Retrieve a product. Deleted products are not found; a publishable key also does not find products that the storefront hides. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveProductData, api.RetrieveProductResponse>(send, 'GET', '/products/{id}', 'freely')({ parameters: { id } }, options),
    /** Create a search token. A key for the browser to search the account's storefront directly at the search engine, for 15 minutes. It takes no body; one that is sent has to be a JSON object. */
    createSearchToken: (options?: CallOptions) => operation<api.CreateSearchTokenData, api.CreateSearchTokenResponse>(send, 'POST', '/products/search-token', 'freely')({}, options),
  },
  reference: {
    /** List expense categories. A fixed list of 19, the same for every account. */
    listExpenseCategories: (options?: CallOptions) => operation<api.ListExpenseCategoriesData, api.ListExpenseCategoriesResponse>(send, 'GET', '/reference/expense-categories', 'freely')({}, options),
    /** List payment methods. The account's own enabled methods; they are not compared with what orders carry. */
    listPaymentMethods: (options?: CallOptions) => operation<api.ListPaymentMethodsData, api.ListPaymentMethodsResponse>(send, 'GET', '/reference/payment-methods', 'freely')({}, options),
    /** List event categories. Occasions that orders are made for; defaults if the account has configured none. */
    listEventCategories: (options?: CallOptions) => operation<api.ListEventCategoriesData, api.ListEventCategoriesResponse>(send, 'GET', '/reference/event-categories', 'freely')({}, options),
    /** List time slots. All configured slots, whatever the date. What one date offers is told by its availability. */
    listTimeSlots: (query: api.ListTimeSlotsData['query'] = {}, options?: CallOptions) => operation<api.ListTimeSlotsData, api.ListTimeSlotsResponse>(send, 'GET', '/reference/time-slots', 'freely')({ query }, options),
    /** List blocked dates. Single dates and weekly rules, as they are configured. Reasons and holidays are shown to secret keys only. */
    listBlockedDates: (options?: CallOptions) => operation<api.ListBlockedDatesData, api.ListBlockedDatesResponse>(send, 'GET', '/reference/blocked-dates', 'freely')({}, options),
    /** List custom fields. Active definitions. Internal ones, and the member `internal`, are shown to secret keys only. */
    listCustomFields: (query: api.ListCustomFieldsData['query'] = {}, options?: CallOptions) => operation<api.ListCustomFieldsData, api.ListCustomFieldsResponse>(send, 'GET', '/reference/custom-fields', 'freely')({ query }, options),
  },
  availability: {
    /** Get availability. Either `date` or both `from` and `to` are required: one date, or every date of a range, with the slots it offers. A date is blocked by a single date first, then by a weekly rule; nothing else is considered. */
    retrieve: (query: NonNullable<api.GetAvailabilityData['query']>, options?: CallOptions) => operation<api.GetAvailabilityData, api.GetAvailabilityResponse>(send, 'GET', '/availability', 'freely')({ query }, options),
  },
  webhooks: {
    /** Register a webhook endpoint. At most 10 an account; one more is `invalid_value`. Addresses that are private, internal, loopback, link-local or of cloud metadata are refused, here and whenever something is to be sent. The signing secret is in this answer only. */
    create: (body: api.CreateWebhookData['body'], options?: CreateOptions) => operation<api.CreateWebhookData, api.CreateWebhookResponse>(send, 'POST', '/webhooks', 'keyed')({ body }, options),
    /** List webhook endpoints. Newest first, without secrets. */
    list: (query: api.ListWebhooksData['query'] = {}, options?: CallOptions) => operation<api.ListWebhooksData, api.ListWebhooksResponse>(send, 'GET', '/webhooks', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListWebhooksData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListWebhooksData, api.ListWebhooksResponse>(send, 'GET', '/webhooks', 'freely')({ query }, options), query),
    /** Retrieve a webhook endpoint. One endpoint without its secret, with the reason where the service disabled it. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveWebhookData, api.RetrieveWebhookResponse>(send, 'GET', '/webhooks/{id}', 'freely')({ parameters: { id } }, options),
    /** Update a webhook endpoint. Members that are sent are changed, others stay. Enabling again does not send what happened meanwhile. */
    update: (id: string, body: api.UpdateWebhookData['body'], options?: CallOptions) => operation<api.UpdateWebhookData, api.UpdateWebhookResponse>(send, 'PATCH', '/webhooks/{id}', 'never')({ parameters: { id }, body }, options),
    /** Delete a webhook endpoint. Gone for good. Deliveries that wait fail as `endpoint_disabled` when they fall due. */
    delete: (id: string, options?: CallOptions) => operation<api.DeleteWebhookData, api.DeleteWebhookResponse>(send, 'DELETE', '/webhooks/{id}', 'never')({ parameters: { id } }, options),
    /** Rotate the signing secret. The new secret signs from the next attempt on; the old one signs beside it for 24 hours, in a header of its own. A secret that was replaced before ends at once. It takes no body; one that is sent has to be a JSON object. */
    rotateSecret: (id: string, options?: CallOptions) => operation<api.RotateWebhookSecretData, api.RotateWebhookSecretResponse>(send, 'POST', '/webhooks/{id}/rotate-secret', 'never')({ parameters: { id } }, options),
    /** Send a test event. Sends one `webhook.test` now and tells how it was received: no retries, no delivery record, no statistics. It waits 25 seconds for an answer. At most 10 in 60 seconds an account. It takes no body; one that is sent has to be a JSON object. */
    test: (id: string, options?: CallOptions) => operation<api.TestWebhookData, api.TestWebhookResponse>(send, 'POST', '/webhooks/{id}/test', 'never')({ parameters: { id } }, options),
    /** List deliveries of a webhook endpoint. The delivery log, newest first: a record for every event that the endpoint was to get, kept for 30 days. */
    listEvents: (id: string, query: api.ListWebhookEventsData['query'] = {}, options?: CallOptions) => operation<api.ListWebhookEventsData, api.ListWebhookEventsResponse>(send, 'GET', '/webhooks/{id}/events', 'freely')({ parameters: { id }, query }, options),
    /** All that `listEvents` has, page after page. */
    listAllEvents: (id: string, query: NonNullable<api.ListWebhookEventsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListWebhookEventsData, api.ListWebhookEventsResponse>(send, 'GET', '/webhooks/{id}/events', 'freely')({ parameters: { id }, query }, options), query),
  },
});

export type Resources = ReturnType<typeof createResources>;
