import { afterEach, describe, expect, test } from '@jest/globals';
import { brokenConnection } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';
import { atStripe as stripeSettings } from './stripe-counter.ts';

const own = useRefunds();
const { t, ask, errorOfRefund, notify, order, refundRecords, atStripe, original, buy } = own;

type Sent = (typeof t.stripe.requests)[number];
const isMaking = ({ method, path }: Sent): boolean => method === 'POST' && path === '/v1/refunds';
const isListing = ({ method, path }: Sent): boolean => method === 'GET' && path === '/v1/refunds';

let onSent: (one: Sent) => void = () => undefined;
/** Calls the hook with each request to Stripe, before its answer. */
const watch = (hook: typeof onSent): void => {
  onSent = hook;
  t.stripe.requests.push = (one) => {
    Array.prototype.push.call(t.stripe.requests, one);
    onSent(one);
    return t.stripe.requests.length;
  };
};
afterEach(() => {
  onSent = () => undefined;
  t.world.wire.intercept(undefined);
});

const requestInFlight = { status: 409, code: 'request_in_flight' };
const loseTheFirst = async (amount = 5): Promise<void> => {
  t.stripe.loseNextResponse();
  expect(await errorOfRefund({ amount })).toMatchObject(requestInFlight);
};
/** Stops the next table call after a look at Stripe's refunds. */
const stopAfterLook = () => {
  let [isArmed, wake, stop] = [false, () => {}, () => {}];
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const slept = new Promise<void>((resolve) => {
    wake = resolve;
  });
  watch((one) => {
    if (!isListing(one)) return;
    isArmed = true;
    onSent = () => undefined;
  });
  t.world.wire.intercept(async (_call, send) => {
    if (isArmed) {
      isArmed = false;
      stop();
      await slept;
    }
    return send();
  });
  return { stopped, wake: () => wake() };
};

describe('one refund in all', () => {
  test('payment.refund makes one refund if only former keys know the payment and a response is lost', async () => {
    t.stripe.openAccount('sk_test_moved');
    await own.counter.change({ ...stripeSettings, secret_key: 'sk_test_moved' });
    let made = 0;
    watch((one) => {
      if (isMaking(one) && ++made === 2) t.stripe.loseNextResponse();
    });
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(requestInFlight);
    await ask({ amount: 5 });
    expect(atStripe()).toHaveLength(1);
  });

  test('payment.refund makes one refund if the table fails after it and the call is repeated without a token', async () => {
    let isDown = false;
    watch((one) => {
      isDown ||= isMaking(one);
    });
    t.world.wire.intercept(async (_call, send) => {
      if (isDown) throw brokenConnection();
      return send();
    });
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(requestInFlight);
    t.world.wire.intercept(undefined);
    onSent = () => undefined;
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(requestInFlight);
    t.world.clock.advance(61_000);
    const refund = await ask({ amount: 5 });
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });

  test('payment.refund makes one refund if a call with another token takes it over, dies and is repeated', async () => {
    await loseTheFirst();
    let isDown = false;
    t.world.wire.intercept(async ({ input }, send) => {
      if (isDown) throw brokenConnection();
      const response = await send();
      isDown = JSON.stringify(input).includes(`"${atStripe()[0]?.id}"`);
      return response;
    });
    const token = `second-${own.paid.id}`;
    await ask({ amount: 5 }, token).catch(() => undefined);
    t.world.wire.intercept(undefined);
    expect(isDown).toBe(true);
    t.world.clock.advance(91_000);
    const refund = await ask({ amount: 5 }, token);
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });
});

describe('a call that ends the refunds of others', () => {
  test.each(['the repeated call', 'its notice'])(
    'a call that ends other refunds takes none back that %s records after its read',
    async (recorder) => {
      t.stripe.failNext(500, { type: 'api_error' });
      t.stripe.failNext(500, { type: 'api_error' });
      await errorOfRefund({ amount: 5 });
      const [intent] = (await original()).refund_intents;
      t.world.clock.advance(6 * 60_000);
      const { stopped, wake } = stopAfterLook();
      const other = ask({ amount: 1 });
      await stopped;
      if (recorder === 'its notice') {
        const metadata = { bakery_refund: intent.id, bakery_payment: own.paid.id };
        expect(await notify('refund.created', t.stripe.refundAt(own.paid.gateway.transaction_id, 500, { metadata }))).toBe(200);
      } else await ask({ amount: 5 });
      wake();
      await other;
      expect((await refundRecords()).map(({ amount, status }: any) => [amount, status]).sort()).toEqual([
        [1, 'completed'],
        [5, 'completed'],
      ]);
      expect(await original()).toMatchObject({ refunded_amount: 6 });
    },
  );
});

describe('payment.refund', () => {
  test('payment.refund rejects a token that was used for another amount', async () => {
    const token = `token-${own.paid.id}`;
    t.stripe.loseNextResponse();
    await ask({ amount: 5 }, token).catch(() => undefined);
    await expect(ask({ amount: 8 }, token)).rejects.toThrow('idempotency_key_reused');
    await ask({ amount: 5 }, token);
    expect(atStripe().map(({ amount }) => amount)).toEqual([500]);
  });

  test('payment.refund rejects a payment that Stripe took in another currency than that of its order', async () => {
    await buy('JPY');
    own.counter = await t.open({ shop: own.counter.shop, fields: { items: [{ product_id: 'prd_local', quantity: 100 }] } });
    await own.counter.pay('');
    const hosted = await own.counter.hosted();
    t.stripe.pay(hosted);
    const payments = [
      { amount: 130, method: 'card', status: 'completed', gateway: { provider: 'stripe', transaction_id: `pi_${hosted}` } },
    ];
    const body = { currency: 'USD', items: [{ name: 'Cake', quantity: 1, unit_price: 130 }], payments };
    const { body: made } = await t.world.request('POST', '/orders', { key: own.counter.shop.secretKey, body });
    own.paid = (await t.world.request('GET', `/orders/${made.id}`, { key: own.counter.shop.secretKey })).body.payments[0];
    expect(await errorOfRefund({ amount: 5 })).toMatchObject({ status: 409, code: 'conflict', message: expect.stringMatching(/JPY.*USD/) });
    expect(atStripe()).toEqual([]);
  });
});

describe('a notice about a refund', () => {
  test.each(['goodwill', 'the payment itself'])(
    'a notice of a refund with a mark of another system (%s) is recorded as made at Stripe',
    async (mark) => {
      const metadata = { bakery_refund: mark === 'goodwill' ? mark : own.paid.id };
      const made = [300, 200].map((amount) => t.stripe.refundAt(own.paid.gateway.transaction_id, amount, { metadata }));
      for (const refund of made) expect(await notify('refund.created', refund)).toBe(200);
      expect((await refundRecords()).map(({ amount }: any) => amount).sort()).toEqual([2, 3]);
      made[0].status = 'failed';
      expect(await notify('refund.failed', made[0])).toBe(200);
      expect(await original()).toMatchObject({ status: 'completed', refunded_amount: 2 });
      expect(await order()).toMatchObject({ payment_status: 'partial_refund' });
    },
  );

  test('a notice of a refund without a payment is ignored', async () => {
    const refund = {
      id: 're_none',
      amount: 300,
      currency: 'usd',
      status: 'succeeded',
      payment_intent: null,
      charge: null,
      created: 1,
      metadata: {},
    };
    expect(await notify('refund.created', refund)).toBe(200);
  });
});
