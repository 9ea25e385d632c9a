import assert from 'node:assert/strict';
import { until } from '../until.ts';
import type { Shop } from './shop.ts';

/** A shopper pays on the hosted page, and the merchant reads the order. */
export const checkCheckout = async ({ check, call, visit, publishableKey }: Shop, product: string): Promise<void> => {
  await check('the hosted page shows the cart, takes the payment and makes the order', async () => {
    const cart = {
      items: [{ product_id: product, quantity: 2 }],
      customer: { email: 'grace@example.com', last_name: 'Miller' },
      delivery_date: '2030-03-14',
      success_url: 'https://shop.example.com/thanks',
      cancel_url: 'https://shop.example.com/cart',
    };
    const { status, body: session } = await call('POST', '/checkout', cart, { key: publishableKey });
    assert.deepEqual([status, session.total], [201, 14.5]);
    const { pathname } = new URL(session.url);
    const page = await visit('GET', pathname);
    assert.deepEqual([page.status, page.text.includes('Rye')], [200, true]);
    const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const paid = await visit('POST', `${pathname}/pay`, {
      body: new URLSearchParams({ token, card_number: '4242424242424242' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([paid.status, paid.headers['location']], [303, 'https://shop.example.com/thanks']);
    const order = await until('the order is listed', 30_000, async () =>
      (await call('GET', '/orders?payment_status=paid')).body.data?.find(({ source }: { source: string }) => source === 'checkout'),
    );
    assert.equal(order.total, 14.5);
  });
};
