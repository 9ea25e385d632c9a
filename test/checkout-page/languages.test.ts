import { describe, expect, test } from '@jest/globals';
import { fr as frenchShop } from '../../examples/storefront/page/texts/fr.ts';
import { de } from '../../functions/checkout-page/texts/de.ts';
import { en } from '../../functions/checkout-page/texts/en.ts';
import { fr } from '../../functions/checkout-page/texts/fr.ts';
import type { Region } from '../../shared/core/config.ts';
import { openShop } from '../checkout/shop.ts';
import { flatTexts } from '../support/flat-texts.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, type Counter, declineCard, openCounter, type PageResponse, pendingCard } from './page.ts';

const world = shared(startWorld);
const languages = { en, de, fr };
type Language = keyof typeof languages;

/** Every text of a page that a person reads or hears: text, labels, titles and what the script shows. */
const textsOf = ({ text }: PageResponse): readonly string[] => {
  // The names of states are the shop's language.
  const markup = text.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<option value="[^"]+".*?<\/option>/g, '');
  const attributes = [...markup.matchAll(/ (?:aria-label|alt|title|placeholder|label|data-error|data-busy)="([^"]*)"/g)];
  const texts = [...markup.split(/<[^>]*>/), ...attributes.map(([, value = '']) => value)];
  return [...new Set(texts.map((one) => one.replaceAll(/\s+/g, ' ').trim()))].filter((one) => /\p{L}/u.test(one));
};

const dayMs = 24 * 3_600_000;
const person = { last_name: 'Baker', email: 'ada@example.com' };

/** The page while a function calls the gateway, or after that function died. */
const afterCall = async (counter: Counter, leaseMs: number, headers: Record<string, string>): Promise<PageResponse> => {
  const { checkoutSessions } = world.store;
  const stored = await checkoutSessions.get(counter.shop.account.id, counter.id);
  if (!stored) throw new Error('The session is gone.');
  const payment = { gateway: 'sandbox', keys: null, method: '4242', transaction_id: null, redirect_url: null };
  const claimed = {
    ...stored.record,
    ...({ status: 'processing', declined: null, refused: null, order_id: null } as const),
    payment: { ...payment, lease_until_ms: world.clock.now() + leaseMs },
  };
  await world.store.commit([checkoutSessions.replaceWrite(counter.shop.account.id, claimed, stored)]);
  return counter.visit('GET', counter.path, { headers });
};

/** How a shopper comes to each state of the page. */
const states: Readonly<Record<string, (counter: Counter, headers: Record<string, string>) => Promise<PageResponse>>> = {
  open: (counter, headers) => counter.visit('GET', counter.path, { headers }),
  errors: (counter, headers) => {
    const form = { token: counter.token, card_number: '1234', last_name: 'x'.repeat(300) };
    return counter.visit('POST', `${counter.path}/pay`, { form, headers: { 'sec-fetch-site': 'same-origin', ...headers } });
  },
  declined: async (counter, headers) => {
    await counter.pay(declineCard, person);
    return counter.visit('GET', counter.path, { headers });
  },
  pending: async (counter, headers) => {
    await counter.pay(pendingCard, person);
    return counter.visit('GET', counter.path, { headers });
  },
  paid: async (counter, headers) => {
    await counter.pay(approveCard, person);
    return counter.visit('GET', counter.path, { headers });
  },
  expired: (counter, headers) => {
    world.clock.advance(dayMs);
    return counter.visit('GET', counter.path, { headers });
  },
  exhausted: async (counter, headers) => {
    for (let tries = 0; tries < 20; tries++) await counter.pay(declineCard, person);
    return counter.visit('GET', counter.path, { headers });
  },
  processing: (counter, headers) => afterCall(counter, 60_000, headers),
  interrupted: (counter, headers) => afterCall(counter, -1, headers),
  unknown: (counter, headers) => counter.visit('GET', counter.path.replace(/cs_.*/, 'cs_0'), { headers }),
  'a form of another site': (counter, headers) => counter.visit('POST', `${counter.path}/pay`, { form: { token: '' }, headers }),
};

/** Texts that come from the shop, the shopper or the gateway. */
const data = [
  ...['Test bakery', 'Sourdough', 'Morning', 'Midday', 'Visa', 'Canada', 'name@example.com', '@example', '@example.com', 'ada', 'Baker'],
  ...['shop.example.com', 'x'.repeat(300), 'ada@example.com'],
];

const pageIn = async (language: string, state: string, region: Region) => {
  const shop = await openShop(world, { account: { region } });
  const delivery = { delivery_type: 'delivery', delivery_time: 'ds_1' };
  const counter = await openCounter(world, {
    shop,
    fields: { customer: null, ...(state === 'paid' || state === 'errors' ? {} : delivery) },
  });
  return (states[state] as (typeof states)['open'])(counter, { 'accept-language': language });
};

describe.each(Object.keys(states))('the page in the state %s', (state) => {
  test.each<[Language, Language]>([
    ['de', 'en'],
    ['fr', 'en'],
    ['de', 'fr'],
  ])(`no text of the page "${state}" is outside the table: none is the same in %s and in %s`, async (one, other) => {
    // A word of both languages, such as "Total".
    const common = flatTexts(languages[one]).filter((text) => flatTexts(languages[other]).includes(text));
    for (const region of ['us', 'au', 'eu'] as const) {
      const [shown, compared] = [textsOf(await pageIn(one, state, region)), textsOf(await pageIn(other, state, region))];
      expect(shown.filter((text) => compared.includes(text) && !data.includes(text) && !common.includes(text))).toEqual([]);
      expect(shown.length).toBeGreaterThan(2);
    }
  });
});

test.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['nl, pt;q=0.9', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['nl,fr-CA;q=0.7,de;q=0.3', 'fr'],
  ['de;q=0.3, fr;q=0.7', 'fr'],
  ['DE-ch', 'de'],
  ['de;q=0, fr;q=x', 'en'],
  ['constructor, __proto__', 'en'],
  ['frr, de;q=0.5', 'de'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
])('a browser that accepts %j reads the page in %s', async (accepted, language) => {
  const counter = await openCounter(world);
  const { text } = await counter.visit('GET', counter.path, { headers: accepted === undefined ? {} : { 'accept-language': accepted } });
  expect(text).toContain(`<html lang="${language}">`);
});

test.each([
  ['de', 'Donnerstag, 14. März 2030', '08:00–11:00 Uhr', 'Für 13,00 $ kaufen', 'Abholung · Do., 14. März'],
  ['de-CH', 'Donnerstag, 14. März 2030', '08:00–11:00 Uhr', 'Für $ 13.00 kaufen', 'Abholung · Do., 14. März'],
  ['de-Latn-CH', 'Donnerstag, 14. März 2030', '08:00–11:00 Uhr', 'Für $ 13.00 kaufen', 'Abholung · Do., 14. März'],
  ['fr', 'jeudi 14 mars 2030', '08:00 – 11:00', 'Payer 13,00 $', 'Retrait · jeu. 14 mars'],
])('dates, times and amounts have the format of %s', async (language, ...texts) => {
  const counter = await openCounter(world, { shop: await openShop(world, { account: { region: 'eu' } }) });
  const { text } = await counter.visit('GET', counter.path, { headers: { 'accept-language': language } });
  for (const shown of texts) expect(text.replaceAll(/\s+/g, ' ')).toContain(shown);
});

test.each([
  ['the checkout', fr],
  ['the example shop', frenchShop],
])('in the French of %s, a sign with a space before it never begins a line', (_, texts) => {
  expect(flatTexts(texts).filter((text) => / [:;?!»]|« /.test(text))).toEqual([]);
});

test.each(Object.keys(languages) as Language[])('in %s, the name of a button contains the text that is shown on it', (language) => {
  const { cards, bank } = languages[language];
  for (const [shown, name] of [
    [cards.use, cards.useCard('4242')],
    [bank.approve, bank.approvePayment],
    [bank.decline, bank.declinePayment],
  ] as const)
    expect(name.toLowerCase()).toContain(shown.toLowerCase());
});
