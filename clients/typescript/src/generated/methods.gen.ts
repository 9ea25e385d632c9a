// Generated from docs/openapi.json.
import { operation } from '../operation.ts';
import { eachOf } from '../pages.ts';
import type { CallOptions, CreateOptions, Send } from '../transport.ts';
import type * as api from './types.gen.ts';

/** The operations by resource. */
export const createResources = (send: Send) => ({
  checkout: {
    /** Create a checkout session. Prices a cart from the catalog and returns the URL of a hosted page. The shopper can pay there for 24 hours. The payment creates the order, and events for both follow; an unpaid session sends no events. Amounts are whole numbers if the currency has no smaller unit. A blocked date, a slot that is not offered or over, a product with variants without a `variant_id`, and a product in another currency than the account fail with `invalid_value`. */
    create: (body: api.CreateCheckoutData['body'], options?: CreateOptions) => operation<api.CreateCheckoutData, api.CreateCheckoutResponse>(send, 'POST', '/checkout', 'keyed')({ body }, options),
  },
  customers: {
    /** List customers. Newest first. With `updated_after`: last saved first. */
    list: (query: api.ListCustomersData['query'] = {}, options?: CallOptions) => operation<api.ListCustomersData, api.ListCustomersResponse>(send, 'GET', '/customers', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListCustomersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListCustomersData, api.ListCustomersResponse>(send, 'GET', '/customers', 'freely')({ query }, options), query),
    /** Create a customer. An email, a phone or a last name is required. Emits `customer.created`. */
    create: (body: api.CreateCustomerData['body'], options?: CreateOptions) => operation<api.CreateCustomerData, api.CreateCustomerResponse>(send, 'POST', '/customers', 'keyed')({ body }, options),
    /** Retrieve a customer. Returns one customer with the totals of their orders. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveCustomerData, api.RetrieveCustomerResponse>(send, 'GET', '/customers/{id}', 'freely')({ parameters: { id } }, options),
  },
  expenses: {
    /** List expenses. Returns fewer fields than by id. Gateway fees are included, deleted expenses are not. Query a range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each can be combined with one of `category`, `status` and `supplier_id`; a second one fails with `invalid_value`. */
    list: (query: api.ListExpensesData['query'] = {}, options?: CallOptions) => operation<api.ListExpensesData, api.ListExpensesResponse>(send, 'GET', '/expenses', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListExpensesData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListExpensesData, api.ListExpensesResponse>(send, 'GET', '/expenses', 'freely')({ query }, options), query),
    /** Create an expense. The service sets the id, status `submitted` and source `api`, whatever is sent. Emits `expense.created`. If neither the request nor the account has a currency, the response is 500. */
    create: (body: api.CreateExpenseData['body'], options?: CreateOptions) => operation<api.CreateExpenseData, api.CreateExpenseResponse>(send, 'POST', '/expenses', 'keyed')({ body }, options),
    /** Retrieve an expense. Returns all fields. A gateway-fee expense also has `line_items` and `metadata`. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveExpenseData, api.RetrieveExpenseResponse>(send, 'GET', '/expenses/{id}', 'freely')({ parameters: { id } }, options),
  },
  orders: {
    /** List orders. Newest first, or sorted by last save or delivery date. Leaves out deleted orders. The orders have no `payments`: retrieve an order to get them. */
    list: (query: api.ListOrdersData['query'] = {}, options?: CallOptions) => operation<api.ListOrdersData, api.ListOrdersResponse>(send, 'GET', '/orders', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListOrdersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListOrdersData, api.ListOrdersResponse>(send, 'GET', '/orders', 'freely')({ query }, options), query),
    /** Create an order. The service calculates prices, subtotal and total: total = subtotal + tax + delivery fee − discount. Order, customer and payments are created together or not at all. Emits `order.created`, and `customer.created` if the customer is new. Payments emit events only with `emit_webhooks`. */
    create: (body: api.CreateOrderData['body'], options?: CreateOptions) => operation<api.CreateOrderData, api.CreateOrderResponse>(send, 'POST', '/orders', 'keyed')({ body }, options),
    /** Retrieve an order. Returns one order with its payments and refunds. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveOrderData, api.RetrieveOrderResponse>(send, 'GET', '/orders/{id}', 'freely')({ parameters: { id } }, options),
  },
  products: {
    /** List products. Newest first. With `updated_after`: last saved first. A publishable key gets only products on the storefront. */
    list: (query: api.ListProductsData['query'] = {}, options?: CallOptions) => operation<api.ListProductsData, api.ListProductsResponse>(send, 'GET', '/products', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListProductsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListProductsData, api.ListProductsResponse>(send, 'GET', '/products', 'freely')({ query }, options), query),
    /** Retrieve a product. A deleted product gives 404. With a publishable key, so does a product that the storefront hides. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveProductData, api.RetrieveProductResponse>(send, 'GET', '/products/{id}', 'freely')({ parameters: { id } }, options),
    /** Create a search token. Returns a key with which a browser searches the storefront at the search engine, for 15 minutes. No body is needed; if there is one, it must be a JSON object. */
    createSearchToken: (options?: CallOptions) => operation<api.CreateSearchTokenData, api.CreateSearchTokenResponse>(send, 'POST', '/products/search-token', 'freely')({}, options),
  },
  reference: {
    /** List expense categories. A fixed list of 19, the same for every account. */
    listExpenseCategories: (options?: CallOptions) => operation<api.ListExpenseCategoriesData, api.ListExpenseCategoriesResponse>(send, 'GET', '/reference/expense-categories', 'freely')({}, options),
    /** List payment methods. The account's enabled methods. Orders may have other methods. */
    listPaymentMethods: (options?: CallOptions) => operation<api.ListPaymentMethodsData, api.ListPaymentMethodsResponse>(send, 'GET', '/reference/payment-methods', 'freely')({}, options),
    /** List event categories. Occasions for orders. Defaults if the account has configured none. */
    listEventCategories: (options?: CallOptions) => operation<api.ListEventCategoriesData, api.ListEventCategoriesResponse>(send, 'GET', '/reference/event-categories', 'freely')({}, options),
    /** List time slots. All configured slots, for any date. Use `GET /availability` for the slots of one date. */
    listTimeSlots: (query: api.ListTimeSlotsData['query'] = {}, options?: CallOptions) => operation<api.ListTimeSlotsData, api.ListTimeSlotsResponse>(send, 'GET', '/reference/time-slots', 'freely')({ query }, options),
    /** List blocked dates. Single dates and weekly rules, as configured. Only secret keys get reasons and holidays. */
    listBlockedDates: (options?: CallOptions) => operation<api.ListBlockedDatesData, api.ListBlockedDatesResponse>(send, 'GET', '/reference/blocked-dates', 'freely')({}, options),
    /** List custom fields. Active definitions. Only secret keys get internal definitions and the field `internal`. */
    listCustomFields: (query: api.ListCustomFieldsData['query'] = {}, options?: CallOptions) => operation<api.ListCustomFieldsData, api.ListCustomFieldsResponse>(send, 'GET', '/reference/custom-fields', 'freely')({ query }, options),
  },
  availability: {
    /** Get availability. Send either `date`, or `from` and `to`. Returns each date with the slots it offers. A date is blocked by a single date first, then by a weekly rule. Nothing else is considered. */
    retrieve: (query: NonNullable<api.GetAvailabilityData['query']>, options?: CallOptions) => operation<api.GetAvailabilityData, api.GetAvailabilityResponse>(send, 'GET', '/availability', 'freely')({ query }, options),
  },
  webhooks: {
    /** Register a webhook endpoint. At most 10 per account; another one fails with `invalid_value`. Private, internal, loopback, link-local and cloud-metadata addresses are rejected, here and at each delivery. Only this response has the signing secret. */
    create: (body: api.CreateWebhookData['body'], options?: CreateOptions) => operation<api.CreateWebhookData, api.CreateWebhookResponse>(send, 'POST', '/webhooks', 'keyed')({ body }, options),
    /** List webhook endpoints. Newest first, without secrets. */
    list: (query: api.ListWebhooksData['query'] = {}, options?: CallOptions) => operation<api.ListWebhooksData, api.ListWebhooksResponse>(send, 'GET', '/webhooks', 'freely')({ query }, options),
    /** All that `list` has, page after page. */
    listAll: (query: NonNullable<api.ListWebhooksData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListWebhooksData, api.ListWebhooksResponse>(send, 'GET', '/webhooks', 'freely')({ query }, options), query),
    /** Retrieve a webhook endpoint. Returns one endpoint without its secret, with the reason if the service disabled it. */
    retrieve: (id: string, options?: CallOptions) => operation<api.RetrieveWebhookData, api.RetrieveWebhookResponse>(send, 'GET', '/webhooks/{id}', 'freely')({ parameters: { id } }, options),
    /** Update a webhook endpoint. Changes only the fields that are sent. Events from while the endpoint was disabled are not sent later. */
    update: (id: string, body: api.UpdateWebhookData['body'], options?: CallOptions) => operation<api.UpdateWebhookData, api.UpdateWebhookResponse>(send, 'PATCH', '/webhooks/{id}', 'never')({ parameters: { id }, body }, options),
    /** Delete a webhook endpoint. Deletes the endpoint for good. Waiting deliveries fail with `endpoint_disabled` when they are due. */
    delete: (id: string, options?: CallOptions) => operation<api.DeleteWebhookData, api.DeleteWebhookResponse>(send, 'DELETE', '/webhooks/{id}', 'never')({ parameters: { id } }, options),
    /** Rotate the signing secret. The new secret signs from the next attempt on. For 24 hours the old one signs too, in a second header. A secret from an earlier rotation ends at once. No body is needed; if there is one, it must be a JSON object. */
    rotateSecret: (id: string, options?: CallOptions) => operation<api.RotateWebhookSecretData, api.RotateWebhookSecretResponse>(send, 'POST', '/webhooks/{id}/rotate-secret', 'never')({ parameters: { id } }, options),
    /** Send a test event. Sends one `webhook.test` now and returns the result. There are no retries, no delivery record and no statistics. It waits 25 seconds for a response. At most 10 per account in 60 seconds. No body is needed; if there is one, it must be a JSON object. */
    test: (id: string, options?: CallOptions) => operation<api.TestWebhookData, api.TestWebhookResponse>(send, 'POST', '/webhooks/{id}/test', 'never')({ parameters: { id } }, options),
    /** List deliveries of a webhook endpoint. Returns the delivery log, newest first: one record per event for the endpoint, kept for 30 days. */
    listEvents: (id: string, query: api.ListWebhookEventsData['query'] = {}, options?: CallOptions) => operation<api.ListWebhookEventsData, api.ListWebhookEventsResponse>(send, 'GET', '/webhooks/{id}/events', 'freely')({ parameters: { id }, query }, options),
    /** All that `listEvents` has, page after page. */
    listAllEvents: (id: string, query: NonNullable<api.ListWebhookEventsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => operation<api.ListWebhookEventsData, api.ListWebhookEventsResponse>(send, 'GET', '/webhooks/{id}/events', 'freely')({ parameters: { id }, query }, options), query),
  },
});

export type Resources = ReturnType<typeof createResources>;

/** Every type that an endpoint can subscribe to. */
export const eventTypes: readonly api.EventType[] = ["order.created","order.updated","order.status_changed","order.deleted","customer.created","customer.updated","expense.created","expense.updated","product.created","product.updated","product.deleted","payment.created","payment.updated","payment.completed","payment.failed","payment.refunded","quick_sale.created","quick_sale.updated","quick_sale.deleted","inventory.low"];
