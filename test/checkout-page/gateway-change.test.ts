import { beforeAll, describe, expect, test } from '@jest/globals';
import { leaseMs } from '../../shared/domain/checkout/rules.ts';
import { standstillAt } from '../support/faults.ts';
import { approveCard, successUrl } from './page.ts';
import { expectOne, atStripe as first, useStripe } from './stripe-counter.ts';
import { secretKey, webhookSecret } from './stripe-stand-in.ts';

const dayMs = 86_400_000;
const other = { gateway: 'stripe' as const, secret_key: 'sk_test_other', webhook_secret: 'whsec_other' };

const t = useStripe();
beforeAll(() => t.stripe.openAccount(other.secret_key));

const changes: readonly (readonly [string, readonly (object | null)[]])[] = [
  ['goes to the sandbox', [{ gateway: 'sandbox' }]],
  ['goes to another account of Stripe', [other]],
  ['removes the checkout settings', [null]],
  ['goes elsewhere, and elsewhere again', [other, { gateway: 'sandbox' }, { ...other, webhook_secret: 'whsec_third' }]],
  ['goes away and comes back', [other, first]],
];

describe.each(changes)('a payment at Stripe after the merchant %s', (title, steps) => {
  const begin = async () => {
    const counter = await t.open();
    await counter.pay('');
    const hosted = await counter.hosted();
    for (const step of steps) await counter.change(step);
    return { counter, hosted };
  };

  test(`a payment at Stripe after the merchant ${title} is settled once by its notice, however often that arrives`, async () => {
    const { counter, hosted } = await begin();
    t.stripe.pay(hosted);
    expect([await counter.notify('completed', hosted), await counter.notify('completed', hosted)]).toEqual([200, 200]);
    expect((await expectOne(counter)).payment).toMatchObject({ gateway: { provider: 'stripe', transaction_id: `pi_${hosted}` } });
    expect(await counter.comeBack()).toBe(successUrl);
    await expectOne(counter);
  });

  test(`a payment at Stripe after the merchant ${title} is settled when the shopper returns`, async () => {
    const { counter, hosted } = await begin();
    t.stripe.pay(hosted);
    expect(await counter.comeBack()).toBe(successUrl);
    await expectOne(counter);
  });

  test(`a payment at Stripe after the merchant ${title} is settled weeks later if it is a bank debit`, async () => {
    const { counter, hosted } = await begin();
    t.stripe.sessions.get(hosted).status = 'complete';
    expect(await counter.notify('completed', hosted)).toBe(200);
    t.world.clock.advance(60 * dayMs);
    t.stripe.pay(hosted, { details: { type: 'sepa_debit' } });
    expect(await counter.notify('async_payment_succeeded', hosted)).toBe(200);
    // A paid session is kept for 30 days; after that only the order lists the items.
    expect((await counter.made()).orders).toHaveLength(1);
    t.world.clock.advance(-60 * dayMs);
  });

  test(`a payment keeps its page at Stripe after the merchant ${title}, and ignores an unsigned notice`, async () => {
    const { counter, hosted } = await begin();
    const { url } = t.stripe.sessions.get(hosted);
    expect((await counter.visit('GET', counter.path)).text).toContain(`href="${url}"`);
    t.stripe.pay(hosted);
    expect(await counter.notify('completed', hosted, 'whsec_nobody')).toBe(403);
    expect((await counter.made()).orders).toEqual([]);
  });
});

test("the next payment uses the account's present gateway", async () => {
  const counter = await t.open();
  await counter.pay('');
  const hosted = await counter.hosted();
  await counter.change({ gateway: 'sandbox' });
  t.stripe.sessions.get(hosted).status = 'expired';
  expect(await counter.notify('expired', hosted)).toBe(200);
  expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
  expect((await expectOne(counter)).payment).toMatchObject({ gateway: { provider: 'sandbox' } });
});

test('an interrupted payment is completed at the Stripe account that began it', async () => {
  const counter = await t.open();
  const standstill = standstillAt(t.world.wire, 3, 'before');
  const dead = counter.pay('');
  await standstill.reached;
  const [hosted] = [...t.stripe.sessions.keys()].slice(-1);
  t.world.clock.advance(leaseMs);
  await counter.change(other);
  const pages = t.stripe.sessions.size;
  expect((await counter.pay('')).headers['Location']).toBe(t.stripe.sessions.get(hosted ?? '').url);
  expect(t.stripe.sessions.size).toBe(pages);
  standstill.fail();
  await dead;
  t.world.wire.intercept(undefined);
  t.stripe.pay(hosted ?? '');
  expect(await counter.comeBack()).toBe(successUrl);
  await expectOne(counter);
});

test("after the account's API key was rolled, the new key reads the payment's result", async () => {
  const rolled = { ...first, secret_key: 'sk_test_rolled' };
  const counter = await t.open({ checkout: { ...first, secret_key: 'sk_test_before' } });
  t.stripe.openAccount('sk_test_before');
  for (const isNotice of [false, true]) {
    await counter.change({ ...first, secret_key: 'sk_test_before' });
    const next = await t.open({ shop: counter.shop });
    await next.pay('');
    const hosted = await next.hosted();
    t.stripe.rollKey('sk_test_before', rolled.secret_key);
    await counter.change(rolled);
    t.stripe.pay(hosted);
    expect(await (isNotice ? next.notify('completed') : next.comeBack())).toBe(isNotice ? 200 : successUrl);
    expect((await next.session()).status).toBe('paid');
    t.stripe.rollKey(rolled.secret_key, 'sk_test_before');
  }
});

test('a notice of the sandbox never pays a payment at Stripe', async () => {
  const counter = await t.open();
  await counter.pay('');
  await counter.change({ gateway: 'sandbox' });
  expect((await counter.decide('approve')).status).toBe(403);
  expect((await counter.made()).orders).toEqual([]);
});

test('former keys that are references stay references and are resolved', async () => {
  const references = { gateway: 'stripe', secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook_secret' };
  const counter = await t.open({
    checkout: references,
    parameters: (account) => ({ [`${account}/stripe/secret_key`]: secretKey, [`${account}/stripe/webhook_secret`]: webhookSecret }),
  });
  await counter.pay('');
  const hosted = await counter.hosted();
  await counter.change({ gateway: 'sandbox' });
  t.stripe.pay(hosted);
  expect(await counter.notify('completed', hosted)).toBe(200);
  await expectOne(counter);
});

test('unreadable former keys do not prevent the use of readable ones', async () => {
  const lost = { gateway: 'stripe', secret_key: 'ssm:stripe/lost', webhook_secret: 'ssm:stripe/lost' };
  const counter = await t.open();
  await counter.pay('');
  const hosted = await counter.hosted();
  for (const step of [lost, { gateway: 'sandbox' }]) await counter.change(step);
  t.stripe.pay(hosted);
  expect(await counter.notify('completed', hosted)).toBe(200);
  await expectOne(counter);
});

describe('keys of a former gateway', () => {
  test('keys of a former gateway are not used for sessions that were opened after they were replaced', async () => {
    const counter = await t.open();
    await counter.change(other);
    t.world.clock.advance(2 * leaseMs);
    const late = await t.open({ shop: counter.shop });
    await late.pay('');
    const hosted = await late.hosted();
    t.stripe.pay(hosted);
    expect(await counter.notify('completed', hosted, webhookSecret)).toBe(403);
    expect((await late.session()).status).toBe('pending');
    expect(await counter.notify('completed', hosted, other.webhook_secret)).toBe(200);
    expect((await late.session()).status).toBe('paid');
  });

  test('keys of a former gateway are returned by no action', async () => {
    const counter = await t.open({
      checkout: { ...first, secret_key: 'sk_test_formerly_secret', webhook_secret: 'whsec_formerly_secret' },
    });
    const account = counter.shop.account.id;
    await counter.change({ gateway: 'sandbox' });
    const shown = await Promise.all([
      t.service.act('settings.get', account),
      t.service.act('account.export', account),
      counter.change(null),
    ]);
    expect(JSON.stringify(shown)).not.toContain('formerly');
  });

  test('keys of a former gateway are deleted 91 days after they were replaced, when no session can need them', async () => {
    const counter = await t.open();
    const account = counter.shop.account.id;
    const countFormerKeys = async () => (await t.world.store.accounts.getStoredSettings(account)).formers.length;
    await counter.change({ gateway: 'sandbox' });
    t.world.clock.advance(91 * dayMs - 1);
    expect(await countFormerKeys()).toBe(1);
    t.world.clock.advance(1);
    expect(await countFormerKeys()).toBe(0);
    await counter.change({ gateway: 'sandbox', delivery_fee: 1 });
    expect(await counter.notify('completed', 'cs_any')).toBe(404);
  });

  test('all keys of a former gateway are kept if the settings change many times at once', async () => {
    const counter = await t.open();
    const account = counter.shop.account.id;
    const keys = Array.from({ length: 6 }, (_, i) => ({ gateway: 'stripe', secret_key: `sk_test_${i}`, webhook_secret: `whsec_${i}` }));
    await Promise.all(keys.map((next) => counter.change(next)));
    await counter.change({ gateway: 'sandbox' });
    const { formers } = await t.world.store.accounts.getStoredSettings(account);
    const expected = [first, ...keys].map(({ secret_key }) => secret_key);
    expect(formers.map(({ secret_key }) => secret_key).sort()).toEqual(expected.sort());
  });

  test('keys of a former gateway are limited to 20: a further change is rejected, and no key is lost', async () => {
    const counter = await t.open();
    for (let i = 0; i < 20; i++) await counter.change({ ...other, secret_key: `sk_test_${i}` });
    const account = counter.shop.account.id;
    expect(await t.service.errorOf('settings.put', account, { checkout: { gateway: 'sandbox' } })).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect(await t.world.store.accounts.getSettings(account)).toMatchObject({ checkout: { secret_key: 'sk_test_19' } });
    t.world.clock.advance(91 * dayMs);
    await counter.change({ gateway: 'sandbox' });
  });
});

test.each(['stripe', 'paypal', 'Stripe'])('a notice of %s is a 404 for a shop that never used that gateway', async (provider) => {
  const counter = await t.open({ checkout: null });
  const { status } = await counter.visit('POST', `/checkout/${counter.shop.account.id}/notices/${provider}`, { body: '{}' });
  expect(status).toBe(404);
});

describe('Stripe keys that are references', () => {
  const checkout = { gateway: 'stripe', secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook_secret' };

  test('Stripe keys that are references are resolved for payments and notices', async () => {
    const parameters = (account: string) => ({
      [`${account}/stripe/secret_key`]: secretKey,
      [`${account}/stripe/webhook_secret`]: webhookSecret,
    });
    const referring = await t.open({ checkout, parameters });
    await referring.pay('');
    expect(t.stripe.sessions.get(await referring.hosted())).toMatchObject({ amount_total: 1300 });
    expect(await referring.notify('expired')).toBe(200);
  });

  test('the page says that payments are impossible if a referenced secret is missing; the log has the reason', async () => {
    const referring = await t.open({ checkout, parameters: (account) => ({ [`${account}/stripe/secret_key`]: secretKey }) });
    const { status, text } = await referring.visit('GET', referring.path);
    expect([status, text.includes('cannot take payments'), text.includes('ssm:')]).toEqual([503, true, false]);
    const line = t.world.log.at(-1);
    expect(line).toMatchObject({ status: 503, error: { name: 'UnresolvedSecret' } });
    expect(JSON.stringify(line)).not.toContain(secretKey);
  });
});
