import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addressParts, joinAddress, splitAddress } from '../../functions/checkout-page/address.ts';
import { regions } from '../../shared/core/config.ts';
import { openShop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, declineCard, openCounter } from './page.ts';

const world = shared(startWorld);

const typed = {
  us: { delivery_address: '1 Mill Lane\nFlat 2', address_city: 'New York', address_state: 'NY', address_postcode: '10001' },
  au: { delivery_address: '1 Mill Lane', address_city: 'Surry Hills', address_state: 'NSW', address_postcode: '2010' },
  eu: { delivery_address: 'Mühlgasse 1', address_postcode: '10115', address_city: 'Berlin' },
} as const;

const openDelivery = async (region: keyof typeof typed) => {
  const shop = await openShop(world, { account: { region } });
  return await openCounter(world, { shop, members: { customer: null, delivery_type: 'delivery', delivery_time: '17:00' } });
};
const person = { last_name: 'Miller', email: 'grace@example.com' };

describe.each([
  ['us', '1 Mill Lane\nFlat 2\nNew York, NY 10001'],
  ['au', '1 Mill Lane\nSurry Hills NSW 2010'],
  ['eu', 'Mühlgasse 1\n10115 Berlin'],
] as const)('in %s', (region, text) => {
  test('the fields of the address become one text of the order', async () => {
    const counter = await openDelivery(region);
    await counter.pay(approveCard, { ...person, ...typed[region] });
    expect((await counter.made()).orders).toMatchObject([{ delivery_address: text }]);
  });

  test('the page shows each part of the address again after a decline', async () => {
    const counter = await openDelivery(region);
    await counter.pay(declineCard, { ...person, ...typed[region] });
    const page = (await counter.visit('GET', counter.path)).text;
    const [street = '', ...values] = Object.values(typed[region]);
    expect(page).toContain(`>${street}</textarea>`);
    for (const value of values) expect(page).toMatch(new RegExp(`value="${value}"(?: selected| autocomplete)`));
  });
});

test('a form may send the whole address in delivery_address', async () => {
  const counter = await openDelivery('us');
  await counter.pay(approveCard, { ...person, delivery_address: '2 Mill Lane\nOldtown', address_city: '', address_postcode: ' ' });
  expect((await counter.made()).orders).toMatchObject([{ delivery_address: '2 Mill Lane\nOldtown' }]);
});

test('an address without a street is an error', async () => {
  const counter = await openDelivery('us');
  const { status, text } = await counter.pay(approveCard, { ...person, ...typed.us, delivery_address: ' ' });
  expect(status).toBe(422);
  expect(text).toContain('id="delivery_address-error">Enter the street and number.</p>');
  expect(text).toContain('value="New York"');
});

test('splitting an address and joining its parts returns the same text', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...regions),
      fc.array(fc.oneof(fc.string(), fc.constantFrom('\n', ' ', ', ', 'Oldtown', 'NSW', 'NY', 'ZZ', '10115', '2010', 'D02 X285')), {
        maxLength: 8,
      }),
      (region, pieces) => {
        const text = pieces.join('').trim();
        const values = splitAddress(region, text);
        expect([...values.keys()]).toEqual(['delivery_address', ...addressParts(region).map(({ name }) => name)]);
        expect(joinAddress(region, values).replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
      },
    ),
  ));
