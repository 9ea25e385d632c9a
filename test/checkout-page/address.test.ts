import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addressParts } from '../../functions/checkout-page/address.ts';
import { regions } from '../../shared/core/config.ts';
import { openShop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, type Counter, declineCard, openCounter } from './page.ts';

const world = shared(startWorld);
type Region = (typeof regions)[number];
type Form = Readonly<Record<string, string>>;

const openDelivery = async (region: Region) => {
  const shop = await openShop(world, { account: { region } });
  return await openCounter(world, { shop, fields: { customer: null, delivery_type: 'delivery', delivery_time: '17:00' } });
};
const person = { last_name: 'Miller', email: 'grace@example.com' };
const us = { delivery_address: '1 Mill Lane', address_city: 'New York', address_state: 'NY', address_postcode: '10001' };

const entities: Form = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (text = ''): string => text.replaceAll(/&(?:\w+|#39);/g, (entity) => entities[entity] ?? entity);

/** Returns the values of the page's address fields, as a browser would send them. */
const shownBy = (text: string): Form => {
  const area = /<textarea id="delivery_address"[^>]*>([^<]*)</.exec(text);
  const inputs = [...text.matchAll(/<input id="(address_\w+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [name, value] as const);
  const selects = [...text.matchAll(/<select id="(address_\w+)"(.*?)<\/select>/gs)].map(
    ([, name, options = '']) => [name, /<option value="([^"]*)" selected/.exec(options)?.[1]] as const,
  );
  return Object.fromEntries(
    [['delivery_address', area?.[1]] as const, ...inputs, ...selects].map(([name, value]) => [name, unescaped(value)]),
  );
};
const shown = async (counter: Counter): Promise<Form> => shownBy((await counter.visit('GET', counter.path)).text);

const ordered = async (counter: Counter) => (await counter.made()).orders[0]?.delivery_address;

describe.each<[Region, Form, string]>([
  ['us', { ...us, delivery_address: '1 Mill Lane\r\nFlat 2' }, '1 Mill Lane\nFlat 2\nNew York, NY 10001'],
  ['us', { ...us, address_postcode: '62701 1234' }, '1 Mill Lane\nNew York, NY 62701 1234'],
  ['us', { ...us, address_city: 'APO', address_state: 'AE', address_postcode: '09012' }, '1 Mill Lane\nAPO, AE 09012'],
  ['us', { ...us, address_city: 'Toronto', address_state: 'ON', address_postcode: 'M5V 3L9' }, '1 Mill Lane\nToronto, ON M5V 3L9'],
  [
    'au',
    { delivery_address: '1 Mill Lane', address_city: 'Surry Hills', address_state: 'NSW', address_postcode: '2010' },
    '1 Mill Lane\nSurry Hills NSW 2010',
  ],
  [
    'eu',
    { delivery_address: 'Mühlgasse 1', address_postcode: '10115', address_city: 'Berlin', address_country: 'Germany' },
    'Mühlgasse 1\n10115 Berlin\nGermany',
  ],
  [
    'eu',
    { delivery_address: '1 Triq', address_postcode: 'VLT 1117', address_city: 'Valletta', address_country: 'Malta' },
    '1 Triq\nVLT 1117 Valletta\nMalta',
  ],
  [
    'eu',
    { delivery_address: '1 Rue', address_postcode: 'F 75002', address_city: 'Paris', address_country: 'France' },
    '1 Rue\nF 75002 Paris\nFrance',
  ],
  [
    'eu',
    { delivery_address: '1 Quay', address_postcode: 'D02 X285', address_city: 'Dublin', address_country: 'Ireland' },
    '1 Quay\nD02 X285 Dublin\nIreland',
  ],
  [
    'eu',
    { delivery_address: 'Gracht 1', address_postcode: '1011 ab', address_city: 'Amsterdam', address_country: 'Netherlands' },
    'Gracht 1\n1011 ab Amsterdam\nNetherlands',
  ],
  [
    'eu',
    { delivery_address: '1 Rue', address_postcode: '75002', address_city: '2e Arrondissement', address_country: 'France' },
    '1 Rue\n75002 2e Arrondissement\nFrance',
  ],
])('in %s, %j', (region, typed, text) => {
  test('the fields of the address become one text of the order', async () => {
    const counter = await openDelivery(region);
    await counter.pay(approveCard, { ...person, ...typed });
    expect(await ordered(counter)).toBe(text);
  });

  test('the page shows each part of the address as entered after a decline', async () => {
    const counter = await openDelivery(region);
    await counter.pay(declineCard, { ...person, ...typed });
    const lines = { ...typed, delivery_address: typed['delivery_address']?.replace('\r', '') };
    expect(await shown(counter)).toEqual(lines);
  });
});

test('in eu, the page asks for the country of a delivery', async () => {
  const counter = await openDelivery('eu');
  const form = { ...person, delivery_address: 'Gracht 1', address_postcode: '1011', address_city: 'Amsterdam' };
  const { status, text } = await counter.pay(approveCard, form);
  expect([status, text.includes('id="address_country-error">Enter the country.')]).toEqual([422, true]);
});

test('in us, the page offers the states with territories and military states, and the Canadian provinces and territories', async () => {
  const counter = await openDelivery('us');
  const { text } = await counter.visit('GET', counter.path);
  const [, states = '', provinces = ''] = text.split('<optgroup');
  const values = (part: string) => [...part.matchAll(/<option value="([A-Z]+)"/g)].map(([, value]) => value);
  expect(values(states)).toEqual(expect.arrayContaining(['NY', 'DC', 'PR', 'GU', 'VI', 'AS', 'MP', 'AA', 'AE', 'AP']));
  expect(values(states)).toHaveLength(50 + 1 + 5 + 3);
  expect(values(provinces).sort()).toEqual(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT']);
});

test('a form may send the whole address in delivery_address, and the page shows it as one field after a decline', async () => {
  const counter = await openDelivery('us');
  const address = { delivery_address: '2 Mill Lane\nOldtown, NY 10001' };
  await counter.pay(declineCard, { ...person, ...address });
  const again = await shown(counter);
  expect(again).toEqual(address);
  await counter.pay(approveCard, { ...person, ...again });
  expect(await ordered(counter)).toBe(address.delivery_address);
});

test.each<[keyof typeof us, string, string]>([
  ['delivery_address', ' ', 'Enter the street and number.'],
  ['delivery_address', 'x'.repeat(20_001), 'Use at most 20,000 characters.'],
  ['delivery_address', 'x'.repeat(20_000), 'Use at most 20,000 characters.'],
  ['address_city', '  ', 'Enter the city.'],
  ['address_city', 'x'.repeat(256), 'Use at most 255 characters.'],
  ['address_city', 'New\0York', 'Enter the city.'],
  ['address_state', '', 'Choose a state or province.'],
  ['address_state', 'ZZ', 'Choose a state or province.'],
  ['address_postcode', ' ', 'Enter the ZIP or postal code.'],
])('the page returns the error of an invalid %s at that field alone (%#)', async (name, value, message) => {
  const counter = await openDelivery('us');
  const { status, text } = await counter.pay(approveCard, { ...person, ...us, [name]: value });
  expect(status).toBe(422);
  expect([...text.matchAll(/id="(\w+)-error">([^<]*)</g)].map(([, at, error]) => [at, error])).toEqual([[name, message]]);
  expect(text).toContain(`value="${name === 'address_city' ? us.address_postcode : us.address_city}"`);
});

test('a form with some parts of the address must have each of them', async () => {
  const counter = await openDelivery('us');
  const { status, text } = await counter.pay(approveCard, {
    ...person,
    delivery_address: '1 Mill Lane',
    address_city: 'Oldtown',
    address_state: ' ',
  });
  expect(status).toBe(422);
  for (const name of ['address_state', 'address_postcode']) expect(text).toContain(`id="${name}-error"`);
});

const someText = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', ' ', ', ', 'Oldtown', 'NSW', 'NY', '10115', '🍰', 'D02 X285')), {
    maxLength: 6,
  })
  .map((pieces) =>
    pieces
      .join('')
      .replaceAll(/[\0\r]/g, '')
      .trim(),
  )
  .filter((text) => text !== '');

/** A valid form of the region: its address in parts, or whole in `delivery_address`. */
const forms = (region: Region): fc.Arbitrary<Form> => {
  const line = someText.map((text) => text.replaceAll('\n', ' '));
  const parts = addressParts(region).map(({ name, groups }) => {
    const values = groups?.flatMap(([, options]) => options.map(([value]) => value));
    return [name, values ? fc.constantFrom(...values) : line] as const;
  });
  const addressField = { delivery_address: someText };
  return fc.oneof(fc.record(addressField), fc.record({ ...addressField, ...Object.fromEntries(parts) })) as fc.Arbitrary<Form>;
};

test('the page shows any address as entered after a decline, and the same form then pays', async () => {
  const region = fc.constantFrom(...regions).chain((one) => forms(one).map((form) => [one, form] as const));
  await fc.assert(
    fc.asyncProperty(region, async ([one, typed]) => {
      const [declined, atOnce] = [await openDelivery(one), await openDelivery(one)];
      await declined.pay(declineCard, { ...person, ...typed });
      const again = await shown(declined);
      expect(again).toEqual(typed);
      await declined.pay(approveCard, { ...person, ...again });
      await atOnce.pay(approveCard, { ...person, ...typed });
      expect(await ordered(declined)).toBe(await ordered(atOnce));
      expect(await ordered(declined)).toContain(typed['delivery_address']);
    }),
    { numRuns: 20 },
  );
});
