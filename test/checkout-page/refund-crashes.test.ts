import { afterEach, describe, expect, test } from '@jest/globals';
import { brokenConnection, isWrite, standstillAt } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';
import { atStripe as stripeSettings } from './stripe-counter.ts';

// Guarantee 24 (docs/guarantees.md)

const own = useRefunds();
const { t, ask, errorOfRefund, notify, order, refundRecords, atStripe, original, callsOf } = own;

const inFlight = { status: 409, code: 'request_in_flight' };
const { secret_key } = stripeSettings;
const moveTo = (key: string) => {
  t.stripe.openAccount(key);
  return own.counter.change({ ...stripeSettings, secret_key: key });
};

afterEach(() => t.world.wire.intercept(undefined));

describe('a refund of a dead call', () => {
  test.each<{ what: string; die?: () => unknown; meanwhile: () => unknown }>([
    { what: 'the response was lost and Stripe forgot its key', meanwhile: () => t.world.clock.advance(2 * 86_400_000) },
    {
      what: 'the response was lost and the keys were wrong for a while',
      async meanwhile() {
        t.stripe.rollKey(secret_key, 'sk_test_rolled');
        expect(await errorOfRefund({ amount: 5 })).toMatchObject(inFlight);
        expect(await original()).toMatchObject({ refund_intents: [{ amount: 5 }] });
        t.stripe.rollKey('sk_test_rolled', secret_key);
      },
    },
    {
      what: 'the response was lost and the account moved to another Stripe account',
      async meanwhile() {
        await moveTo('sk_test_other');
        t.world.clock.advance(2 * 86_400_000);
      },
    },
    {
      what: 'the response to former keys was lost',
      async die() {
        await moveTo('sk_test_moved');
        t.stripe.loseNextResponse();
      },
      meanwhile: () => undefined,
    },
    {
      what: 'the table failed after it',
      die: () =>
        t.world.wire.intercept(async (_call, send) => {
          if (atStripe().length > 0) throw brokenConnection();
          return send();
        }),
      async meanwhile() {
        t.world.wire.intercept(undefined);
        expect(await errorOfRefund({ amount: 5 })).toMatchObject(inFlight);
        t.world.clock.advance(61_000);
      },
    },
  ])('a repeated call finds the refund of a dead one if $what', async ({ die = () => t.stripe.loseNextResponse(), meanwhile }) => {
    await die();
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(inFlight);
    t.world.wire.intercept(undefined);
    expect([atStripe().length, await refundRecords()]).toEqual([1, []]);
    await meanwhile();
    const refund = await ask({ amount: 5 });
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });

  test('a call with another token that takes the refund of a dead call over, records it and dies finds it again', async () => {
    t.stripe.loseNextResponse();
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(inFlight);
    let isDown = false;
    t.world.wire.intercept(async ({ input }, send) => {
      if (isDown) throw brokenConnection();
      const response = await send();
      isDown = JSON.stringify(input).includes(`"${atStripe()[0]?.id}"`);
      return response;
    });
    const token = `second-${own.paid.id}`;
    await expect(ask({ amount: 5 }, token)).rejects.toThrow();
    t.world.wire.intercept(undefined);
    t.world.clock.advance(91_000);
    const refund = await ask({ amount: 5 }, token);
    expect([atStripe().length, await refundRecords()]).toEqual([1, [refund]]);
  });

  test('a call for another amount ends a refund of a dead call', async () => {
    t.stripe.loseNextResponse();
    await errorOfRefund({ amount: 5 });
    await ask({ amount: 8 });
    expect(atStripe().map(({ amount }) => amount)).toEqual([500, 800]);
    expect((await refundRecords()).map(({ amount }: { amount: number }) => amount).sort()).toEqual([5, 8]);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });

  test('a call for the whole amount releases a refund that Stripe never got', async () => {
    t.stripe.failNext(500, { type: 'api_error' });
    t.stripe.failNext(500, { type: 'api_error' });
    expect(await errorOfRefund({ amount: 5 })).toMatchObject(inFlight);
    // The request may still arrive at Stripe.
    expect(await errorOfRefund({ amount: 13 })).toMatchObject({ status: 409, code: 'conflict', field: 'amount' });
    t.world.clock.advance(6 * 60_000);
    await ask({ amount: 13 });
    expect(atStripe()).toHaveLength(1);
    expect(await order()).toMatchObject({ payment_status: 'refunded' });
  });

  test.each(['the repeated call', 'its notice'])(
    'a call for another amount takes no refund back that %s records while it ends the refunds of dead calls',
    async (recorder) => {
      for (let tries = 0; tries < 2; tries++) t.stripe.failNext(500, { type: 'api_error' });
      await errorOfRefund({ amount: 5 });
      const [intent] = (await original()).refund_intents;
      t.world.clock.advance(6 * 60_000);
      const begun = t.stripe.requests.length;
      const hasLooked = () => t.stripe.requests.slice(begun).some(({ method, path }) => method === 'GET' && path === '/v1/refunds');
      const standstill = standstillAt(t.world.wire, 0, 'before', hasLooked);
      const other = ask({ amount: 1 });
      await standstill.reached;
      if (recorder === 'its notice') {
        const metadata = { bakery_refund: intent.id, bakery_payment: own.paid.id };
        expect(await notify('refund.created', t.stripe.refundAt(own.paid.gateway.transaction_id, 500, { metadata }))).toBe(200);
      } else await ask({ amount: 5 });
      standstill.goOn();
      await other;
      expect((await refundRecords()).map(({ amount, status }) => [amount, status]).sort()).toEqual([
        [1, 'completed'],
        [5, 'completed'],
      ]);
      expect(await original()).toMatchObject({ refunded_amount: 6 });
    },
  );
});

describe('a call of payment.refund that dies', () => {
  const amount = 5;
  const mostWrites = 4;
  const points = Array.from({ length: mostWrites }, (_, index) =>
    (['before', 'after'] as const).map((moment) => ({ index, moment })),
  ).flat();

  test(`a refund makes at most ${mostWrites} writes, at each of which the tests below stop it`, async () => {
    await callsOf(() => ask({ amount }));
    expect(t.world.wire.calls.filter(isWrite).length).toBeLessThanOrEqual(mostWrites);
  });

  // A read leaves no trace. What is stored after a write is what is stored before the next one, but
  // Stripe may have been called in between. So one of the two is followed by the notice, and the other
  // by the repeated call alone.
  test.each(points)(
    'a call of payment.refund that dies $moment write $index makes one refund, whether the notice or the repeated call comes next',
    async ({ index, moment }) => {
      const standstill = standstillAt(t.world.wire, index, moment, isWrite);
      const dead = ask({ amount }, own.paid.id).then(
        () => 'answered',
        () => 'died',
      );
      if ((await Promise.race([standstill.reached.then(() => 'reached'), dead])) === 'answered') return;
      let refund: Record<string, unknown>;
      try {
        for (const made of moment === 'before' ? atStripe() : []) expect(await notify('refund.created', made)).toBe(200);
        t.world.clock.advance(91_000);
        refund = await ask({ amount }, own.paid.id);
        expect(await refundRecords()).toEqual([refund]);
      } finally {
        // Otherwise a failure would stop the next test too.
        standstill.fail();
        await dead;
      }
      expect([atStripe().length, await refundRecords(), await original()]).toEqual([
        1,
        [refund],
        expect.objectContaining({ refunded_amount: amount }),
      ]);
      expect(await original()).not.toHaveProperty('refund_intents');
    },
  );
});
