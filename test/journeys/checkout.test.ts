import { beforeAll, expect, test } from '@jest/globals';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

const journey = shared(() => startJourney({ regions: ['us'] }));
let merchant: Merchant;
beforeAll(async () => {
  merchant = await journey.merchant();
});

const types = [
  'order.created',
  'order.updated',
  'payment.created',
  'payment.completed',
  'customer.created',
  'customer.updated',
  'expense.created',
];

test('a checkout emits nothing until it is paid; then order, payment, customer and fee each emit their event once', async () => {
  const hook = journey.receiver.hook();
  await merchant.call('POST', '/webhooks', { url: hook.url, events: types });
  const heard = () => hook.requests.map(({ body }) => JSON.parse(body.toString()));
  const product = await merchant.act('product.create', { name: 'Rye', price: 7.25, currency: 'USD' });
  const { body: session } = await merchant.call('POST', '/checkout', {
    items: [{ product_id: product.id, quantity: 2 }],
    customer: { email: 'ada@example.com', last_name: 'Baker' },
    delivery_date: '2030-03-14',
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
  });
  const page = await journey.request(session.url, 'GET');
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  // An event of the session would come before this one in the stream.
  await merchant.call('POST', '/expenses', { amount: 1, date: '2026-03-01', category: 'rent' });
  await eventually(heard, ({ length }) => length === 1);
  expect(heard().map(({ type }) => type)).toEqual(['expense.created']);

  const paid = await journey.request(`${session.url}/pay`, 'POST', {
    body: new URLSearchParams({ token, card_number: '4242424242424242' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([paid.status, paid.headers['location']]).toEqual([303, 'https://shop.example.com/thanks']);
  await eventually(heard, ({ length }) => length === 6);
  const byType = Object.fromEntries(
    heard()
      .slice(1)
      .map(({ type, data }) => [type, data.object]),
  );
  expect(Object.keys(byType).sort()).toEqual([
    'customer.created',
    'expense.created',
    'order.created',
    'payment.completed',
    'payment.created',
  ]);
  const order = byType['order.created'];
  expect(order).toMatchObject({ source: 'checkout', payment_status: 'paid', total: 14.5, customer_id: byType['customer.created'].id });
  expect(byType['payment.completed']).toMatchObject({ order_id: order.id, amount: 14.5, status: 'completed', source: 'checkout' });
  expect(byType['expense.created']).toMatchObject({ category: 'bank_fees', amount: 0.72 });
  expect((await merchant.call('GET', `/orders/${order.id}`)).body.payments).toMatchObject([{ id: byType['payment.created'].id }]);
});
