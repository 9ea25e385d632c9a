import { afterEach, describe, expect, test } from '@jest/globals';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { orderMonth } from '../../shared/domain/order/rules.ts';
import { openShop, thursday } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { ada, approveCard, type Counter, declineCard, openCounter, pendingCard, successUrl } from './page.ts';

const world = shared(startWorld);
afterEach(() => world.wire.intercept(undefined));

const day = () => new Date(world.clock.now()).toISOString().slice(0, 10);
/** The day's fees as the API returns them. */
const feesOf = async ({ shop }: Counter) => (await world.request('GET', `/expenses/${gatewayFeeId(day())}`, { key: shop.secretKey })).body;

describe('an approved card', () => {
  test('an approved card redirects the shopper and creates order, payment, customer, count and fee', async () => {
    const counter = await openCounter(world, {
      fields: {
        items: [{ product_id: 'prd_bread', quantity: 2 }],
        delivery_type: 'delivery',
        delivery_time: '17:00',
        delivery_address: '1 Mill Lane\nOldtown',
        notes: 'Ring twice',
        custom_fields: { engraving: 'Ada' },
      },
    });
    const response = await counter.pay(approveCard);
    expect([response.status, response.headers['Location']]).toEqual([303, successUrl]);
    const { orders, payments } = await counter.made();
    const account = counter.shop.account.id;
    const [order] = orders;
    const customerId = await world.store.customers.findByEmail(account, 'ada@example.com');
    expect(orders).toEqual([
      {
        id: expect.stringMatching(/^ord_/),
        order_number: 1,
        external_id: null,
        status: 'pending',
        payment_status: 'paid',
        subtotal: 13,
        tax: 0,
        delivery_fee: 8,
        discount: 0,
        total: 21,
        currency: 'USD',
        customer_id: customerId,
        customer_name: 'Ada Baker',
        customer_email: 'Ada@example.com',
        customer_phone: null,
        delivery_type: 'delivery',
        delivery_date: thursday,
        delivery_time: '17:00',
        delivery_address: '1 Mill Lane\nOldtown',
        order_type: null,
        source: 'checkout',
        payment_method: 'card',
        event_category: null,
        items: [
          {
            id: `${order.id}_1`,
            product_id: 'prd_bread',
            variant_id: null,
            name: 'Sourdough',
            quantity: 2,
            unit_price: 6.5,
            total: 13,
            notes: null,
          },
        ],
        notes: 'Ring twice',
        custom_fields: { engraving: 'Ada' },
        metadata: { checkout_session: counter.id },
        previous_status: null,

        counted: 21,
        created_at: expect.any(String),
        updated_at: order.created_at,
        deleted_at: null,
      },
    ]);
    expect(payments).toMatchObject([
      {
        order_id: order.id,
        customer_id: customerId,
        amount: 21,
        total_amount: 21,
        fee_amount: 0.91,
        net_amount: 20.09,
        type: 'payment',
        source: 'checkout',
        method: 'card',
        status: 'completed',
        method_details: { brand: 'visa', last4: '4242', wallet_type: null },
        gateway: { provider: 'sandbox', transaction_id: expect.stringMatching(/^sbx_/) },
        completed_at: order.created_at,
        emits_on_create: true,
      },
    ]);
    expect((await world.store.customers.get(account, customerId ?? ''))?.record).toMatchObject({
      email: 'Ada@example.com',
      total_orders: 1,
      total_spent: 21,
      last_order_date: order.created_at,
    });
    expect(await feesOf(counter)).toMatchObject({
      amount: 0.91,
      line_items: [{ order_id: order.id, order_label: '#1', gateway: 'sandbox', amount: 0.91 }],
    });
    expect(await counter.session()).toMatchObject({ status: 'paid', order_id: order.id });
  });

  test('the order of an approved card belongs to the stored customer with the email, in any case', async () => {
    const counter = await openCounter(world);
    await counter.pay(approveCard);
    const second = await openCounter(world, {
      shop: counter.shop,
      fields: { customer: { email: 'ADA@EXAMPLE.COM', last_name: 'Other' } },
    });
    await second.pay(approveCard);
    const { orders } = await second.made();
    expect(new Set(orders.map(({ customer_id }) => customer_id)).size).toBe(1);
    expect((await world.store.customers.get(counter.shop.account.id, orders[0].customer_id))?.record).toMatchObject({
      total_orders: 2,
      total_spent: 26,
    });
    expect((await feesOf(counter)).line_items).toHaveLength(2);
  });

  test('an approved card creates an order even if the order limit was reached meanwhile', async () => {
    const shop = await openShop(world, { account: { order_limit: 1 } });
    const counter = await openCounter(world, { shop });
    const month = orderMonth(world.clock.now());
    await world.store.commit([world.store.counters.orderCountWrite(shop.account.id, month, 1)]);
    expect((await counter.pay(approveCard)).status).toBe(303);
    expect((await counter.made()).orders).toHaveLength(1);
    expect(await world.store.counters.ordersIn(shop.account.id, month)).toBe(2);
  });

  test("an approved card pays the session's price even if the catalog has changed", async () => {
    const counter = await openCounter(world);
    const stored = await world.store.products.get(counter.shop.account.id, 'prd_bread');
    if (!stored) throw new Error('No bread.');
    await world.store.commit([world.store.products.replaceWrite(counter.shop.account.id, { ...stored.record, price: 99 }, stored)]);
    await counter.pay(approveCard);
    expect((await counter.made()).orders).toMatchObject([{ total: 13 }]);
  });
});

test('a pay request takes at most six sequential round trips', async () => {
  const { shop, ...first } = await openCounter(world);
  await first.pay(approveCard);
  const counter = await openCounter(world, { shop });
  world.wire.reset();
  await counter.pay(approveCard);
  expect(world.wire.sequentialTrips()).toBeLessThanOrEqual(6);
});

test('a new session writes nothing but itself until it is paid', async () => {
  const counter = await openCounter(world);
  await counter.visit('GET', counter.path);
  expect(await counter.made()).toEqual({ orders: [], payments: [] });
  expect(await world.store.customers.findByEmail(counter.shop.account.id, ada.email)).toBeUndefined();
});

describe('a declined card', () => {
  test('a declined card leaves the session open with a message, and another card pays it', async () => {
    const counter = await openCounter(world);
    const response = await counter.pay(declineCard);
    expect([response.status, response.headers['Location']]).toEqual([303, `https://us.api.example.com${counter.path}`]);
    expect((await counter.visit('GET', counter.path)).text).toContain('The card was declined.');
    expect(await counter.made()).toEqual({ orders: [], payments: [] });
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    expect((await counter.made()).payments).toHaveLength(1);
  });

  test('a declined card closes the session after 20 tries', async () => {
    const counter = await openCounter(world);
    for (let i = 0; i < 20; i++) await counter.pay(declineCard);
    await counter.pay(approveCard);
    expect((await counter.visit('GET', counter.path)).text).toContain('This checkout is closed');
    expect((await counter.made()).orders).toEqual([]);
  });
});

describe('a pending payment', () => {
  test('a pending payment waits for the bank, cannot be paid again, and becomes one order however often its notice arrives', async () => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    expect((await counter.visit('GET', counter.path)).text).toContain('Your bank has not decided yet');
    await counter.pay(approveCard);
    expect((await counter.made()).orders).toEqual([]);
    const transaction_id = (await counter.session()).payment?.transaction_id ?? '';
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    expect((await counter.decide('approve', { transaction_id })).headers['Location']).toBe(successUrl);
    const { orders, payments } = await counter.made();
    expect([orders.length, payments.length]).toEqual([1, 1]);
    expect(payments[0].gateway).toEqual({ provider: 'sandbox', transaction_id });
  });

  test('a pending payment opens the session again when the bank declines', async () => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    await counter.decide('decline');
    expect(await counter.session()).toMatchObject({ status: 'open', payment: null });
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
  });

  test('a pending payment settles although the account was closed meanwhile, and its page shows the payment', async () => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    const updated_at = new Date(world.clock.now()).toISOString();
    await world.store.commit([world.store.accounts.updateWrite(counter.shop.account.id, { status: 'closed', updated_at })]);
    expect((await counter.pay(approveCard)).headers['Location']).toMatch(counter.path);
    expect((await counter.visit('GET', counter.path)).status).toBe(200);
    await counter.decide('approve');
    expect((await counter.made()).orders).toHaveLength(1);
  });

  test('a pending payment settles although the session has expired since', async () => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    world.clock.advance(25 * 3_600_000);
    await counter.decide('approve');
    expect((await counter.made()).orders).toHaveLength(1);
  });

  test.each([
    ['another token', { token: 'x' }],
    ['another payment', { transaction_id: 'sbx_other' }],
    ['no payment', { transaction_id: '' }],
  ])('a pending payment is not decided by a notice with %s', async (_, form) => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    expect((await counter.decide('approve', form)).status).toBe(403);
    expect((await counter.made()).orders).toEqual([]);
  });
});

describe('a session that cannot be paid', () => {
  test('a paid session redirects the shopper and charges nothing', async () => {
    const counter = await openCounter(world);
    await counter.pay(approveCard);
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    expect((await counter.made()).payments).toHaveLength(1);
    expect((await counter.visit('GET', counter.path)).text).toContain(`href="${successUrl}"`);
  });

  test('a session that expires at this moment shows that it has expired', async () => {
    const counter = await openCounter(world);
    world.clock.advance((await counter.session()).expires_ms - world.clock.now());
    await counter.pay(approveCard);
    expect((await counter.visit('GET', counter.path)).text).toContain('This checkout has expired');
    expect((await counter.made()).orders).toEqual([]);
  });
});

test('ten simultaneous clicks pay once', async () => {
  const counter = await openCounter(world);
  const responses = await Promise.all(Array.from({ length: 10 }, () => counter.pay(approveCard)));
  for (const { status } of responses) expect(status).toBe(303);
  const { orders, payments } = await counter.made();
  expect([orders.length, payments.length]).toEqual([1, 1]);
});

test('ten shoppers of a shop who pay at the same time all get their order, number and fee', async () => {
  const shop = await openShop(world);
  const counters = await Promise.all(Array.from({ length: 10 }, () => openCounter(world, { shop })));
  await Promise.all(counters.map((counter) => counter.pay(approveCard)));
  const { orders, payments } = await (counters[0] as Counter).made();
  expect([orders.length, payments.length]).toEqual([10, 10]);
  expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(10);
  expect(await feesOf(counters[0] as Counter)).toMatchObject({ amount: 6.8, metadata: { transaction_count: 10 } });
  expect(new Set(orders.map(({ customer_id }) => customer_id)).size).toBe(1);
});
