import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leaseMs } from '../../shared/domain/checkout/rules.ts';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { openShop, shopSettings } from '../checkout/shop.ts';
import { standstillAt } from '../support/faults.ts';
import { secretsOf } from '../support/secrets.ts';
import { startWorld, type World } from '../support/world.ts';
import { approveCard, type Counter, openCounter, successUrl } from './page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from './stripe-stand-in.ts';

const dayMs = 86_400_000;
const other = { gateway: 'stripe' as const, secret_key: 'sk_test_other', webhook_secret: 'whsec_other' };
const first = { gateway: 'stripe' as const, secret_key: secretKey, webhook_secret: webhookSecret };

let world: World;
let stripe: StripeStandIn;
let service: Service;
beforeAll(async () => {
  world = await startWorld();
  stripe = await startStripe(world.clock.now);
  service = await startBakeries(world);
  stripe.openAccount(other.secret_key);
});
afterAll(async () => {
  stripe.close();
  await service.stop();
  await world.stop();
});

interface StripeCounter extends Counter {
  /** Id of the page at Stripe that the payment under way has. */
  hosted(): Promise<string>;
  notify(type: string, hosted: string, secret?: string): Promise<number>;
  comeBack(): Promise<string | undefined>;
  /** The merchant saves other checkout settings. */
  change(checkout?: object): Promise<unknown>;
  visitAgain(): Promise<Counter>;
}

const open = async (checkout: object | null = first, parameters?: (account: string) => Record<string, string>): Promise<StripeCounter> => {
  const shop = await openShop(world, { settings: { ...shopSettings, ...(checkout ? { checkout: checkout as typeof first } : {}) } });
  const account = shop.account.id;
  const services = { secrets: secretsOf(parameters?.(account)), stripeApi: stripe.api };
  const counter = await openCounter(world, { shop, services });
  const { checkout: _, ...settings } = shopSettings;
  return {
    ...counter,
    hosted: async () => (await counter.session()).payment?.transaction_id ?? '',
    async notify(type, hosted, secret) {
      const { body, headers } = stripe.notice(`checkout.session.${type}`, hosted, secret);
      return (await counter.visit('POST', `/checkout/${account}/notices/stripe`, { body, headers })).status;
    },
    comeBack: async () => (await counter.visit('GET', `${counter.path}/return`)).headers['Location'],
    change: (next) => service.act('settings.put', account, { ...settings, ...(next ? { checkout: next } : {}) }),
    visitAgain: () => openCounter(world, { shop, services }),
  };
};

const expectOne = async (counter: Counter) => {
  const { orders, payments } = await counter.made();
  expect([orders.length, payments.length]).toEqual([1, 1]);
  expect(await counter.session()).toMatchObject({ status: 'paid', order_id: orders[0].id });
  return payments[0];
};

const changes: readonly (readonly [string, readonly (object | undefined)[]])[] = [
  ['goes to the sandbox', [{ gateway: 'sandbox' }]],
  ['goes to another account of Stripe', [other]],
  ['removes the checkout settings', [undefined]],
  ['goes elsewhere, and elsewhere again', [other, { gateway: 'sandbox' }, { ...other, webhook_secret: 'whsec_third' }]],
  ['goes away and comes back', [other, first]],
  ['loses the secrets', [{ gateway: 'stripe' }]],
];

describe.each(changes)('a payment at Stripe whose merchant %s', (_, steps) => {
  const begin = async () => {
    const counter = await open();
    await counter.pay('');
    const hosted = await counter.hosted();
    for (const step of steps) await counter.change(step);
    return { counter, hosted };
  };

  test('is settled by the notice, once, however often it comes', async () => {
    const { counter, hosted } = await begin();
    stripe.pay(hosted);
    expect([await counter.notify('completed', hosted), await counter.notify('completed', hosted)]).toEqual([200, 200]);
    expect(await expectOne(counter)).toMatchObject({ gateway: { provider: 'stripe', transaction_id: `pi_of_${hosted}` } });
    expect(await counter.comeBack()).toBe(successUrl);
    await expectOne(counter);
  });

  test('is settled on the way back', async () => {
    const { counter, hosted } = await begin();
    stripe.pay(hosted);
    expect(await counter.comeBack()).toBe(successUrl);
    await expectOne(counter);
  });

  test('of a bank debit is settled weeks later', async () => {
    const { counter, hosted } = await begin();
    stripe.sessions.get(hosted).status = 'complete';
    expect(await counter.notify('completed', hosted)).toBe(200);
    world.clock.advance(60 * dayMs);
    stripe.pay(hosted, { details: { type: 'sepa_debit' } });
    expect(await counter.notify('async_payment_succeeded', hosted)).toBe(200);
    // A paid session is kept for 30 days: the order alone says what was bought.
    expect((await counter.made()).orders).toHaveLength(1);
    world.clock.advance(-60 * dayMs);
  });

  test('has its page at Stripe until it is paid there, and a notice signed by nobody pays nothing', async () => {
    const { counter, hosted } = await begin();
    const { url } = stripe.sessions.get(hosted);
    expect((await counter.visit('GET', counter.path)).text).toContain(`href="${url}"`);
    stripe.pay(hosted);
    expect(await counter.notify('completed', hosted, 'whsec_nobody')).toBe(403);
    expect((await counter.made()).orders).toEqual([]);
  });
});

test('the next payment is made at the gateway that the account has by then', async () => {
  const counter = await open();
  await counter.pay('');
  const hosted = await counter.hosted();
  await counter.change({ gateway: 'sandbox' });
  stripe.sessions.get(hosted).status = 'expired';
  expect(await counter.notify('expired', hosted)).toBe(200);
  expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
  expect(await expectOne(counter)).toMatchObject({ gateway: { provider: 'sandbox' } });
});

test('a payment that was interrupted is asked for again at the account it was begun at', async () => {
  const counter = await open();
  const standstill = standstillAt(world.wire, 3, 'before');
  const dead = counter.pay('');
  await standstill.reached;
  const [hosted] = [...stripe.sessions.keys()].slice(-1);
  world.clock.advance(leaseMs);
  await counter.change(other);
  const pages = stripe.sessions.size;
  expect((await counter.pay('')).headers['Location']).toBe(stripe.sessions.get(hosted ?? '').url);
  expect(stripe.sessions.size).toBe(pages);
  standstill.fail();
  await dead;
  world.wire.intercept(undefined);
  stripe.pay(hosted ?? '');
  expect(await counter.comeBack()).toBe(successUrl);
  await expectOne(counter);
});

test('where the API key of the same account was rolled, the new one asks what became of the payment', async () => {
  const rolled = { ...first, secret_key: 'sk_test_rolled' };
  const counter = await open({ ...first, secret_key: 'sk_test_before' });
  stripe.openAccount('sk_test_before');
  for (const settle of [() => counter.comeBack(), async (hosted: string) => counter.notify('completed', hosted)]) {
    await counter.change({ ...first, secret_key: 'sk_test_before' });
    const next = await counter.visitAgain();
    await next.pay('');
    const hosted = (await next.session()).payment?.transaction_id ?? '';
    stripe.rollKey('sk_test_before', rolled.secret_key);
    await counter.change(rolled);
    stripe.pay(hosted);
    if (settle.length === 0) expect((await next.visit('GET', `${next.path}/return`)).headers['Location']).toBe(successUrl);
    else expect(await settle(hosted)).toBe(200);
    expect((await next.session()).status).toBe('paid');
    stripe.rollKey(rolled.secret_key, 'sk_test_before');
  }
});

test('no notice of the sandbox pays what was begun at Stripe', async () => {
  const counter = await open();
  await counter.pay('');
  await counter.change({ gateway: 'sandbox' });
  expect((await counter.decide('approve')).status).toBe(403);
  expect((await counter.made()).orders).toEqual([]);
});

test('references to secrets are kept as references, and followed', async () => {
  const references = { gateway: 'stripe', secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook_secret' };
  const counter = await open(references, (account) => ({
    [`${account}/stripe/secret_key`]: secretKey,
    [`${account}/stripe/webhook_secret`]: webhookSecret,
  }));
  await counter.pay('');
  const hosted = await counter.hosted();
  await counter.change({ gateway: 'sandbox' });
  stripe.pay(hosted);
  expect(await counter.notify('completed', hosted)).toBe(200);
  await expectOne(counter);
});

test('former keys that cannot be read any more do not stand in the way of those that can', async () => {
  const lost = { gateway: 'stripe', secret_key: 'ssm:stripe/lost', webhook_secret: 'ssm:stripe/lost' };
  const counter = await open(first);
  await counter.pay('');
  const hosted = await counter.hosted();
  for (const step of [lost, { gateway: 'sandbox' }]) await counter.change(step);
  stripe.pay(hosted);
  expect(await counter.notify('completed', hosted)).toBe(200);
  await expectOne(counter);
});

describe('keys of a former gateway', () => {
  test('say nothing about sessions that were opened after they were replaced', async () => {
    const counter = await open();
    await counter.change(other);
    world.clock.advance(2 * leaseMs);
    const late = await counter.visitAgain();
    await late.pay('');
    const hosted = (await late.session()).payment?.transaction_id ?? '';
    stripe.pay(hosted);
    expect(await counter.notify('completed', hosted, webhookSecret)).toBe(403);
    expect((await late.session()).status).toBe('pending');
    expect(await counter.notify('completed', hosted, other.webhook_secret)).toBe(200);
    expect((await late.session()).status).toBe('paid');
  });

  test('are shown by no action', async () => {
    const counter = await open({ ...first, secret_key: 'sk_test_formerly_secret', webhook_secret: 'whsec_formerly_secret' });
    const account = counter.shop.account.id;
    await counter.change({ gateway: 'sandbox' });
    const shown = await Promise.all([service.act('settings.get', account), service.act('account.export', account), counter.change()]);
    expect(JSON.stringify(shown)).not.toContain('formerly');
  });

  test('are forgotten once no session of theirs can be kept: a day and the 90 of a payment under way after they were replaced', async () => {
    const counter = await open();
    const account = counter.shop.account.id;
    const kept = async () => (await world.store.accounts.getStoredSettings(account)).formers.length;
    await counter.change({ gateway: 'sandbox' });
    world.clock.advance(91 * dayMs - 1);
    expect(await kept()).toBe(1);
    world.clock.advance(1);
    expect(await kept()).toBe(0);
    await counter.change({ gateway: 'sandbox', delivery_fee: 1 });
    expect(await counter.notify('completed', 'cs_any')).toBe(404);
  });

  test('of many changes at the same time are all kept', async () => {
    const counter = await open();
    const account = counter.shop.account.id;
    const keys = Array.from({ length: 6 }, (_, i) => ({ gateway: 'stripe', secret_key: `sk_test_${i}`, webhook_secret: `whsec_${i}` }));
    await Promise.all(keys.map((next) => counter.change(next)));
    await counter.change({ gateway: 'sandbox' });
    const { formers } = await world.store.accounts.getStoredSettings(account);
    const wanted = [first, ...keys].map(({ secret_key }) => secret_key);
    expect(formers.map(({ secret_key }) => secret_key).sort()).toEqual(wanted.sort());
  });

  test('are no more than twenty: a change beyond that is refused, and nothing is forgotten', async () => {
    const counter = await open();
    for (let i = 0; i < 20; i++) await counter.change({ ...other, secret_key: `sk_test_${i}` });
    const account = counter.shop.account.id;
    expect(await service.refused('settings.put', account, { checkout: { gateway: 'sandbox' } })).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect(await world.store.accounts.getSettings(account)).toMatchObject({ checkout: { secret_key: 'sk_test_19' } });
    world.clock.advance(91 * dayMs);
    await counter.change({ gateway: 'sandbox' });
  });
});

test.each(['stripe', 'paypal', 'Stripe'])('there is no notice of %s at a shop that never had it', async (provider) => {
  const counter = await open(null);
  const { status } = await counter.visit('POST', `/checkout/${counter.shop.account.id}/notices/${provider}`, { body: '{}' });
  expect(status).toBe(404);
});
