import { afterEach, describe, expect, test } from '@jest/globals';
import { standstillAt } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';
import { atStripe as stripeSettings } from './stripe-counter.ts';

// Guarantee 24 (docs/guarantees.md)

const own = useRefunds();
const { t, ask, errorOfRefund, notify, order, refundRecords, atStripe, original, buy } = own;
afterEach(() => t.world.wire.intercept(undefined));

const inStripe = (amount: number, fields: object = {}) => t.stripe.refundAt(own.paid.gateway.transaction_id, amount * 100, fields);
const amounts = async () => (await refundRecords()).map(({ amount }) => amount).sort((a, b) => a - b);
const conflict = { status: 409, code: 'conflict' };
const inFlight = { status: 409, code: 'request_in_flight' };

/** Runs the work and returns how many payment.refunded a receiver gets for it. */
const refundEventsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const hook = t.service.receiver.hook();
  const key = own.counter.shop.secretKey;
  await t.world.request('POST', '/webhooks', { key, body: { url: hook.url, events: ['payment.refunded'] } });
  await work();
  await t.service.pipeline.drain();
  return hook.requests.length;
};

describe('payment.refund with gateway: false', () => {
  test.each([13, 5])(
    'payment.refund with gateway: false records a refund of %d that was made at Stripe once, also if its notice comes later',
    async (amount) => {
      const made = inStripe(amount);
      const events = await refundEventsOf(async () => {
        expect(await errorOfRefund({ amount, gateway: false })).toMatchObject({
          ...conflict,
          message: expect.stringContaining(String(amount)),
        });
        expect(await notify('refund.created', made)).toBe(200);
      });
      expect([await amounts(), events]).toEqual([[amount], 1]);
      expect(await original()).toMatchObject({ refunded_amount: amount });
    },
  );

  test('payment.refund with gateway: false records a refund once if the response of Stripe to an earlier call was lost', async () => {
    t.stripe.loseNextResponse();
    expect(await errorOfRefund({ amount: 13 })).toMatchObject(inFlight);
    expect(await errorOfRefund({ amount: 13, gateway: false })).toMatchObject(conflict);
    expect([await amounts(), atStripe().length]).toEqual([[13], 1]);
  });

  test('payment.refund with gateway: false is in flight while a refund of the payment is under way', async () => {
    inStripe(2, { status: 'pending' });
    expect(await errorOfRefund({ amount: 3, gateway: false })).toMatchObject(inFlight);
    t.stripe.refundsBecome('pending');
    await ask({ amount: 5 });
    expect(await errorOfRefund({ amount: 3, gateway: false })).toMatchObject(inFlight);
    expect(await amounts()).toEqual([]);
  });

  test('payment.refund with gateway: false is in flight if Stripe does not respond', async () => {
    for (let tries = 0; tries < 2; tries++) t.stripe.failNext(500, { type: 'api_error' });
    expect(await errorOfRefund({ amount: 3, gateway: false })).toMatchObject(inFlight);
    expect(await amounts()).toEqual([]);
  });

  test('payment.refund with gateway: false only records if Stripe rejects the keys, and a refund that Stripe reports later takes an equal record over', async () => {
    t.stripe.openAccount('sk_test_moved');
    await own.counter.change({ ...stripeSettings, secret_key: 'sk_test_moved' });
    t.world.clock.advance(400 * 86_400_000);
    const events = await refundEventsOf(() => ask({ amount: 13, gateway: false }));
    const [byHand] = await refundRecords();
    expect([byHand.gateway, events]).toEqual([{ provider: 'stripe', transaction_id: null }, 1]);
    const made = inStripe(13);
    const updated = (await order()).updated_at;
    t.world.clock.advance(1_000);
    const later = await refundEventsOf(async () => {
      for (const type of ['refund.created', 'refund.updated', 'refund.created']) expect(await notify(type, made)).toBe(200);
    });
    expect(later).toBe(0);
    expect(await refundRecords()).toEqual([{ ...byHand, gateway: { provider: 'stripe', transaction_id: made.id } }]);
    expect(await original()).toMatchObject({ refunded_amount: 13 });
    expect((await order()).updated_at > updated).toBe(true);
    made.status = 'failed';
    expect(await notify('refund.failed', made)).toBe(200);
    expect(await refundRecords()).toMatchObject([{ id: byHand.id, status: 'failed' }]);
    expect(await original()).toMatchObject({ refunded_amount: 0 });
  });

  test('payment.refund with gateway: false records one refund of both if a notice comes during any of its calls', async () => {
    const calls = await own.callsOf(() => ask({ amount: 5, gateway: false }));
    for (let index = 0; index < calls; index++) {
      await buy();
      const standstill = standstillAt(t.world.wire, index, 'before');
      const recording = ask({ amount: 13, gateway: false }).catch(() => undefined);
      await standstill.reached;
      const made = inStripe(13);
      const noticed = await notify('refund.created', made);
      standstill.goOn();
      await recording;
      expect({ index, noticed, amounts: await amounts(), refunded: (await original()).refunded_amount }).toEqual({
        index,
        noticed: 200,
        amounts: [13],
        refunded: 13,
      });
    }
  });
});

describe('an amount that the currency cannot express', () => {
  test.each(['JPY', 'UGX'])('payment.refund of 100.5 in %s is rejected, and Stripe gets no request for it', async (currency) => {
    await buy(currency);
    expect(await errorOfRefund({ amount: 100.5 })).toMatchObject({ status: 400, code: 'invalid_value', field: 'amount' });
    expect([atStripe(), await amounts()]).toEqual([[], []]);
  });

  test('a refund is recorded with the amount that Stripe reports', async () => {
    t.stripe.refundsBecome('pending');
    await ask({ amount: 5 });
    const [made] = atStripe();
    Object.assign(made, { status: 'succeeded', amount: 400 });
    expect(await notify('refund.updated', made)).toBe(200);
    expect([await amounts(), (await original()).refunded_amount]).toEqual([[4], 4]);
  });
});
