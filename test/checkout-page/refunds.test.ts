import { describe, expect, test } from '@jest/globals';
import { standstillAt } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';

const own = useRefunds();
const { t, ask, errorOfRefund, notify, order, refundRecords, atStripe, original, callsOf, buy } = own;

/** Pays another cart at Stripe, of which the service has not heard. Returns Stripe's id of the payment. */
const payAgain = async (items?: object[]): Promise<string> => {
  own.counter = await t.open({ shop: own.counter.shop, fields: items ? { items } : {} });
  await own.counter.pay('');
  const hosted = await own.counter.hosted();
  t.stripe.pay(hosted);
  return `pi_${hosted}`;
};

describe('payment.refund of a payment that Stripe took', () => {
  test("payment.refund refunds at Stripe, records the refund's id there, and shows it on the order", async () => {
    const refund = await ask({ amount: 5, description: 'stale' });
    expect(atStripe()).toMatchObject([{ amount: 500, metadata: { bakery_refund: refund['id'], bakery_payment: own.paid.id } }]);
    expect(refund).toMatchObject({
      type: 'refund',
      amount: 5,
      status: 'completed',
      description: 'stale',
      original_payment_id: own.paid.id,
      gateway: { provider: 'stripe', transaction_id: atStripe()[0].id },
    });
    expect(await refundRecords()).toEqual([refund]);
    expect(await order()).toMatchObject({ payment_status: 'partial_refund' });
    await ask({ amount: 8 });
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
    expect(await original()).toMatchObject({ refunded_amount: 13 });
    expect(await original()).not.toHaveProperty('refund_intents');
  });

  test('payment.refund with gateway: false only records the refund', async () => {
    const refund = await ask({ amount: 5, gateway: false });
    expect(atStripe()).toEqual([]);
    expect(refund).toMatchObject({ gateway: { provider: 'stripe', transaction_id: null } });
  });

  test('payment.refund rejects an amount above the payment without a call to Stripe', async () => {
    expect(await errorOfRefund({ amount: 13.01 })).toMatchObject({ status: 400, code: 'invalid_value', field: 'amount' });
    expect(await errorOfRefund({ amount: 1, gateway: 'no' })).toMatchObject({ status: 400, field: 'gateway' });
    expect(atStripe()).toEqual([]);
  });

  test('a refund that Stripe rejects releases its amount', async () => {
    t.stripe.refundAt(own.paid.gateway.transaction_id, 1000);
    expect(await errorOfRefund({ amount: 5 })).toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining('Stripe rejected'),
    });
    expect(await original()).toMatchObject({ refunded_amount: 0 });
    expect(await original()).not.toHaveProperty('refund_intents');
  });

  test('a refund that fails at Stripe at once is rejected and releases its amount, and the repeated call makes another one', async () => {
    const token = `failed-${own.paid.id}`;
    t.stripe.refundsBecome('failed');
    await expect(ask({ amount: 13 }, token)).rejects.toThrow('no money was given back');
    expect([await refundRecords(), (await original()).refund_intents]).toEqual([[], undefined]);
    t.stripe.refundsBecome('succeeded');
    t.world.clock.advance(1_000);
    const refund = await ask({ amount: 13 }, token);
    expect([atStripe().map(({ status }) => status), await refundRecords()]).toEqual([['failed', 'succeeded'], [refund]]);
  });

  test('a refund that Stripe decides later reserves its amount, emits nothing and is recorded by the notice', async () => {
    t.stripe.refundsBecome('pending');
    const coming = await ask({ amount: 5, description: 'late' });
    expect(coming).toMatchObject({ status: 'pending', amount: 5, completed_at: null });
    expect([await refundRecords(), (await order()).payment_status]).toEqual([[], 'paid']);
    expect(await errorOfRefund({ amount: 13 })).toMatchObject({ status: 409, field: 'amount' });
    expect(await t.service.errorOf('payment.void', own.account, { id: own.paid.id })).toMatchObject({ status: 409 });
    const [refund] = atStripe();
    refund.status = 'succeeded';
    expect([await notify('refund.updated', refund), await notify('charge.refunded', { id: refund.charge })]).toEqual([200, 200]);
    expect(await refundRecords()).toMatchObject([{ id: coming['id'], status: 'completed', description: 'late', amount: 5 }]);
    expect(await original()).toMatchObject({ refunded_amount: 5 });
  });

  test.each([
    ['pending', []],
    ['succeeded', ['failed']],
  ] as const)('a refund that fails after it was %s leaves a paid order, and its amount can be refunded', async (before, records) => {
    t.stripe.refundsBecome(before);
    await ask({ amount: 13 });
    const { payment_status, updated_at } = await order();
    expect(payment_status).toBe(before === 'pending' ? 'paid' : 'refunded');
    t.world.clock.advance(1_000);
    const [refund] = atStripe();
    refund.status = 'failed';
    expect([await notify('refund.failed', refund), await notify('refund.failed', refund)]).toEqual([200, 200]);
    expect((await refundRecords()).map(({ status }) => status)).toEqual(records);
    expect(await order()).toMatchObject({ payment_status: 'paid' });
    expect((await order()).updated_at > updated_at).toBe(before === 'succeeded');
    t.stripe.refundsBecome('succeeded');
    await ask({ amount: 13 });
    expect(await original()).toMatchObject({ refunded_amount: 13 });
  });

  test('payment.refund of a payment without an order uses the currency that Stripe knows', async () => {
    const gateway = { provider: 'Stripe', transaction_id: await payAgain() };
    own.paid = await t.service.act('payment.create', own.account, { amount: 13, method: 'card', status: 'completed', gateway });
    const refund = await ask({ amount: 5 });
    expect(atStripe()).toMatchObject([{ amount: 500 }]);
    expect(await notify('refund.created', t.stripe.refundAt(gateway.transaction_id, 300))).toBe(200);
    expect(await original()).toMatchObject({ refunded_amount: 8 });
    expect(refund).toMatchObject({ order_id: null, amount: 5 });
  });

  test.each([
    ['JPY', 130, 5, 5],
    ['UGX', 13_000, 500, 5],
    ['KWD', 130_000, 5_400, 5.4],
    ['USD', 13_000, 540, 5.4],
  ])('payment.refund in %s sends the smallest unit of the currency', async (currency, total, refunded, amount) => {
    await buy(currency);
    expect(t.stripe.sessions.get(await own.counter.hosted())?.amount_total ?? total).toBe(total);
    expect(await ask({ amount })).toMatchObject({ amount });
    expect(atStripe()).toMatchObject([{ amount: refunded }]);
    const remaining = total - refunded;
    expect(await notify('refund.created', t.stripe.refundAt(own.paid.gateway.transaction_id, remaining))).toBe(200);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });

  test("payment.refund rejects a payment that Stripe took in a currency other than its order's", async () => {
    await buy('JPY');
    const transaction = await payAgain([{ product_id: 'prd_local', quantity: 100 }]);
    const payments = [{ amount: 130, method: 'card', status: 'completed', gateway: { provider: 'stripe', transaction_id: transaction } }];
    const body = { currency: 'USD', items: [{ name: 'Cake', quantity: 1, unit_price: 130 }], payments };
    const { body: made } = await t.world.request('POST', '/orders', { key: own.counter.shop.secretKey, body });
    own.paid = { order_id: made.id };
    [own.paid] = (await order()).payments;
    expect(await errorOfRefund({ amount: 5 })).toMatchObject({ status: 409, code: 'conflict', message: expect.stringMatching(/JPY.*USD/) });
    expect(atStripe()).toEqual([]);
  });

  test('payment.refund rejects a token that was used for another amount', async () => {
    const token = `token-${own.paid.id}`;
    await ask({ amount: 5 }, token);
    await expect(ask({ amount: 8 }, token)).rejects.toThrow('idempotency_key_reused');
    expect(atStripe().map(({ amount }) => amount)).toEqual([500]);
  });
});

describe('a refund that was made at Stripe', () => {
  test('Stripe repeats the notice of a refund that comes before the payment is recorded', async () => {
    const refund = t.stripe.refundAt(await payAgain(), 300);
    expect(await notify('refund.created', refund)).toBe(409);
    await own.counter.comeBack();
    expect(await notify('refund.created', refund)).toBe(200);
    expect((await own.counter.made()).payments.filter(({ type }: any) => type === 'refund')).toHaveLength(1);
  });

  test.each([
    ['without a payment', { payment_intent: null, charge: null }],
    ['of a payment that no checkout of the account took', { payment_intent: 'pi_other', charge: 'ch_other' }],
  ])('a notice of a refund %s is ignored', async (_what, payment) => {
    const refund = { id: 're_other', amount: 5, currency: 'usd', status: 'succeeded', created: 1, metadata: {}, ...payment };
    expect(await notify('refund.created', refund)).toBe(200);
    expect(await original()).toMatchObject({ refunded_amount: 0 });
  });

  test.each(['goodwill', 'the id of the payment'])(
    'a notice of a refund that another system marked with %s is recorded as made at Stripe',
    async (mark) => {
      const metadata = { bakery_refund: mark === 'goodwill' ? mark : own.paid.id };
      const made = [300, 200].map((amount) => t.stripe.refundAt(own.paid.gateway.transaction_id, amount, { metadata }));
      for (const refund of made) expect(await notify('refund.created', refund)).toBe(200);
      expect((await refundRecords()).map(({ amount }: any) => amount).sort()).toEqual([2, 3]);
      made[0].status = 'failed';
      expect(await notify('refund.failed', made[0])).toBe(200);
      expect(await original()).toMatchObject({ status: 'completed', refunded_amount: 2 });
    },
  );
});

describe('a refund of a customer who is erased', () => {
  const stored = async () => JSON.stringify(await t.world.store.payments.ofOrder(own.account, own.paid.order_id));
  const erase = async () => t.service.act('customer.erase', own.account, { id: own.paid.customer_id });

  test('a refund of a customer who is erased before Stripe decides has no description', async () => {
    t.stripe.refundsBecome('pending');
    await ask({ amount: 5, description: 'For Ada' });
    await erase();
    expect(await stored()).not.toContain('Ada');
    const [refund] = atStripe();
    refund.status = 'succeeded';
    expect(await notify('refund.updated', refund)).toBe(200);
    expect(await refundRecords()).toMatchObject([{ amount: 5, description: null, method_details: null }]);
  });

  test.each(['before', 'after'] as const)(
    'a refund of a customer who is erased during its notice has no details of the card (%s its commit)',
    async (moment) => {
      const refund = t.stripe.refundAt(own.paid.gateway.transaction_id, 300);
      const total = await callsOf(() => notify('refund.created', refund));
      const next = t.stripe.refundAt(own.paid.gateway.transaction_id, 200);
      const standstill = standstillAt(t.world.wire, total - 1, moment);
      const noticed = notify('refund.created', next);
      await standstill.reached;
      await erase();
      standstill.goOn();
      expect(await noticed).toBe(200);
      await erase();
      expect(await refundRecords()).toHaveLength(2);
      expect(await stored()).not.toContain('"4444"');
    },
  );
});
