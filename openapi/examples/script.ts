import { playEvents } from './events.ts';
import { playGates } from './gates.ts';
import { playRefusals } from './refusals.ts';
import { catalog, settings } from './samples.ts';
import type { Stage } from './stage.ts';

const catalogAndReference = async ({ act, call, keys }: Stage): Promise<void> => {
  const { publishable } = keys;
  await act('settings.put', settings);
  const [tart, sourdough] = [await act('product.create', catalog.tart), await act('product.create', catalog.sourdough)];
  await call('listProducts', 'storefront', {
    summary: 'A category, as shoppers see it',
    query: { category: 'cakes' },
    key: publishable,
    status: 200,
  });
  await call('retrieveProduct', 'tart', { summary: 'A product with variants', id: tart.id, key: publishable, status: 200 });
  await call('createSearchToken', 'token', { summary: 'A token', key: publishable, status: 201 });
  await call('createCheckout', 'delivery', {
    summary: 'A tart to be delivered',
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
    status: 201,
  });
  await call('listExpenseCategories', 'all', { summary: 'The fixed list', key: publishable, status: 200 });
  await call('listPaymentMethods', 'all', { summary: 'Enabled methods', key: publishable, status: 200 });
  await call('listEventCategories', 'all', { summary: 'Configured categories', key: publishable, status: 200 });
  await call('listTimeSlots', 'pickup', { summary: 'Pickup only', query: { type: 'pickup' }, key: publishable, status: 200 });
  await call('listBlockedDates', 'secretKey', { summary: 'For a secret key', status: 200 });
  await call('listBlockedDates', 'publishableKey', { summary: 'For a publishable key', key: publishable, status: 200 });
  await call('listCustomFields', 'secretKey', { summary: 'Fields of orders, for a secret key', query: { scope: 'order' }, status: 200 });
  await call('listCustomFields', 'publishableKey', {
    summary: 'For a publishable key',
    query: { scope: 'order' },
    key: publishable,
    status: 200,
  });
  await call('getAvailability', 'date', { summary: 'One date', query: { date: '2026-03-19' }, key: publishable, status: 200 });
  await call('getAvailability', 'range', {
    summary: 'Deliveries in a range with a blocked date',
    query: { from: '2026-04-02', to: '2026-04-03', type: 'delivery' },
    key: publishable,
    status: 200,
  });
};

const customersAndOrders = async ({ call, later }: Stage): Promise<void> => {
  const ada = await call('createCustomer', 'email', {
    summary: 'Known by email',
    body: { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com', tags: ['regular'], marketing_email: true },
    headers: { 'idempotency-key': 'customer-4711' },
    status: 201,
  });
  later();
  const order = await call('createOrder', 'wedding', {
    summary: 'A cake to be delivered, with a deposit',
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
    status: 201,
  });
  later();
  await call('createOrder', 'walkIn', {
    summary: 'Over the counter, without a customer',
    body: { items: [{ name: 'Sourdough loaf', quantity: 2, unit_price: 8.5 }], payment_method: 'cash' },
    status: 201,
  });
  await call('retrieveOrder', 'wedding', { summary: 'With its payment', id: order.id, status: 200 });
  const { pagination } = await call('listOrders', 'firstPage', {
    summary: 'The newest order',
    query: { status: 'pending,confirmed', limit: '1' },
    status: 200,
  });
  await call('listOrders', 'nextPage', {
    summary: 'The page after it',
    query: { status: 'pending,confirmed', limit: '1', cursor: pagination.next_cursor },
    status: 200,
  });
  await call('retrieveCustomer', 'ada', { summary: 'With the totals of her orders', id: ada.id, status: 200 });
  await call('listCustomers', 'sync', {
    summary: 'Saved since the last sync, that moment included',
    query: { updated_after: '2026-03-10T09:00:00.000Z' },
    status: 200,
  });
};

const expenses = async ({ act, call, later }: Stage): Promise<void> => {
  const flour = await call('createExpense', 'flour', {
    summary: 'By the label of its category',
    body: {
      amount: 184.6,
      date: '2026-03-09',
      category: 'Ingredients',
      description: 'Flour and butter',
      supplier: { id: 'sup_mill', name: 'Old Mill' },
      payment: { method: 'card', status: 'paid' },
      tax: { amount: 16.78, rate: 10 },
      tags: ['weekly'],
    },
    headers: { 'idempotency-key': 'expense-4711' },
    status: 201,
  });
  await call('retrieveExpense', 'flour', { summary: 'An expense of the API', id: flour.id, status: 200 });
  const fee = { order_id: 'ord_4711', order_label: '#1001', gateway: 'stripe', amount: 1.75, date: '2026-03-10' };
  const { id } = await act('gateway_fee.record', fee);
  await call('retrieveExpense', 'gatewayFee', { summary: "A day's gateway fees", id, status: 200 });
  later();
  await call('listExpenses', 'march', { summary: 'A month', query: { date_from: '2026-03-01', date_to: '2026-03-31' }, status: 200 });
};

const webhooks = async ({ call, delivered, hooks, later }: Stage): Promise<void> => {
  const endpoint = await call('createWebhook', 'expenses', {
    summary: 'For one type',
    body: { url: `${hooks}/hooks/expenses`, events: ['expense.created'], description: 'Bookkeeping' },
    headers: { 'idempotency-key': 'webhook-4711' },
    status: 201,
  });
  const { id } = endpoint;
  await call('testWebhook', 'received', { summary: 'The receiver answered with 2xx', id, status: 200 });
  later();
  await call('createExpense', 'rent', {
    summary: 'The least there is',
    body: { amount: 950, date: '2026-03-01', category: 'rent' },
    status: 201,
  });
  await delivered(id, 1);
  await call('listWebhookEvents', 'delivered', { summary: 'What was delivered', id, query: { status: 'delivered' }, status: 200 });
  await call('retrieveWebhook', 'active', { summary: 'With its statistics', id, status: 200 });
  await call('listWebhooks', 'all', { summary: 'All of them', status: 200 });
  later();
  await call('updateWebhook', 'types', {
    summary: 'Other types',
    id,
    body: { events: ['expense.created', 'expense.updated'] },
    status: 200,
  });
  await call('updateWebhook', 'disable', { summary: 'Pause it', id, body: { enabled: false }, status: 200 });
  await call('testWebhook', 'disabled', { summary: 'A disabled endpoint', id, status: 409 });
  await call('rotateWebhookSecret', 'rotated', { summary: 'A new secret', id, status: 200 });
  await call('deleteWebhook', 'deleted', { summary: 'Gone', id, status: 200 });
};

/** Everything the document shows as an example, in an order in which it can happen. */
export const script = async (stage: Stage): Promise<void> => {
  await catalogAndReference(stage);
  stage.later();
  await customersAndOrders(stage);
  stage.later();
  await expenses(stage);
  stage.later();
  await webhooks(stage);
  stage.later();
  await playRefusals(stage);
  stage.later();
  const endpoint = await playEvents(stage);
  stage.later();
  await playGates(stage, endpoint);
};
