import { type CreatedByApi, cause, causes, type Made, samplesOn, type Writer } from '../../ops/event-causes.ts';
import { type EventType, eventTypes } from '../../shared/domain/event/types.ts';
import { webhookTestRule } from '../../shared/http/rate-limits.ts';
import { resourceWords } from '../words/all.ts';
import { catalog, type Stage, settings, startMs } from './stage.ts';

const capitalized = <Noun extends string>(noun: Noun) => `${noun[0]?.toUpperCase()}${noun.slice(1)}` as Capitalize<Noun>;

/** Name of a creation's example, if the example shows more than the creation. */
const shown: Readonly<Partial<Record<CreatedByApi, readonly [name: string, summary: string]>>> = {
  order: ['details', 'By details of the customer'],
  customer: ['minimal', 'A new customer'],
};

/**
 * Performs the writes that emit each type of event, and records the deliveries. Resolves with the
 * id of their endpoint.
 */
export const playEvents = async (stage: Stage): Promise<string> => {
  const { act, call, recordEvent, hooks, later } = stage;
  const endpoint = await call('createWebhook', 'everything', 'For every type', {
    body: { url: `${hooks}/hooks/bakery`, events: [...eventTypes] },
  });
  const writer: Writer = {
    act,
    create(what, body) {
      const [name, summary] = shown[what] ?? ['announced', 'Announced by an event'];
      return call(`create${capitalized(what)}`, name, summary, { body });
    },
  };
  const samples = samplesOn(startMs);
  // One noun at a time, and each event in its own minute.
  for (const types of Map.groupBy(Object.keys(causes) as EventType[], (type) => type.split('.')[0]).values()) {
    const made: Made = {};
    for (const type of types) {
      later();
      await recordEvent(type, await cause(type, writer, samples, made));
    }
  }
  later();
  await call('testWebhook', 'everything', 'An endpoint of every type', { id: endpoint.id });
  await recordEvent('webhook.test');
  return endpoint.id;
};

/** The errors that integrators meet first. */
export const playErrors = async ({ call, hooks, keys }: Stage): Promise<void> => {
  const expense = { amount: 12.5, date: '2026-03-01', category: 'packaging' };
  const customer = { email: 'grace@example.com' };
  await call('listOrders', 'noKey', 'A key that is none', { key: 'svc_sk_live_us_unknown', status: 401 });
  await call('createExpense', 'missingScope', 'A key that only reads', { body: expense, key: keys.readOnly, status: 403 });
  await call('listOrders', 'publishableKey', 'A publishable key', { key: keys.publishable, status: 403 });
  await call('createExpense', 'invalidAmount', 'An amount of 0', { body: { ...expense, amount: 0 }, status: 400 });
  await call('createOrder', 'unknownCustomer', 'A customer who is not there', {
    body: { customer: { id: 'cus_unknown' }, items: [{ name: 'Roll', quantity: 1, unit_price: 2 }] },
    status: 400,
  });
  await call('listExpenses', 'conflictingFilters', 'Filters that do not go together', {
    query: { date_from: '2026-03-01', updated_after: '2026-03-01' },
    status: 400,
  });
  await call('listOrders', 'unsupportedSort', 'A range of creation with another sort', {
    query: { created_after: '2026-03-01', sort: 'updatedAt' },
    status: 400,
  });
  await call('retrieveOrder', 'unknown', 'No such order', { id: 'ord_unknown', status: 404 });
  const cursor = Buffer.from(JSON.stringify([1, 'of another list', '2026-03-10T09:00:00.000Z', 'ord_unknown'])).toString('base64url');
  await call('listOrders', 'foreignCursor', 'The cursor of another list', { query: { cursor }, status: 400 });
  await call('retrieveProduct', 'unknown', 'No such product', { id: 'prd_unknown', key: keys.publishable, status: 404 });
  await call('getAvailability', 'noDate', 'Neither a date nor a range', { key: keys.publishable, status: 400 });
  await call('createCustomer', 'malformedKey', 'A space in the Idempotency-Key', {
    body: customer,
    headers: { 'idempotency-key': 'customer 4712' },
    status: 400,
  });
  await call('createCustomer', 'phone', 'Known by phone', { body: { phone: '+1 555 0100', last_name: 'Hopper' } });
  await call('createCustomer', 'second', 'The same email in another case', { body: { email: 'ADA@example.com' }, status: 409 });
  await call('createCustomer', 'grace', 'With an Idempotency-Key', { body: customer, headers: { 'idempotency-key': 'customer-4712' } });
  await call('createCustomer', 'reusedKey', 'The same Idempotency-Key with another body', {
    body: { ...customer, first_name: 'Grace' },
    headers: { 'idempotency-key': 'customer-4712' },
    status: 422,
  });
  await call('createWebhook', 'unknownType', 'A type that nobody can subscribe to', {
    body: { url: `${hooks}/hooks/none`, events: ['webhook.test'] },
    status: 400,
  });
};

const catalogAndReference = async ({ act, call, keys }: Stage): Promise<void> => {
  const { publishable } = keys;
  await act('settings.put', settings);
  const [tart, sourdough] = [await act('product.create', catalog.tart), await act('product.create', catalog.sourdough)];
  await call('listProducts', 'storefront', 'A category, as shoppers see it', { query: { category: 'cakes' }, key: publishable });
  await call('retrieveProduct', 'tart', 'A product with variants', { id: tart.id, key: publishable });
  await call('createSearchToken', 'token', 'A token', { key: publishable });
  await call('createCheckout', 'delivery', 'A tart to be delivered', {
    body: {
      items: [
        { product_id: tart.id, variant_id: 'small', quantity: 1 },
        { product_id: sourdough.id, quantity: 2 },
      ],
      customer: { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' },
      delivery_type: 'delivery',
      delivery_date: '2026-03-19',
      delivery_time: '17:00',
      delivery_address: { line1: '12 Maple Street', city: 'Springfield', postcode: '01101' },
      external_id: 'web-4711',
      success_url: 'https://shop.example.com/thanks?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://shop.example.com/cart',
    },
    key: publishable,
  });
  await call('listExpenseCategories', 'all', 'The fixed list', { key: publishable });
  await call('listPaymentMethods', 'all', 'Enabled methods', { key: publishable });
  await call('listEventCategories', 'all', 'Configured categories', { key: publishable });
  await call('listTimeSlots', 'pickup', 'Pickup only', { query: { type: 'pickup' }, key: publishable });
  await call('listBlockedDates', 'secretKey', 'For a secret key');
  await call('listBlockedDates', 'publishableKey', 'For a publishable key', { key: publishable });
  await call('listCustomFields', 'secretKey', 'Fields of orders, for a secret key', { query: { scope: 'order' } });
  await call('listCustomFields', 'publishableKey', 'For a publishable key', { query: { scope: 'order' }, key: publishable });
  await call('getAvailability', 'date', 'One date', { query: { date: '2026-03-19' }, key: publishable });
  await call('getAvailability', 'range', 'Deliveries in a range with a blocked date', {
    query: { from: '2026-04-02', to: '2026-04-03', type: 'delivery' },
    key: publishable,
  });
};

const customersAndOrders = async ({ call, later }: Stage): Promise<void> => {
  const ada = await call('createCustomer', 'email', 'Known by email', {
    body: { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com', tags: ['regular'], marketing_email: true },
    headers: { 'idempotency-key': 'customer-4711' },
  });
  later();
  const order = await call('createOrder', 'wedding', 'A cake to be delivered, with a deposit', {
    body: {
      customer: { id: ada.id },
      items: [{ name: 'Wedding cake, three tiers', quantity: 1, unit_price: 420, notes: 'White roses' }],
      status: 'confirmed',
      payment_status: 'partial_payment',
      payments: [{ amount: 100, method: 'card', method_details: { brand: 'visa', last4: '4242' } }],
      emit_webhooks: true,
      delivery_type: 'delivery',
      delivery_date: '2026-06-20',
      delivery_time: '11:00',
      delivery_address: '12 Maple Street, Springfield',
      delivery_fee: 25,
      event_category: 'Wedding',
      custom_fields: { message: 'Ada & Jonas' },
    },
    headers: { 'idempotency-key': 'order-4711' },
  });
  later();
  await call('createOrder', 'walkIn', 'Over the counter, without a customer', {
    body: { items: [{ name: 'Sourdough loaf', quantity: 2, unit_price: 8.5 }], payment_method: 'cash' },
  });
  await call('retrieveOrder', 'wedding', 'With its payment', { id: order.id });
  const { pagination } = await call('listOrders', 'firstPage', 'The newest order', { query: { status: 'pending,confirmed', limit: '1' } });
  await call('listOrders', 'nextPage', 'The page after it', {
    query: { status: 'pending,confirmed', limit: '1', cursor: pagination.next_cursor },
  });
  await call('retrieveCustomer', 'ada', 'With the totals of her orders', { id: ada.id });
  await call('listCustomers', 'sync', 'Saved since the last sync, that moment included', {
    query: { updated_after: '2026-03-10T09:00:00.000Z' },
  });
};

/**
 * Sends every example of the document in a possible order. Examples of one resource alone are
 * beside its words.
 */
export const script = async (stage: Stage): Promise<void> => {
  await catalogAndReference(stage);
  stage.later();
  await customersAndOrders(stage);
  stage.later();
  for (const { examples } of resourceWords)
    if (examples) {
      await examples(stage);
      stage.later();
    }
  await playErrors(stage);
  stage.later();
  const endpoint = await playEvents(stage);
  stage.later();
  await playGates(stage, endpoint);
};

/** Errors that close the account for later examples, so they run last. */
const playGates = async ({ account, act, call, keys, later, send }: Stage, endpoint: string): Promise<void> => {
  const order = { items: [{ name: 'Roll', quantity: 1, unit_price: 2 }] };
  await act('account.update', { id: account, order_limit: 1 });
  await call('createOrder', 'limitReached', 'One order more than the plan has', { body: order, status: 403 });
  later();
  for (let sent = 0; sent < webhookTestRule.limit; sent++) await send('testWebhook', { id: endpoint });
  await call('testWebhook', 'tooMany', 'Too many tests in a minute', { id: endpoint, status: 429 });
  await act('account.update', { id: account, plan: 'starter' });
  await call('getAvailability', 'planRequired', 'An account on another plan', { key: keys.publishable, status: 403 });
  await act('account.update', { id: account, plan: 'business', status: 'suspended' });
  await call('listOrders', 'accountInactive', 'An account that is suspended', { status: 403 });
};
