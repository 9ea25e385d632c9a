import { beforeEach, describe, expect, test } from '@jest/globals';
import { leaseMs } from '../../shared/domain/checkout/rules.ts';
import { standstillAt } from '../support/faults.ts';
import { successUrl } from './page.ts';
import { expectOne, type StripeCounter, useStripe } from './stripe-counter.ts';

const t = useStripe();

let counter: StripeCounter;
beforeEach(async () => {
  counter = await t.open();
});

test('a decline of an attempt that another call has continued leaves the payment at Stripe as it is', async () => {
  const rejected = { type: 'invalid_request_error', message: 'No such price' };
  const once = await t.open();
  t.stripe.failNext(400, rejected);
  t.world.wire.reset();
  await once.pay('');
  // The last two calls read the session again and store the decline.
  const standstill = standstillAt(t.world.wire, t.world.wire.calls.length - 2, 'before');
  t.stripe.failNext(400, rejected);
  const slow = counter.pay('');
  await standstill.reached;
  t.world.clock.advance(leaseMs);
  await counter.pay('');
  const page = await counter.hosted();
  standstill.goOn();
  await slow;
  t.world.wire.intercept(undefined);
  expect(await counter.session()).toMatchObject({ status: 'pending', tries: 1, payment: { transaction_id: page } });
  t.stripe.pay(page);
  expect(await counter.comeBack()).toContain(successUrl);
  await expectOne(counter);
});

test('the shopper is redirected to a page of Stripe for the exact total, which can be opened again', async () => {
  const response = await counter.pay('');
  const { url, amount_total, currency } = t.stripe.sessions.get(await counter.hosted());
  expect([response.status, response.headers['Location'], amount_total, currency]).toEqual([303, url, 1300, 'usd']);
  expect((await counter.visit('GET', counter.path)).text).toContain(`href="${url}"`);
  await counter.pay('');
  expect(t.stripe.requests.filter(({ key }) => key === `${counter.id}-1`)).toHaveLength(1);
  const sent = t.stripe.requests.find(({ key }) => key === `${counter.id}-1`)?.form;
  expect(Object.fromEntries(sent ?? [])).toMatchObject({
    mode: 'payment',
    client_reference_id: counter.id,
    success_url: `https://us.api.example.com${counter.path}/return`,
    cancel_url: `https://us.api.example.com${counter.path}`,
    customer_email: 'Ada@example.com',
    'payment_intent_data[capture_method]': 'automatic',
  });
});

describe('a payment', () => {
  beforeEach(async () => {
    await counter.pay('');
  });

  test('a payment is settled when the shopper returns, with the fee of the balance transaction', async () => {
    t.stripe.pay(await counter.hosted());
    expect(await counter.comeBack()).toBe(successUrl);
    const { order, payment } = await expectOne(counter);
    expect(payment).toMatchObject({
      amount: 13,
      fee_amount: 0.68,
      net_amount: 12.32,
      method: 'card',
      method_details: { brand: 'mastercard', last4: '4444', wallet_type: null },
      gateway: { provider: 'stripe', transaction_id: expect.stringMatching(/^pi_/) },
    });
    const { lines } = await t.world.store.gatewayFees.lines(counter.shop.account.id, order.created_at.slice(0, 10));
    expect(lines).toMatchObject([{ gateway: 'stripe', amount: 0.68 }]);
  });

  test('a payment is settled once by its repeated notices if the shopper never returns', async () => {
    t.stripe.pay(await counter.hosted());
    expect([await counter.notify('completed'), await counter.notify('completed'), await counter.comeBack()]).toEqual([
      200,
      200,
      successUrl,
    ]);
    await expectOne(counter);
  });

  test('a payment is settled once if the return and notices arrive at the same time', async () => {
    t.stripe.pay(await counter.hosted());
    await Promise.all([counter.comeBack(), counter.notify('completed'), counter.comeBack(), counter.notify('completed')]);
    await expectOne(counter);
  });

  test('a payment that a bank decides later waits for that notice', async () => {
    t.stripe.sessions.get(await counter.hosted()).status = 'complete';
    expect(await counter.notify('completed')).toBe(200);
    expect((await counter.visit('GET', counter.path)).text).toContain('Your bank has not decided yet');
    t.stripe.pay(await counter.hosted(), { details: { type: 'sepa_debit' } });
    expect(await counter.notify('async_payment_succeeded')).toBe(200);
    expect((await expectOne(counter)).payment).toMatchObject({ method: 'bank_transfer', method_details: null });
  });

  test.each(['async_payment_failed', 'expired'])('a payment that ends with %s can be repeated', async (type) => {
    t.stripe.sessions.get(await counter.hosted()).status = 'expired';
    expect(await counter.notify(type)).toBe(200);
    expect(await counter.session()).toMatchObject({ status: 'open', declined: expect.any(String) });
    await counter.pay('');
    expect((await counter.session()).tries).toBe(2);
  });

  test('a payment of Apple Pay in a shop with accounts in another currency keeps both currencies', async () => {
    const card = { brand: 'visa', last4: '1', wallet: { type: 'apple_pay' } };
    t.stripe.pay(await counter.hosted(), { balance: { fee: 90, currency: 'aud', exchange_rate: 1.5 }, details: { type: 'card', card } });
    await counter.comeBack();
    expect((await expectOne(counter)).payment).toMatchObject({ fee_amount: 0.6, method: 'apple_pay' });
  });

  test.each([
    [{ type: 'card', card: { brand: 'visa', last4: '1', wallet: { type: 'apple_pay' } } }, 'card', 'apple_pay'],
    [{ type: 'card', card: { brand: 'visa', last4: '1', wallet: { type: 'google_pay' } } }, 'card', 'google_pay'],
    [{ type: 'card', card: { brand: 'visa', last4: '1', wallet: { type: 'link' } } }, 'card', 'card'],
    [{ type: 'link' }, 'card', 'card'],
    [{ type: 'paypal' }, 'paypal', 'paypal'],
    [{ type: 'klarna' }, 'other', 'klarna'],
    [{ type: 'afterpay_clearpay' }, 'other', 'afterpay'],
    [{ type: 'bacs_debit' }, 'bank_transfer', 'bank_transfer'],
    [{ type: 'something_new' }, 'other', 'other'],
  ])('a payment with %j is %s on the order, and %s on its payment', async (details, onOrder, onPayment) => {
    t.stripe.pay(await counter.hosted(), { details });
    await counter.comeBack();
    const { order, payment } = await expectOne(counter);
    expect([order.payment_method, payment.method]).toEqual([onOrder, onPayment]);
  });

  test('a payment without a fee yet is read again later, so that the fee is not lost', async () => {
    t.stripe.pay(await counter.hosted(), { balance: null });
    expect(await counter.notify('completed')).toBe(503);
    t.stripe.pay(await counter.hosted());
    expect(await counter.notify('completed')).toBe(200);
    await expectOne(counter);
  });

  test('a payment of another amount or session is rejected', async () => {
    t.stripe.pay(await counter.hosted());
    const session = t.stripe.sessions.get(await counter.hosted());
    session.amount_total = 1;
    expect(await counter.notify('completed')).toBe(403);
    expect((await counter.made()).orders).toEqual([]);
  });

  test('a payment that was not made yet shows the page again', async () => {
    expect(await counter.comeBack()).toBe(`https://us.api.example.com${counter.path}`);
    expect((await counter.made()).orders).toEqual([]);
  });
});

test('a notice with a signature older than five minutes by the clock of the service is rejected', async () => {
  await counter.pay('');
  const hosted = await counter.hosted();
  t.stripe.pay(hosted);
  const { body, headers } = t.stripe.notice('checkout.session.completed', hosted);
  t.world.clock.advance(301_000);
  const notices = `/checkout/${counter.shop.account.id}/notices/stripe`;
  expect((await counter.visit('POST', notices, { body, headers })).status).toBe(403);
  expect(await counter.notify('completed')).toBe(200);
});

test('a notice that arrives before the service has stored the payment settles it too', async () => {
  const standstill = standstillAt(t.world.wire, 3, 'before');
  const paying = counter.pay('');
  await standstill.reached;
  const hosted = [...t.stripe.sessions.keys()].at(-1) ?? '';
  t.stripe.pay(hosted);
  expect(await counter.notify('completed', hosted)).toBe(200);
  standstill.goOn();
  await paying;
  t.world.wire.intercept(undefined);
  await expectOne(counter);
});

test('the shopper gets the same page of Stripe after a process died during its call', async () => {
  const standstill = standstillAt(t.world.wire, 3, 'before');
  const dead = counter.pay('');
  await standstill.reached;
  t.world.clock.advance(leaseMs);
  const before = t.stripe.sessions.size;
  const again = await counter.pay('');
  expect([t.stripe.sessions.size, again.headers['Location']]).toEqual([before, t.stripe.sessions.get(await counter.hosted()).url]);
  standstill.fail();
  await dead;
  t.world.wire.intercept(undefined);
});

test('a notice that ends a page is taken as soon as no process can store that page any more', async () => {
  const standstill = standstillAt(t.world.wire, 3, 'before');
  const dead = counter.pay('');
  await standstill.reached;
  const hosted = [...t.stripe.sessions.keys()].at(-1) ?? '';
  t.stripe.sessions.get(hosted).status = 'expired';
  expect(await counter.notify('expired', hosted)).toBe(409);
  t.world.clock.advance(leaseMs);
  expect(await counter.notify('expired', hosted)).toBe(200);
  standstill.fail();
  await dead;
  t.world.wire.intercept(undefined);
});

test('the payment uses a new idempotency key if Stripe knows it from another request', async () => {
  t.stripe.failNext(400, { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters' });
  await counter.pay('');
  expect(await counter.session()).toMatchObject({ status: 'open', tries: 1 });
  await counter.pay('');
  expect(t.stripe.requests.at(-1)?.key).toBe(`${counter.id}-2`);
});

test('a cart can be paid if its description must be cut within an emoji', async () => {
  const { world } = t;
  for (const name of ['🍰'.repeat(255), `x${'🍰'.repeat(254)}`, `${'e\u0301'.repeat(127)}🍰`, '👩‍🍳'.repeat(60)]) {
    const emoji = await t.open();
    const stored = await world.store.products.get(emoji.shop.account.id, 'prd_bread');
    if (!stored) throw new Error('No product.');
    await world.store.commit([world.store.products.replaceWrite(emoji.shop.account.id, { ...stored.record, name }, stored)]);
    const items = ['prd_bread', 'prd_bread', 'prd_bread'].map((product_id) => ({ product_id, quantity: 1 }));
    const open = await t.open({ shop: emoji.shop, fields: { items } });
    expect((await open.pay('')).status).toBe(303);
    const description = t.stripe.requests.at(-1)?.form.get('line_items[0][price_data][product_data][description]') ?? '';
    expect([description.includes('\ufffd'), [...description].length <= 500]).toEqual([false, true]);
    t.stripe.pay(await open.hosted());
    expect(await open.comeBack()).toBe(successUrl);
  }
});

test('a page of Stripe ends with the session, or at most half an hour later', async () => {
  const { world } = t;
  const dayMs = 24 * 3_600_000;
  for (const remainingMs of [dayMs, 3_600_000, 31 * 60_000, 20 * 60_000, 1_000]) {
    const late = await t.open();
    const endMs = Date.parse((await late.shop.open()).body.created_at) + dayMs;
    world.clock.advance(endMs - remainingMs - world.clock.now());
    expect((await late.pay('')).status).toBe(303);
    const { expires_at } = t.stripe.sessions.get(await late.hosted()) ?? {};
    const sessionEnd = (await late.session()).expires_ms / 1000;
    expect(expires_at).toBeGreaterThanOrEqual(Math.floor(sessionEnd));
    expect(expires_at).toBeLessThanOrEqual(sessionEnd + 30 * 60);
  }
});

test.each([40, 31.5, 20])(
  'a payment that is taken over %d minutes before its session ends goes on at the page of Stripe that it has',
  async (minutes) => {
    const { world, stripe } = t;
    const late = await t.open();
    world.clock.advance((await late.session()).expires_ms - minutes * 60_000 - world.clock.now());
    const standstill = standstillAt(world.wire, 3, 'before');
    const dead = late.pay('');
    await standstill.reached;
    world.clock.advance(leaseMs);
    const before = stripe.sessions.size;
    const again = await late.pay('');
    standstill.fail();
    await dead;
    world.wire.intercept(undefined);
    expect([stripe.sessions.size, again.headers['Location']]).toEqual([before, stripe.sessions.get(await late.hosted())?.url]);
  },
);

test("a total below Stripe's minimum is explained to the shopper, and nothing is charged", async () => {
  const { world } = t;
  const shop = (await t.open()).shop;
  const stored = await world.store.products.get(shop.account.id, 'prd_bread');
  if (!stored) throw new Error('No product.');
  await world.store.commit([world.store.products.replaceWrite(shop.account.id, { ...stored.record, price: 0.2 }, stored)]);
  const small = await t.open({ shop });
  await small.pay('');
  const { text } = await small.visit('GET', small.path);
  expect(text).toContain('below the smallest amount');
  expect((await small.session()).status).toBe('open');
});

test('a page says that Stripe rejects the API key, and the session stays open', async () => {
  t.stripe.failNext(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_secret' });
  await counter.pay('');
  const { text } = await counter.visit('GET', counter.path);
  expect(text).toContain('cannot take payments at the moment');
  expect(text).not.toContain('sk_test');
  expect((await counter.session()).status).toBe('open');
});
