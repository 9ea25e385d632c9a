import { beforeEach, describe, expect, test } from '@jest/globals';
import { openShop, type Shop, shopSettings } from '../checkout/shop.ts';
import { standstillAt } from '../support/faults.ts';
import { sampleProduct } from '../support/requests.ts';
import { expectOne, type StripeCounter, atStripe as stripeSettings, useStripe } from './stripe-counter.ts';

const t = useStripe();

let counter: StripeCounter;
let account: string;
let paid: any;
const shopIn = async (currency: string): Promise<Shop> => {
  const shop = await openShop(t.world, { account: { currency }, settings: { ...shopSettings, checkout: stripeSettings } });
  const product = sampleProduct(t.world.clock.now(), { id: 'prd_local', price: 130, currency });
  await t.world.store.commit([t.world.store.products.createWrite(shop.account.id, product)]);
  return shop;
};
/** Pays a cart of 13 at Stripe, or of 130 in a currency. */
const buy = async (currency?: string) => {
  const members = { items: [{ product_id: 'prd_local', quantity: 1 }] };
  counter = await t.open(currency === undefined ? {} : { shop: await shopIn(currency), members });
  account = counter.shop.account.id;
  await counter.pay('');
  t.stripe.pay(await counter.hosted());
  await counter.comeBack();
  paid = (await expectOne(counter)).payment;
};
beforeEach(async () => {
  t.world.wire.intercept(undefined);
  t.stripe.refundsBecome('succeeded');
  await buy();
});

const ask = (input: object, token?: string) => t.service.act('payment.refund', account, { id: paid.id, ...input }, token);
const refuse = (input: object) => t.service.refused('payment.refund', account, { id: paid.id, ...input });
const notify = async (type: string, about: object) => {
  const { body, headers } = t.stripe.notice(type, about);
  return (await counter.visit('POST', `/checkout/${account}/notices/stripe`, { body, headers })).status;
};
const order = async () => (await t.world.request('GET', `/orders/${paid.order_id}`, { key: counter.shop.secretKey })).body;
const refundRecords = async () => (await order()).payments.filter(({ type }: { type: string }) => type === 'refund');
const atStripe = () => t.stripe.refunds.filter(({ payment_intent }) => payment_intent === paid.gateway.transaction_id);
const original = async () => (await t.world.store.payments.get(account, paid.id))?.record;
/** Returns the number of table calls that the work makes. */
const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
  t.world.wire.intercept(undefined);
  t.world.wire.reset();
  await work();
  return t.world.wire.calls.length;
};

/** Delivers all changes so far to a new endpoint. Returns the types that the work leads to, in order of the alphabet. */
const eventsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  await t.service.pipeline.clear();
  const hook = t.service.receiver.hook();
  const events = ['order.updated', 'payment.created', 'payment.updated', 'payment.refunded', 'payment.failed'];
  await t.world.request('POST', '/webhooks', { key: counter.shop.secretKey, body: { url: hook.url, events } });
  t.world.clock.advance(2_000);
  await work();
  await t.service.pipeline.drain();
  return hook.requests.map(({ body }) => JSON.parse(body.toString()).type).sort();
};

describe('payment.refund of a payment that Stripe took', () => {
  test("is made at Stripe, recorded with the refund's id there, and shown on the order", async () => {
    const refund = await ask({ amount: 5, description: 'stale' });
    expect(atStripe()).toMatchObject([{ amount: 500, metadata: { refund: refund['id'] } }]);
    expect(refund).toMatchObject({
      type: 'refund',
      amount: 5,
      status: 'completed',
      description: 'stale',
      original_payment_id: paid.id,
      gateway: { provider: 'stripe', transaction_id: atStripe()[0].id },
    });
    expect(await refundRecords()).toEqual([refund]);
    expect(await order()).toMatchObject({ payment_status: 'partial_refund' });
    await ask({ amount: 8 });
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
    expect(await original()).toMatchObject({ refunded_amount: 13 });
    expect(await original()).not.toHaveProperty('refund_intents');
  });

  test('is only recorded with gateway: false', async () => {
    const refund = await ask({ amount: 5, gateway: false });
    expect(atStripe()).toEqual([]);
    expect(refund).toMatchObject({ gateway: { provider: 'stripe', transaction_id: null } });
  });

  test('is rejected before Stripe is asked if the amount exceeds the payment', async () => {
    expect(await refuse({ amount: 13.01 })).toMatchObject({ status: 400, code: 'invalid_value', field: 'amount' });
    expect(await refuse({ amount: 1, gateway: 'no' })).toMatchObject({ status: 400, field: 'gateway' });
    expect(atStripe()).toEqual([]);
  });

  test('that Stripe rejects releases its amount', async () => {
    t.stripe.refundAt(paid.gateway.transaction_id, 1000);
    expect(await refuse({ amount: 5 })).toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining('Stripe rejected'),
    });
    expect(await original()).toMatchObject({ refunded_amount: 0 });
    expect(await original()).not.toHaveProperty('refund_intents');
  });

  test('that Stripe decides later reserves its amount, emits nothing and is recorded by the notice', async () => {
    t.stripe.refundsBecome('pending');
    const coming = await ask({ amount: 5, description: 'late' });
    expect(coming).toMatchObject({ status: 'pending', amount: 5, completed_at: null });
    expect([await refundRecords(), (await order()).payment_status]).toEqual([[], 'paid']);
    expect(await refuse({ amount: 13 })).toMatchObject({ status: 409, field: 'amount' });
    expect(await t.service.refused('payment.void', account, { id: paid.id })).toMatchObject({ status: 409 });
    const [refund] = atStripe();
    refund.status = 'succeeded';
    expect([await notify('refund.updated', refund), await notify('charge.refunded', { id: refund.charge })]).toEqual([200, 200]);
    expect(await refundRecords()).toMatchObject([{ id: coming['id'], status: 'completed', description: 'late', amount: 5 }]);
    expect(await original()).toMatchObject({ refunded_amount: 5 });
  });

  test('that fails later releases its amount', async () => {
    t.stripe.refundsBecome('pending');
    await ask({ amount: 13 });
    const [refund] = atStripe();
    refund.status = 'failed';
    expect(await notify('refund.failed', refund)).toBe(200);
    expect([await refundRecords(), (await order()).payment_status]).toEqual([[], 'paid']);
    t.stripe.refundsBecome('succeeded');
    await ask({ amount: 13 });
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });

  test('that fails after it succeeded is taken back', async () => {
    await ask({ amount: 13 });
    const [refund] = atStripe();
    refund.status = 'failed';
    expect([await notify('refund.failed', refund), await notify('refund.failed', refund)]).toEqual([200, 200]);
    expect(await refundRecords()).toMatchObject([{ status: 'failed' }]);
    expect([(await order()).payment_status, (await original())?.refunded_amount]).toEqual(['paid', 0]);
  });

  test('is one refund if its notices arrive during the call, and after it', async () => {
    const standstill = standstillAt(t.world.wire, (await callsOf(() => ask({ amount: 1 }))) - 1, 'before');
    const asking = ask({ amount: 5 });
    await standstill.reached;
    expect(await notify('refund.created', atStripe()[1])).toBe(200);
    standstill.goOn();
    const refund = await asking;
    expect(await notify('refund.updated', atStripe()[1])).toBe(200);
    expect(await refundRecords()).toHaveLength(2);
    expect(await refundRecords()).toContainEqual(refund);
  });

  test('emits payment.refunded and order.updated, once', async () => {
    const types = await eventsOf(async () => {
      await ask({ amount: 5 });
      await notify('refund.created', atStripe()[0]);
      await notify('charge.refunded', { id: atStripe()[0].charge });
    });
    expect(types).toEqual(['order.updated', 'payment.refunded']);
  });

  test('of a payment that was recorded by hand and has no order is made in the currency that Stripe knows', async () => {
    counter = await t.open({ shop: counter.shop });
    await counter.pay('');
    const hosted = await counter.hosted();
    t.stripe.pay(hosted);
    const gateway = { provider: 'Stripe', transaction_id: `pi_of_${hosted}` };
    paid = await t.service.act('payment.create', account, { amount: 13, method: 'card', status: 'completed', gateway });
    const refund = await ask({ amount: 5 });
    expect(atStripe()).toMatchObject([{ amount: 500 }]);
    expect(await notify('refund.created', t.stripe.refundAt(gateway.transaction_id, 300))).toBe(200);
    expect(await original()).toMatchObject({ refunded_amount: 8 });
    expect(refund).toMatchObject({ order_id: null, amount: 5 });
  });

  test('emits nothing while Stripe has not decided', async () => {
    t.stripe.refundsBecome('pending');
    expect(await eventsOf(() => ask({ amount: 5 }))).toEqual([]);
  });

  test.each([
    ['JPY', 130, 5, 5],
    ['UGX', 13_000, 500, 5],
    ['KWD', 130_000, 5_400, 5.4],
    ['USD', 13_000, 540, 5.4],
  ])('in %s is sent in the smallest unit of the currency', async (currency, total, refunded, recorded) => {
    await buy(currency);
    expect(t.stripe.sessions.get(await counter.hosted())?.amount_total ?? total).toBe(total);
    expect(await ask({ amount: 5.4 })).toMatchObject({ amount: recorded });
    expect(atStripe()).toMatchObject([{ amount: refunded }]);
    const left = total - refunded;
    expect(await notify('refund.created', t.stripe.refundAt(paid.gateway.transaction_id, left))).toBe(200);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });
});

describe('a refund whose call ended in between', () => {
  test('without an answer of Stripe is found at Stripe by the repeated call, also after Stripe forgot its key', async () => {
    t.stripe.loseNextAnswer();
    expect(await refuse({ amount: 5 })).toMatchObject({ status: 409, code: 'request_in_flight' });
    expect([atStripe().length, await refundRecords()]).toEqual([1, []]);
    t.stripe.forgetRefundKeys();
    t.world.clock.advance(2 * 86_400_000);
    const refund = await ask({ amount: 5 });
    expect(atStripe()).toHaveLength(1);
    expect(await refundRecords()).toEqual([refund]);
  });

  test('keeps its amount while the keys are wrong, and is found with the right ones', async () => {
    t.stripe.loseNextAnswer();
    await refuse({ amount: 5 });
    const { secret_key } = stripeSettings;
    t.stripe.rollKey(secret_key, 'sk_test_rolled');
    expect(await refuse({ amount: 5 })).toMatchObject({ status: 409, code: 'request_in_flight' });
    expect(await original()).toMatchObject({ refund_intents: [{ amount: 5 }] });
    t.stripe.rollKey('sk_test_rolled', secret_key);
    const refund = await ask({ amount: 5 });
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });

  test('is found with former keys after the account changed to another account of Stripe', async () => {
    t.stripe.loseNextAnswer();
    await refuse({ amount: 5 });
    t.stripe.openAccount('sk_test_other');
    await counter.change({ ...stripeSettings, secret_key: 'sk_test_other' });
    t.world.clock.advance(2 * 86_400_000);
    t.stripe.forgetRefundKeys();
    const refund = await ask({ amount: 5 });
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });

  test('is ended by a call for another amount', async () => {
    t.stripe.loseNextAnswer();
    await refuse({ amount: 5 });
    await ask({ amount: 8 });
    expect(atStripe().map(({ amount }) => amount)).toEqual([500, 800]);
    expect((await refundRecords()).map(({ amount }: { amount: number }) => amount).sort()).toEqual([5, 8]);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });

  test('before Stripe got it is released by a call for the whole amount', async () => {
    t.stripe.failNext(500, { type: 'api_error' });
    t.stripe.failNext(500, { type: 'api_error' });
    expect(await refuse({ amount: 5 })).toMatchObject({ status: 409, code: 'request_in_flight' });
    await ask({ amount: 13 });
    expect(atStripe()).toHaveLength(1);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });
});

describe('a call of payment.refund that dies', () => {
  const amount = 5;
  const points = Array.from({ length: 20 }, (_, index) => (['before', 'after'] as const).map((moment) => ({ index, moment }))).flat();

  test('makes at most 20 table calls, at each of which the tests below stop it', async () => {
    expect(await callsOf(() => ask({ amount }))).toBeLessThanOrEqual(20);
  });

  test.each(points)(
    '$moment call $index makes one refund, whether the notice or the repeated call comes next',
    async ({ index, moment }) => {
      for (const isNoticed of [false, true]) {
        await buy();
        const standstill = standstillAt(t.world.wire, index, moment);
        const dead = ask({ amount }, paid.id).then(
          () => 'answered',
          () => 'died',
        );
        if ((await Promise.race([standstill.reached.then(() => 'reached'), dead])) === 'answered') return;
        for (const refund of isNoticed ? atStripe() : []) expect(await notify('refund.created', refund)).toBe(200);
        t.world.clock.advance(91_000);
        const refund = await ask({ amount }, paid.id);
        expect(await refundRecords()).toEqual([refund]);
        standstill.fail();
        await dead;
        expect([atStripe().length, await refundRecords(), await original()]).toEqual([
          1,
          [refund],
          expect.objectContaining({ refunded_amount: amount }),
        ]);
        expect(await original()).not.toHaveProperty('refund_intents');
      }
    },
  );
});

describe('a refund that was made at Stripe', () => {
  test('before the payment is recorded is sent again', async () => {
    counter = await t.open({ shop: counter.shop });
    await counter.pay('');
    const hosted = await counter.hosted();
    t.stripe.pay(hosted);
    const refund = t.stripe.refundAt(`pi_of_${hosted}`, 300);
    expect(await notify('refund.created', refund)).toBe(409);
    await counter.comeBack();
    expect(await notify('refund.created', refund)).toBe(200);
    expect((await counter.made()).payments.filter(({ type }: any) => type === 'refund')).toHaveLength(1);
  });

  test('comes back by its notices, once', async () => {
    const refund = t.stripe.refundAt(paid.gateway.transaction_id, 300);
    for (const [type, about] of [
      ['refund.created', refund],
      ['charge.refunded', { id: refund.charge }],
      ['refund.updated', refund],
      ['refund.created', refund],
    ] as const)
      expect(await notify(type, about)).toBe(200);
    expect(await refundRecords()).toMatchObject([{ amount: 3, original_payment_id: paid.id, gateway: { transaction_id: refund.id } }]);
    expect(await order()).toMatchObject({ payment_status: 'partial_refund' });
  });

  test('comes back once if its notices arrive at the same time', async () => {
    const refund = t.stripe.refundAt(paid.gateway.transaction_id, 1300);
    await Promise.all([
      notify('refund.created', refund),
      notify('refund.updated', refund),
      notify('charge.refunded', { id: refund.charge }),
    ]);
    expect(await refundRecords()).toHaveLength(1);
    expect((await original())?.refunded_amount).toBe(13);
  });

  test('of a payment that no checkout of the account took is left alone', async () => {
    expect(
      await notify('refund.created', {
        id: 're_other',
        amount: 5,
        currency: 'usd',
        status: 'succeeded',
        payment_intent: 'pi_other',
        charge: 'ch_other',
        created: 1,
        metadata: {},
      }),
    ).toBe(200);
  });
});

describe('a dispute', () => {
  const report = (id: string, status: string, type = 'updated') =>
    notify(`charge.dispute.${type}`, t.stripe.dispute(paid.gateway.transaction_id, id, status));
  const paymentStatus = async () => (await order()).payment_status;

  test.each([
    ['is open', ['needs_response'], 'disputed'],
    ['is under review', ['needs_response', 'under_review'], 'disputed'],
    ['was lost', ['needs_response', 'lost'], 'chargebacked'],
    ['was won', ['needs_response', 'under_review', 'won'], 'paid'],
    ['is an inquiry', ['warning_needs_response', 'warning_under_review', 'warning_closed'], 'paid'],
    ['began as an inquiry', ['warning_needs_response', 'needs_response'], 'disputed'],
  ])('that %s makes the order %j → %s', async (_, statuses, expected) => {
    for (const status of statuses) expect(await report('dp_1', status)).toBe(200);
    expect(await paymentStatus()).toBe(expected);
    expect((await order()).payments).toHaveLength(1);
  });

  test('that was lost stays so if an earlier notice arrives late', async () => {
    const opened = { ...t.stripe.dispute(paid.gateway.transaction_id, 'dp_1', 'needs_response') };
    await report('dp_1', 'lost', 'closed');
    expect(await notify('charge.dispute.created', opened)).toBe(200);
    expect(await paymentStatus()).toBe('chargebacked');
  });

  test('that overlaps another one is disputed until both have ended', async () => {
    await report('dp_1', 'needs_response');
    await report('dp_2', 'needs_response');
    await report('dp_1', 'won');
    expect(await paymentStatus()).toBe('disputed');
    await report('dp_2', 'won');
    expect(await paymentStatus()).toBe('paid');
  });

  test('that was won leaves the refund that was made in between', async () => {
    await report('dp_1', 'needs_response');
    await ask({ amount: 5 });
    expect(await paymentStatus()).toBe('disputed');
    await report('dp_1', 'won');
    expect(await paymentStatus()).toBe('partial_refund');
  });

  test('rejects another payment status by the dashboard', async () => {
    await report('dp_1', 'needs_response');
    expect(await t.service.refused('order.update', account, { id: paid.order_id, payment_status: 'paid' })).toMatchObject({
      status: 409,
      field: 'payment_status',
    });
  });
});
