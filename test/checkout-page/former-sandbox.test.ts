import { describe, expect, test } from '@jest/globals';
import { leaseMs } from '../../shared/domain/checkout/rules.ts';
import { standstillAt } from '../support/faults.ts';
import { approveCard, origin, pendingCard, successUrl } from './page.ts';
import { atStripe, useStripe } from './stripe-counter.ts';

const t = useStripe();
/** A counter of a shop that uses the sandbox; its merchant may change the gateway. */
const open = () => t.open({ checkout: null });

describe.each([
  ['Stripe', atStripe],
  ['Stripe without its keys', { gateway: 'stripe' }],
])('payments at a former sandbox, now %s', (_, next) => {
  const begin = async () => {
    const counter = await open();
    await counter.pay(pendingCard);
    return counter;
  };

  test.each(['approve', 'decline'] as const)(
    'the notice "%s" of a former sandbox declines the payment and redirects to the page',
    async (decision) => {
      const counter = await begin();
      await counter.change(next);
      expect((await counter.decide(decision)).headers['Location']).toBe(`${origin}${counter.path}`);
      expect((await counter.made()).orders).toEqual([]);
      expect(await counter.session()).toMatchObject({ status: 'open', payment: null, order_id: null });
    },
  );

  test('the return from a former sandbox declines the payment and redirects to the page', async () => {
    const counter = await begin();
    await counter.change(next);
    expect(await counter.comeBack()).toBe(`${origin}${counter.path}`);
    expect((await counter.made()).orders).toEqual([]);
  });

  test('a payment at a former sandbox counts as declined if the function that called it died', async () => {
    const counter = await open();
    const standstill = standstillAt(t.world.wire, 2, 'before');
    const dead = counter.pay(approveCard);
    await standstill.reached;
    t.world.clock.advance(leaseMs);
    await counter.change(next);
    await counter.pay('');
    // The dead invocation's approval arrives late.
    standstill.goOn();
    await dead;
    t.world.wire.intercept(undefined);
    expect((await counter.made()).orders).toEqual([]);
  });
});

test('a payment that counts as declined at the former sandbox can be paid at Stripe', async () => {
  const counter = await open();
  await counter.pay(pendingCard);
  const { path } = counter;
  await counter.change(atStripe);
  const page = await counter.visit('GET', path);
  expect([page.status, page.text.includes('Approve the payment'), page.text.includes(`action="${path}/pay"`)]).toEqual([200, false, true]);
  expect(page.text).toContain('The shop takes payments in another way now. Please pay again.');
  const transaction_id = await counter.hosted();
  expect((await counter.pay('')).headers['Location']).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  // A sandbox form that was still open in a browser.
  expect((await counter.decide('approve', { transaction_id })).status).toBe(403);
  t.stripe.pay(await counter.hosted());
  expect(await counter.comeBack()).toBe(successUrl);
  expect((await counter.made()).payments).toMatchObject([{ gateway: { provider: 'stripe' } }]);
});

test('a payment at the sandbox is settled by the bank while the account has the sandbox', async () => {
  const counter = await open();
  await counter.pay(pendingCard);
  await counter.change({ gateway: 'sandbox' });
  expect((await counter.visit('GET', counter.path)).text).toContain('Approve the payment');
  expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
  expect((await counter.made()).orders).toHaveLength(1);
});
