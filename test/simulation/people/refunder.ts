import { type HostedSession, paymentOf } from '../../stripe/books.ts';
import type { Random } from '../scheduler/random.ts';
import { isoDecimals } from '../world/currencies.ts';
import { act } from './dashboard.ts';
import { atWork, type Stage } from './person.ts';
import { shopperOf } from './shopper.ts';

const mostTries = 6;
const mostShoppers = 3;
/** A day and an hour: Stripe remembers the key of a refund for a day. */
const longestDelayMs = 90_000_000;

/**
 * The merchant's office that gives money back, in the dashboard or at Stripe, and shoppers with
 * banks that dispute a payment.
 */
export const giveBack = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const { stripe } = region.page;
  const name = `refunds-${stage.number}`;

  /** Returns an amount in the smallest unit: all that is left, or a part. */
  const amountOf = (hosted: HostedSession, random: Random): number => {
    const remaining = stripe.books.remaining(paymentOf(hosted));
    if (random.chance(0.4)) return remaining;
    const part = 1 + random.below(Math.max(1, remaining));
    // In a currency of thousandths, Stripe takes hundredths only.
    return isoDecimals(hosted.currency) === 3 ? Math.max(10, part - (part % 10)) : part;
  };

  /** At most once, because every day more delays the end of the scenario. */
  let wasLate = false;
  /** Repeats the call with its token as the service says: while the result at Stripe is unknown. */
  const ask = async (input: object, token: string, random: Random): Promise<void> => {
    for (let tries = 1; tries <= mostTries; tries++) {
      const response = await act(region, name, { action: 'payment.refund', account, input, token }, random);
      if (response && (response.ok || response.body.error['code'] !== 'request_in_flight')) return;
      const isLate = random.chance(0.1) && !wasLate;
      wasLate ||= isLate;
      await scheduler.sleep(random.below(isLate ? longestDelayMs : 120_000));
    }
  };

  const { goShopping } = shopperOf(stage, `${name}-shopper`);
  /** Shoppers come until one has paid at Stripe, a few at most. */
  const sell = async (random: Random, marker: string): Promise<void> => {
    const before = stripe.paidTo(account).length;
    for (let i = 0; i < mostShoppers && stripe.paidTo(account).length === before; i++) await goShopping(random, `${marker}-${i}`);
  };

  await atWork(stage, {
    name,
    actions: scheduler.stream(name).below(7),
    pauseMs: (random) => random.below(random.chance(0.3) ? 3_600_000 : 300_000),
    async act(random, action) {
      if (stripe.paidTo(account).length === 0 || random.chance(0.2)) await sell(random, `${name}-${action}`);
      const paid = stripe.paidTo(account);
      if (paid.length === 0) return;
      const hosted = random.pick(paid);
      const what = random.weighted({ ask: 4, askTwice: 2, atStripe: 2, dispute: 3 });
      const stored = await region.store.payments.byTransaction(account, [paymentOf(hosted)]);
      const order = stored?.record.order_id;
      if (order) journal.touched.add(order);
      if (what === 'atStripe') return void stripe.refund(paymentOf(hosted), amountOf(hosted, random));
      if (what === 'dispute') return stripe.dispute(hosted);
      if (!stored) return;
      const minor = amountOf(hosted, random);
      const input = { id: stored.record.id, amount: minor / 10 ** isoDecimals(hosted.currency) };
      const calls = what === 'ask' ? ['a'] : ['a', 'b'];
      journal.refundCalls.set(input.id, (journal.refundCalls.get(input.id) ?? 0) + calls.length);
      await Promise.all(calls.map((one) => ask(input, `${name}-${action}${one}`, scheduler.stream(`${name}-${action}${one}`))));
    },
  });
};
