import type * as api from './generated/types.gen.ts';
import { eachOf } from './pages.ts';
import type { CallOptions, CreateOptions, Request, Send } from './transport.ts';

/** What the generator makes of an operation; `url` is a literal, so a path that the document lacks is a type error. */
interface Operation {
  readonly url: string;
  readonly body?: unknown;
  readonly query?: unknown;
}

interface Input<Data extends Operation> {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Data['query'];
  readonly body?: Data['body'];
}

/** One operation: its method and path, whether it may be repeated, and its types. */
const operation =
  <Data extends Operation, Result>(send: Send, method: string, path: Data['url'], repeatable: Request['repeatable']) =>
  (input: Input<Data>, options?: CreateOptions): Promise<Result> =>
    send({ ...input, method, path, repeatable } as Request, options) as Promise<Result>;

const createOrders = (send: Send) => {
  const list = operation<api.ListOrdersData, api.ListOrdersResponse>(send, 'GET', '/orders', 'freely');
  const retrieve = operation<api.RetrieveOrderData, api.RetrieveOrderResponse>(send, 'GET', '/orders/{id}', 'freely');
  const create = operation<api.CreateOrderData, api.CreateOrderResponse>(send, 'POST', '/orders', 'keyed');
  return {
    /** One page of orders, without their payments. */
    list: (query: api.ListOrdersData['query'] = {}, options?: CallOptions) => list({ query }, options),
    /** Every order that the parameters choose. */
    listAll: (query: NonNullable<api.ListOrdersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => list({ query }, options), query),
    /** One order with its payments. */
    retrieve: (id: string, options?: CallOptions) => retrieve({ parameters: { id } }, options),
    /** Creates an order, with a customer and payments if they are given. */
    create: (body: api.CreateOrderData['body'], options?: CreateOptions) => create({ body }, options),
  };
};

const createCustomers = (send: Send) => {
  const list = operation<api.ListCustomersData, api.ListCustomersResponse>(send, 'GET', '/customers', 'freely');
  const retrieve = operation<api.RetrieveCustomerData, api.RetrieveCustomerResponse>(send, 'GET', '/customers/{id}', 'freely');
  const create = operation<api.CreateCustomerData, api.CreateCustomerResponse>(send, 'POST', '/customers', 'keyed');
  return {
    /** One page of customers. */
    list: (query: api.ListCustomersData['query'] = {}, options?: CallOptions) => list({ query }, options),
    /** Every customer that the parameters choose. */
    listAll: (query: NonNullable<api.ListCustomersData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => list({ query }, options), query),
    /** One customer. */
    retrieve: (id: string, options?: CallOptions) => retrieve({ parameters: { id } }, options),
    /** Creates a customer; 409 `conflict` where the email is taken. */
    create: (body: api.CreateCustomerData['body'], options?: CreateOptions) => create({ body }, options),
  };
};

const createExpenses = (send: Send) => {
  const list = operation<api.ListExpensesData, api.ListExpensesResponse>(send, 'GET', '/expenses', 'freely');
  const retrieve = operation<api.RetrieveExpenseData, api.RetrieveExpenseResponse>(send, 'GET', '/expenses/{id}', 'freely');
  const create = operation<api.CreateExpenseData, api.CreateExpenseResponse>(send, 'POST', '/expenses', 'keyed');
  return {
    /** One page of expenses in their light shape. */
    list: (query: api.ListExpensesData['query'] = {}, options?: CallOptions) => list({ query }, options),
    /** Every expense that the parameters choose, in its light shape. */
    listAll: (query: NonNullable<api.ListExpensesData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => list({ query }, options), query),
    /** One expense in full. */
    retrieve: (id: string, options?: CallOptions) => retrieve({ parameters: { id } }, options),
    /** Creates an expense. */
    create: (body: api.CreateExpenseData['body'], options?: CreateOptions) => create({ body }, options),
  };
};

const createProducts = (send: Send) => {
  const list = operation<api.ListProductsData, api.ListProductsResponse>(send, 'GET', '/products', 'freely');
  const retrieve = operation<api.RetrieveProductData, api.RetrieveProductResponse>(send, 'GET', '/products/{id}', 'freely');
  const searchToken = operation<api.CreateSearchTokenData, api.CreateSearchTokenResponse>(send, 'POST', '/products/search-token', 'freely');
  return {
    /** One page of products; a publishable key sees those of the storefront. */
    list: (query: api.ListProductsData['query'] = {}, options?: CallOptions) => list({ query }, options),
    /** Every product that the parameters choose. */
    listAll: (query: NonNullable<api.ListProductsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => list({ query }, options), query),
    /** One product. */
    retrieve: (id: string, options?: CallOptions) => retrieve({ parameters: { id } }, options),
    /** A search-only key for the public catalog, valid for minutes. */
    createSearchToken: (options?: CallOptions) => searchToken({}, options),
  };
};

const createReference = (send: Send) => {
  const expenseCategories = operation<api.ListExpenseCategoriesData, api.ListExpenseCategoriesResponse>(
    send,
    'GET',
    '/reference/expense-categories',
    'freely',
  );
  const paymentMethods = operation<api.ListPaymentMethodsData, api.ListPaymentMethodsResponse>(
    send,
    'GET',
    '/reference/payment-methods',
    'freely',
  );
  const eventCategories = operation<api.ListEventCategoriesData, api.ListEventCategoriesResponse>(
    send,
    'GET',
    '/reference/event-categories',
    'freely',
  );
  const timeSlots = operation<api.ListTimeSlotsData, api.ListTimeSlotsResponse>(send, 'GET', '/reference/time-slots', 'freely');
  const blockedDates = operation<api.ListBlockedDatesData, api.ListBlockedDatesResponse>(send, 'GET', '/reference/blocked-dates', 'freely');
  const customFields = operation<api.ListCustomFieldsData, api.ListCustomFieldsResponse>(send, 'GET', '/reference/custom-fields', 'freely');
  return {
    /** The fixed categories, the same for every account. */
    listExpenseCategories: (options?: CallOptions) => expenseCategories({}, options),
    /** The account's own methods, not those of payments. */
    listPaymentMethods: (options?: CallOptions) => paymentMethods({}, options),
    /** Names to choose an order's `event_category` from. */
    listEventCategories: (options?: CallOptions) => eventCategories({}, options),
    /** Pickup slots, then delivery slots. */
    listTimeSlots: (query: api.ListTimeSlotsData['query'] = {}, options?: CallOptions) => timeSlots({ query }, options),
    /** Single dates and weekly rules. */
    listBlockedDates: (options?: CallOptions) => blockedDates({}, options),
    /** Definitions of the fields that orders, products and customers may carry. */
    listCustomFields: (query: api.ListCustomFieldsData['query'] = {}, options?: CallOptions) => customFields({ query }, options),
  };
};

const createAvailability = (send: Send) => {
  const retrieve = operation<api.GetAvailabilityData, api.GetAvailabilityResponse>(send, 'GET', '/availability', 'freely');
  return {
    /** Dates and their slots: of one `date`, or of `from` to `to`. */
    retrieve: (query: NonNullable<api.GetAvailabilityData['query']>, options?: CallOptions) => retrieve({ query }, options),
  };
};

const createCheckout = (send: Send) => {
  const create = operation<api.CreateCheckoutData, api.CreateCheckoutResponse>(send, 'POST', '/checkout', 'keyed');
  return {
    /** Opens a session of the hosted checkout; send the shopper to its `url`. */
    create: (body: api.CreateCheckoutData['body'], options?: CreateOptions) => create({ body }, options),
  };
};

const createWebhooks = (send: Send) => {
  const list = operation<api.ListWebhooksData, api.ListWebhooksResponse>(send, 'GET', '/webhooks', 'freely');
  const retrieve = operation<api.RetrieveWebhookData, api.RetrieveWebhookResponse>(send, 'GET', '/webhooks/{id}', 'freely');
  const create = operation<api.CreateWebhookData, api.CreateWebhookResponse>(send, 'POST', '/webhooks', 'keyed');
  const update = operation<api.UpdateWebhookData, api.UpdateWebhookResponse>(send, 'PATCH', '/webhooks/{id}', 'never');
  const remove = operation<api.DeleteWebhookData, api.DeleteWebhookResponse>(send, 'DELETE', '/webhooks/{id}', 'never');
  const rotate = operation<api.RotateWebhookSecretData, api.RotateWebhookSecretResponse>(
    send,
    'POST',
    '/webhooks/{id}/rotate-secret',
    'never',
  );
  const trial = operation<api.TestWebhookData, api.TestWebhookResponse>(send, 'POST', '/webhooks/{id}/test', 'never');
  const events = operation<api.ListWebhookEventsData, api.ListWebhookEventsResponse>(send, 'GET', '/webhooks/{id}/events', 'freely');
  return {
    /** One page of endpoints, newest first. */
    list: (query: api.ListWebhooksData['query'] = {}, options?: CallOptions) => list({ query }, options),
    /** Every endpoint, newest first. */
    listAll: (query: NonNullable<api.ListWebhooksData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => list({ query }, options), query),
    /** One endpoint, without its secret. */
    retrieve: (id: string, options?: CallOptions) => retrieve({ parameters: { id } }, options),
    /** Registers an endpoint; its secret is in this answer only. */
    create: (body: api.CreateWebhookData['body'], options?: CreateOptions) => create({ body }, options),
    /** Changes what is given; `enabled: true` brings back a disabled endpoint. */
    update: (id: string, body: api.UpdateWebhookData['body'], options?: CallOptions) => update({ parameters: { id }, body }, options),
    /** Deletes for good. */
    delete: (id: string, options?: CallOptions) => remove({ parameters: { id } }, options),
    /** A new secret, in this answer only; the old one signs beside it for 24 hours. */
    rotateSecret: (id: string, options?: CallOptions) => rotate({ parameters: { id } }, options),
    /** Sends one `webhook.test` now and answers with its outcome. */
    test: (id: string, options?: CallOptions) => trial({ parameters: { id } }, options),
    /** One page of the deliveries to an endpoint, newest first. */
    listEvents: (id: string, query: api.ListWebhookEventsData['query'] = {}, options?: CallOptions) =>
      events({ parameters: { id }, query }, options),
    /** Every delivery to an endpoint that the parameters choose, newest first. */
    listAllEvents: (id: string, query: NonNullable<api.ListWebhookEventsData['query']> = {}, options?: CallOptions) =>
      eachOf((query) => events({ parameters: { id }, query }, options), query),
  };
};

/** The operations by resource. */
export const createResources = (send: Send) => ({
  orders: createOrders(send),
  customers: createCustomers(send),
  expenses: createExpenses(send),
  products: createProducts(send),
  reference: createReference(send),
  availability: createAvailability(send),
  checkout: createCheckout(send),
  webhooks: createWebhooks(send),
});

export type Resources = ReturnType<typeof createResources>;
