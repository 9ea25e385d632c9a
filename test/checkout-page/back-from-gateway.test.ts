import { beforeEach, describe, expect, test } from '@jest/globals';
import { approveCard, refreshOf, successUrl } from './page.ts';
import { expectOne, type StripeCounter, useStripe } from './stripe-counter.ts';

const t = useStripe();
const typed = {
  last_name: 'Miler',
  email: 'grace@exmaple.com',
  delivery_address: '1 Mill Lane',
  address_city: 'Oldtown',
  address_state: 'NY',
  address_postcode: '10001',
};
const corrected = { ...typed, last_name: 'Miller', email: 'grace@example.com', address_city: 'Newtown' };

let counter: StripeCounter;
/** Stripe's page that the shopper has left. */
let first: string;
beforeEach(async () => {
  counter = await t.open({ fields: { customer: null, delivery_type: 'delivery', delivery_time: '17:00' } });
  await counter.pay('', typed);
  first = await counter.hosted();
});

const page = async (): Promise<string> => (await counter.visit('GET', counter.path)).text;
const calls = (): string[] => t.stripe.requests.map(({ method, path }) => `${method} ${path}`);
const stateOf = (id: string): string => t.stripe.sessions.get(id).status;

describe("a shopper who comes back from the gateway's page unpaid", () => {
  test('the page is titled Checkout, and shows every value that the shopper entered and a link to the payment', async () => {
    const text = await page();
    for (const value of Object.values(typed)) expect(text).toMatch(new RegExp(`value="${value}"|>${value}</textarea>`));
    expect(text).toContain(`href="https://checkout.stripe.com/c/pay/${first}"`);
    expect(text).toContain('<title>Checkout – ');
    expect([stateOf(first), (await counter.session()).status]).toEqual(['open', 'pending']);
  });

  test("corrected values end the gateway's page before another one opens, and make the order", async () => {
    t.stripe.requests.length = 0;
    const { status, headers } = await counter.pay('', corrected);
    const second = await counter.hosted();
    expect([status, headers['Location']]).toEqual([303, `https://checkout.stripe.com/c/pay/${second}`]);
    expect([second === first, stateOf(first), stateOf(second)]).toEqual([false, 'expired', 'open']);
    expect(calls()).toEqual([
      `POST /v1/checkout/sessions/${first}/expire`,
      `GET /v1/checkout/sessions/${first}`,
      'POST /v1/checkout/sessions',
    ]);
    expect(await counter.notify('expired', first)).toBe(200);
    t.stripe.pay(second);
    expect(await counter.comeBack()).toBe(successUrl);
    const { order } = await expectOne(counter);
    expect(order).toMatchObject({
      customer_name: 'Miller',
      customer_email: corrected.email,
      delivery_address: '1 Mill Lane\nNewtown, NY 10001',
    });
  });

  test("the same values lead to the gateway's page, which stays open", async () => {
    expect((await counter.pay('', typed)).headers['Location']).toBe(`https://checkout.stripe.com/c/pay/${first}`);
    expect([stateOf(first), (await counter.session()).tries]).toEqual(['open', 1]);
  });

  test("an invalid value is marked, and the gateway's page stays open", async () => {
    const { status, text } = await counter.pay('', { ...corrected, email: 'grace@' });
    expect([status, stateOf(first)]).toEqual([422, 'open']);
    expect(text).toContain('id="email-error"');
  });

  test('a correction of a payment that was just paid leads to the shop, and the order has the paid values', async () => {
    t.stripe.pay(first);
    expect((await counter.pay('', corrected)).headers['Location']).toBe(successUrl);
    expect((await expectOne(counter)).order).toMatchObject({ customer_email: typed.email });
  });

  test('a correction while the bank decides shows that the payment is being checked', async () => {
    t.stripe.sessions.get(first).status = 'complete';
    await counter.pay('', corrected);
    expect(await page()).toContain('Your payment is being checked');
    expect((await counter.session()).customer?.email).toBe(typed.email);
  });

  test('a correction while Stripe takes the payment shows a page that reloads, and begins no other payment', async () => {
    t.stripe.failNext(400, { type: 'invalid_request_error', message: 'This session is being paid.' });
    const response = await counter.pay('', corrected);
    const [, seconds, path = ''] = /^(\d+); url=(.+)$/.exec(refreshOf(response) ?? '') ?? [];
    expect([response.status, seconds, await counter.hosted()]).toEqual([200, '3', first]);
    // A browser reloads with GET, and the address of the form has no page.
    t.stripe.pay(first);
    expect((await counter.visit('GET', path)).headers['Location']).toBe(successUrl);
  });

  test('a correction gives 503 if Stripe does not respond, and succeeds later', async () => {
    for (let i = 0; i < 2; i++) t.stripe.failNext(500, { type: 'api_error', message: 'down' });
    expect((await counter.pay('', corrected)).status).toBe(503);
    expect((await counter.session()).payment?.transaction_id).toBe(first);
    await counter.pay('', corrected);
    t.stripe.pay(await counter.hosted());
    await counter.comeBack();
    expect((await expectOne(counter)).order.customer_email).toBe(corrected.email);
  });

  test('ten simultaneous corrections begin one payment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => counter.pay('', corrected)));
    const open = [...t.stripe.sessions.values()].filter((one) => one.client_reference_id === counter.id && one.status === 'open');
    expect(open.map(({ id }) => id)).toEqual([await counter.hosted()]);
    expect((await counter.session()).tries).toBe(2);
  });

  test('a correction pays with test cards if the shop has changed to the sandbox', async () => {
    await counter.change({ gateway: 'sandbox' });
    expect(await page()).toContain('id="card_number"');
    expect((await counter.pay(approveCard, corrected)).headers['Location']).toBe(successUrl);
    expect([stateOf(first), (await expectOne(counter)).order.customer_email]).toEqual(['expired', corrected.email]);
  });

  test('the last of 20 payments is not ended, because no other could begin', async () => {
    for (let i = 2; i <= 20; i++) await counter.pay('', { ...corrected, last_name: `Miller ${i}` });
    const last = await counter.hosted();
    await counter.pay('', corrected);
    expect([(await counter.session()).tries, await counter.hosted(), stateOf(last)]).toEqual([20, last, 'open']);
    expect(await page()).toContain('Continue to payment');
  });
});

describe('a process that dies during a correction', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'a correction whose write %i fails, before or after it, ends in one order with the corrected values',
    async (n) => {
      for (const when of ['before', 'after'] as const) {
        const own = await t.open({ fields: { customer: null } });
        await own.pay('', { last_name: 'Miler', email: 'grace@exmaple.com' });
        let call = 0;
        t.world.wire.intercept(async (_call, send) => {
          if (call++ !== n) return send();
          if (when === 'after') await send();
          throw new Error('The process died.');
        });
        await own.pay('', { last_name: 'Miller', email: 'grace@example.com' });
        t.world.wire.intercept(undefined);
        t.world.clock.advance(60_000);
        for (let i = 0; i < 2; i++) await own.pay('', { last_name: 'Miller', email: 'grace@example.com' });
        const open = [...t.stripe.sessions.values()].filter((one) => one.client_reference_id === own.id && one.status === 'open');
        expect(open.map(({ id }) => id)).toEqual([await own.hosted()]);
        t.stripe.pay(await own.hosted());
        await own.comeBack();
        expect((await expectOne(own)).order).toMatchObject({ customer_email: 'grace@example.com' });
      }
    },
  );
});
