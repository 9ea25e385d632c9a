import type { Stage } from './stage.ts';

/** The errors that integrators meet first. */
export const playRefusals = async ({ call, hooks, keys }: Stage): Promise<void> => {
  const expense = { amount: 12.5, date: '2026-03-01', category: 'packaging' };
  const customer = { email: 'grace@example.com' };
  await call('listOrders', 'noKey', { summary: 'A key that is none', key: 'svc_sk_live_us_unknown', status: 401 });
  await call('createExpense', 'missingScope', { summary: 'A key that only reads', body: expense, key: keys.readOnly, status: 403 });
  await call('listOrders', 'publishableKey', { summary: 'A publishable key', key: keys.publishable, status: 403 });
  await call('createExpense', 'invalidAmount', { summary: 'An amount of 0', body: { ...expense, amount: 0 }, status: 400 });
  await call('createOrder', 'unknownCustomer', {
    summary: 'A customer who is not there',
    body: { customer: { id: 'cus_unknown' }, items: [{ name: 'Roll', quantity: 1, unit_price: 2 }] },
    status: 400,
  });
  await call('listExpenses', 'conflictingFilters', {
    summary: 'Filters that do not go together',
    query: { date_from: '2026-03-01', updated_after: '2026-03-01' },
    status: 400,
  });
  await call('listOrders', 'unsupportedSort', {
    summary: 'A range of creation with another sort',
    query: { created_after: '2026-03-01', sort: 'updatedAt' },
    status: 400,
  });
  await call('retrieveOrder', 'unknown', { summary: 'No such order', id: 'ord_unknown', status: 404 });
  const cursor = Buffer.from(JSON.stringify([1, 'of another list', '2026-03-10T09:00:00.000Z', 'ord_unknown'])).toString('base64url');
  await call('listOrders', 'foreignCursor', { summary: 'The cursor of another list', query: { cursor }, status: 400 });
  await call('retrieveProduct', 'unknown', { summary: 'No such product', id: 'prd_unknown', key: keys.publishable, status: 404 });
  await call('getAvailability', 'noDate', { summary: 'Neither a date nor a range', key: keys.publishable, status: 400 });
  await call('createCustomer', 'malformedKey', {
    summary: 'A space in the Idempotency-Key',
    body: customer,
    headers: { 'idempotency-key': 'customer 4712' },
    status: 400,
  });
  await call('createCustomer', 'phone', { summary: 'Known by phone', body: { phone: '+1 555 0100', last_name: 'Hopper' }, status: 201 });
  await call('createCustomer', 'second', {
    summary: 'The same email in another case',
    body: { email: 'ADA@example.com' },
    status: 409,
  });
  await call('createCustomer', 'grace', {
    summary: 'With an Idempotency-Key',
    body: customer,
    headers: { 'idempotency-key': 'customer-4712' },
    status: 201,
  });
  await call('createCustomer', 'reusedKey', {
    summary: 'The same Idempotency-Key with another body',
    body: { ...customer, first_name: 'Grace' },
    headers: { 'idempotency-key': 'customer-4712' },
    status: 422,
  });
  await call('createWebhook', 'unknownType', {
    summary: 'A type that nobody can subscribe to',
    body: { url: `${hooks}/hooks/none`, events: ['webhook.test'] },
    status: 400,
  });
};
