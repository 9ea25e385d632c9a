import { describe, expect, test } from '@jest/globals';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import { minorUnits } from '../../shared/providers/payment-gateways/stripe-client.ts';
import { openShop, type Shop, shopSettings } from '../checkout/shop.ts';
import { sampleProduct } from '../support/requests.ts';
import { approveCard, openCounter } from './page.ts';
import { atStripe, useStripe } from './stripe-counter.ts';

// Guarantee 25 (docs/guarantees.md)

const t = useStripe();

/** Sells a bun for 350.50 and a box for 99.49, delivered for 4.30 times 1.15. */
const shopIn = async (currency: string, checkout: typeof atStripe | { gateway: 'sandbox' } = { gateway: 'sandbox' }): Promise<Shop> => {
  const slots = { delivery: [{ start: '11:00', end: '14:00', multiplier: 1.15 }] };
  const settings = { ...shopSettings, time_slots: slots, checkout: { ...checkout, delivery_fee: 4.3 } };
  const shop = await openShop(t.world, { account: { currency }, settings });
  const variants = [{ id: 'var_box', name: 'Box', price: 99.49 }];
  const bun = sampleProduct(t.world.clock.now(), { id: 'prd_bun', name: 'Bun', price: 350.5, currency, variants });
  const plain = sampleProduct(t.world.clock.now(), { id: 'prd_plain', name: 'Bun', price: 350.5, currency });
  await t.world.store.commit([bun, plain].map((product) => t.world.store.products.createWrite(shop.account.id, product)));
  return shop;
};

const cart = {
  items: [
    { product_id: 'prd_plain', quantity: 3 },
    { product_id: 'prd_bun', variant_id: 'var_box', quantity: 2 },
  ],
  delivery_type: 'delivery',
  delivery_time: '11:00',
  delivery_address: '1 Mill Lane',
};

describe('a session', () => {
  test.each([
    ['JPY', { subtotal: 1251, delivery_fee: 5, total: 1256 }],
    ['UGX', { subtotal: 1251, delivery_fee: 5, total: 1256 }],
    ['ISK', { subtotal: 1251, delivery_fee: 5, total: 1256 }],
    ['HUF', { subtotal: 1250.48, delivery_fee: 4.95, total: 1255.43 }],
    ['KWD', { subtotal: 1250.48, delivery_fee: 4.95, total: 1255.43 }],
    ['USD', { subtotal: 1250.48, delivery_fee: 4.95, total: 1255.43 }],
  ])('a session in %s has the amounts %j', async (currency, amounts) => {
    expect((await (await shopIn(currency)).open(cart)).body).toMatchObject({ currency, ...amounts });
  });

  test("a session is rejected in another currency than the account's, even for a variant", async () => {
    const shop = await shopIn('JPY');
    await t.world.store.commit([
      t.world.store.accounts.updateWrite(shop.account.id, { currency: 'USD', updated_at: shop.account.updated_at }),
    ]);
    for (const foreign of [{ product_id: 'prd_plain' }, { product_id: 'prd_bun', variant_id: 'var_box' }]) {
      const items = [
        { product_id: 'prd_bread', quantity: 1 },
        { ...foreign, quantity: 1 },
      ];
      const { status, body } = await shop.open({ ...cart, items });
      expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_value', 'items.1']);
    }
  });

  test('a session is rejected if its amount rounds to 0 in the currency', async () => {
    const shop = await shopIn('JPY');
    const crumb = sampleProduct(t.world.clock.now(), { id: 'prd_crumb', price: 0.49, currency: 'JPY' });
    await t.world.store.commit([t.world.store.products.createWrite(shop.account.id, crumb)]);
    const { status, body } = await shop.open({ delivery_type: 'dispatch', items: [{ product_id: 'prd_crumb', quantity: 100 }] });
    expect([status, body.error.field]).toEqual([400, 'items']);
  });
});

describe('the page', () => {
  const shown = (text: string): string[] =>
    [...text.matchAll(/[¥$]?\p{L}*\s?[\d,.]+(?= each<)|(?<=class="amount">|<dd>)[^<]+/gu)].map(([one]) => one);

  test.each([
    ['JPY', ['¥351', '¥1,053', '¥99', '¥198', '¥1,251', '¥5', '¥1,256']],
    ['USD', ['$350.50', '$1,051.50', '$99.49', '$198.98', '$1,250.48', '$4.95', '$1,255.43']],
  ])('the page shows amounts in %s as they are charged', async (currency, amounts) => {
    const counter = await openCounter(t.world, { shop: await shopIn(currency), fields: cart });
    const { text } = await counter.visit('GET', counter.path);
    expect(shown(text)).toEqual(amounts);
    expect(text).toContain(`Pay ${amounts.at(-1)}</button>`);
  });

  // These currencies have hundredths, but prints usually round them.
  test.each(['ALL', 'LBP', 'MMK', 'HUF', 'TWD', 'COP', 'IDR', 'RSD'])(
    'the page shows the hundredths of %s that are charged',
    async (currency) => {
      const counter = await openCounter(t.world, { shop: await shopIn(currency), fields: cart });
      expect((await counter.visit('GET', counter.path)).text).toMatch(/Pay \S*\s?1,255\.43<\/button>/);
      expect(minorUnits((await counter.session()).total, currency)).toBe(125_543);
    },
  );
});

test('order, payment and fee of a session in yen have no decimals', async () => {
  const counter = await openCounter(t.world, { shop: await shopIn('JPY'), fields: cart });
  expect((await counter.pay(approveCard)).status).toBe(303);
  const { orders, payments } = await counter.made();
  expect(orders).toMatchObject([
    { currency: 'JPY', subtotal: 1251, delivery_fee: 5, total: 1256, items: [{ total: 1053 }, { total: 198 }] },
  ]);
  // 36.424 and 0.30
  expect(payments).toMatchObject([{ amount: 1256, total_amount: 1256, fee_amount: 37, net_amount: 1219 }]);
  const fees = await t.world.store.expenses.get(counter.shop.account.id, gatewayFeeId(orders[0].created_at.slice(0, 10)));
  expect(fees?.record).toMatchObject({ amount: 37, currency: 'JPY' });
});

test("the sandbox's fee is rounded once", async () => {
  const urls = { done: 'https://shop.example.com', cancelled: 'https://shop.example.com' };
  // 13.195 and 0.30: rounding to 13.20 first would give 14.
  const session = { total: 455, currency: 'JPY' } as CheckoutSession;
  expect(await sandboxGateway().charge(session, '4242', 'key', urls)).toMatchObject({ kind: 'approved', fee: 13 });
});

describe('Stripe', () => {
  const openAtStripe = async (currency: string) => {
    const counter = await t.open({ shop: await shopIn(currency, atStripe), fields: cart });
    await counter.pay('');
    return { counter, hosted: await counter.hosted() };
  };

  test.each([
    ['JPY', 1256],
    ['UGX', 125_600],
    ['ISK', 125_600],
    ['HUF', 125_543],
    ['KWD', 1_255_430],
    ['USD', 125_543],
  ])('Stripe is charged the total in %s as %d, and its result is the payment', async (currency, units) => {
    const { counter, hosted } = await openAtStripe(currency);
    expect(t.stripe.sessions.get(hosted)).toMatchObject({ amount_total: units, currency: currency.toLowerCase() });
    t.stripe.pay(hosted, { balance: { fee: 0, currency: currency.toLowerCase(), exchange_rate: null } });
    await counter.comeBack();
    expect(await counter.session()).toMatchObject({ status: 'paid' });
  });

  test.each([
    ['JPY', { fee: 1234, currency: 'usd', exchange_rate: 0.0067 }, 1842],
    ['JPY', { fee: 37, currency: 'jpy', exchange_rate: null }, 37],
    ['UGX', { fee: 3700, currency: 'ugx', exchange_rate: null }, 37],
    ['USD', { fee: 115, currency: 'eur', exchange_rate: 0.9 }, 1.28],
    ['USD', { fee: 321, currency: 'kwd', exchange_rate: 0.3 }, 1.07],
    ['EUR', { fee: 500, currency: 'jpy', exchange_rate: 160 }, 3.13],
  ])('Stripe takes the fee of a sale in %s with the balance %j: %d', async (currency, balance, fee_amount) => {
    const { counter, hosted } = await openAtStripe(currency);
    t.stripe.pay(hosted, { balance });
    await counter.comeBack();
    expect((await counter.made()).payments).toMatchObject([{ fee_amount }]);
  });
});

/*
 * As Stripe publishes them: docs.stripe.com/currencies (minor units in API amounts, and special
 * cases), September 2026. UGX is in the first list and among the special cases, which say how it is
 * charged. HUF and TWD are special only in payouts.
 */
const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const integersInHundredths = ['ISK', 'UGX'];
const withThreeDecimals = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];
const withTwoDecimals =
  'USD AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH UYU UZS WST XCD YER ZAR ZMW'.split(
    ' ',
  );

describe('an amount as Stripe writes it', () => {
  test.each([
    ['without decimals', withoutDecimals, 1235],
    ['whole, with two decimals', integersInHundredths, 123_500],
    ['with three decimals of which the last is 0', withThreeDecimals, 1_234_560],
    ['with two decimals', withTwoDecimals, 123_456],
  ] as const)('an amount in %s is written as Stripe writes it', (_, currencies, units) => {
    for (const currency of currencies) expect([currency, minorUnits(1234.56, currency)]).toEqual([currency, units]);
  });

  test('an amount as Stripe writes it has exactly one rule per currency', () => {
    const all = [...withoutDecimals, ...integersInHundredths, ...withThreeDecimals, ...withTwoDecimals];
    expect(new Set(all).size).toBe(all.length);
  });
});
