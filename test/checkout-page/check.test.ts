import { beforeEach, describe, expect, test } from '@jest/globals';
import { noticeTypes } from '../../shared/providers/payment-gateways/stripe.ts';
import { atStripe, useStripe } from './stripe-counter.ts';

const t = useStripe();

let account: string;
const path = () => `/checkout/${account}/notices/stripe`;
const endpoint = (fields: object = {}) => ({
  id: 'we_1',
  object: 'webhook_endpoint',
  url: `https://us.api.example.com${path()}`,
  status: 'enabled',
  enabled_events: noticeTypes,
  ...fields,
});
beforeEach(async () => {
  const counter = await t.open();
  account = counter.shop.account.id;
  Object.assign(t.stripe.profile, { canCharge: true, endpoints: [endpoint()] });
});
const check = () => t.service.act('checkout.check', account);
const problems = async () => (await check())['checks'].flatMap(({ name, problem }: any) => (problem === null ? [] : [[name, problem]]));

describe('checkout.check', () => {
  test('checkout.check of an account that can take payments has no problem', async () => {
    expect(await check()).toEqual({
      gateway: 'stripe',
      ok: true,
      checks: ['key', 'account', 'notices'].map((name) => ({ name, ok: true, problem: null })),
    });
  });

  test('checkout.check of the sandbox makes no call', async () => {
    const { shop } = await t.open({ checkout: null });
    expect(await t.service.act('checkout.check', shop.account.id)).toEqual({ gateway: 'sandbox', ok: true, checks: [] });
  });

  test('checkout.check says that Stripe does not accept the key', async () => {
    await t.service.act('settings.put', account, { checkout: { ...atStripe, secret_key: 'sk_test_wrong' } });
    expect(await check()).toMatchObject({
      ok: false,
      checks: [{ name: 'key', ok: false, problem: expect.stringContaining('secret key') }],
    });
    expect(JSON.stringify(await check())).not.toContain('sk_test');
  });

  test.each([
    ['the account cannot charge', () => ({ canCharge: false }), 'account', /activation/],
    ['no endpoint leads here', () => ({ endpoints: [] }), 'notices', /No webhook endpoint/],
    [
      'the endpoint is that of another account',
      () => ({ endpoints: [endpoint({ url: 'https://us.api.example.com/checkout/acct_other/notices/stripe' })] }),
      'notices',
      /No webhook endpoint/,
    ],
    ['the endpoint is disabled', () => ({ endpoints: [endpoint({ status: 'disabled' })] }), 'notices', /disabled/],
    [
      'events are missing',
      () => ({ endpoints: [endpoint({ enabled_events: noticeTypes.filter((type) => !type.includes('dispute')) })] }),
      'notices',
      /charge\.dispute\.created, .*charge\.dispute\.funds_reinstated/,
    ],
  ])('checkout.check says that %s', async (_, change, name, text) => {
    Object.assign(t.stripe.profile, change());
    expect(await problems()).toEqual([[name, expect.stringMatching(text)]]);
  });

  test.each([['*'], [noticeTypes]])('checkout.check accepts an endpoint for the events %j', async (enabled_events) => {
    t.stripe.profile.endpoints = [endpoint({ enabled_events: [enabled_events].flat() })];
    expect(await problems()).toEqual([]);
  });

  test('checkout.check says that the settings lack a key', async () => {
    await t.service.act('settings.put', account, { checkout: { gateway: 'stripe', secret_key: null, webhook_secret: null } });
    expect(await problems()).toEqual([['key', expect.stringContaining('checkout.secret_key')]]);
  });

  test('checkout.check says that a secret cannot be read', async () => {
    await t.service.act('settings.put', account, { checkout: { ...atStripe, secret_key: 'ssm:stripe/absent' } });
    expect(await problems()).toEqual([['key', expect.stringContaining('stripe/absent')]]);
  });
});
