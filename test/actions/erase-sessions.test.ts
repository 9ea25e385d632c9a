import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CheckoutSession, sessionGoneSeconds } from '../../shared/domain/checkout/record.ts';
import { openShop, type Shop } from '../checkout/shop.ts';
import { declineCard, openCounter, pendingCard } from '../checkout-page/page.ts';
import { allItems } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let shop: Shop;
let customer: string;

const person = { first_name: 'Zoë', last_name: 'Ångström', email: 'Zoë.Ångström+cake@example.com', phone: '+49 30 555 0199' };
const other = { first_name: 'Ada', last_name: 'Baker', email: 'ada@example.com' };
const { first_name, last_name, email, phone } = person;
const names = { first_name, last_name };

/** Registers the customer who is erased. */
const register = async (body: object) => {
  const made = await service.world.request('POST', '/customers', { key: shop.secretKey, body });
  expect(made.status).toBe(201);
  customer = made.body.id;
};
const openPerson = async () => {
  shop = await openShop(service.world);
  await register(person);
};

const erase = (): Promise<Record<string, any>> => service.act('customer.erase', shop.account.id, { id: customer });

const open = async (body: Record<string, unknown>): Promise<string> => {
  const response = await shop.open({ delivery_type: 'dispatch', delivery_address: 'Elsewhere 1', ...body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.id;
};

const stored = async (id: string) => {
  const found = await service.world.store.checkoutSessions.get(shop.account.id, id);
  if (!found) throw new Error(`There is no session ${id}.`);
  return found.record;
};

const url = (query: Record<string, string>) => `https://shop.example.com/thanks?${new URLSearchParams(query)}`;

const theirs: readonly (readonly [string, Record<string, unknown>])[] = [
  ['their email', { customer: { email } }],
  ['their email in another case', { customer: { email: email.toUpperCase() } }],
  ['their email in another Unicode form', { customer: { ...other, email: email.normalize('NFD') } }],
  ['their phone', { customer: { phone } }],
  ["their phone beside another person's email", { customer: { ...other, phone } }],
  ['their phone in another spelling', { customer: { ...other, phone: '0049 (30) 555-0199' } }],
  ['both names and no email', { customer: names }],
  ['both names in another case and spacing', { customer: { first_name: ' ZOË', last_name: 'ångström ' } }],
  ['both names in another Unicode form', { customer: { first_name: first_name.normalize('NFD'), last_name: last_name.normalize('NFD') } }],
  ['both names and another phone', { customer: { ...names, phone: '+49 40 1234567' } }],
  ['their email in the query of success_url', { success_url: url({ to: email }) }],
  ['their email in the query of cancel_url', { cancel_url: url({ for: email.toLowerCase() }) }],
  ['their email in a query with a plain plus sign', { success_url: `https://shop.example.com/?e=${email}` }],
  ['their email in the path of success_url', { success_url: `https://shop.example.com/for/${encodeURIComponent(email)}/thanks` }],
  ['their phone in the query of success_url', { success_url: url({ phone: '+49305550199' }) }],
  ['their email encoded twice', { success_url: url({ next: url({ to: email }) }) }],
  ['their email in notes', { notes: `Please write to <b>${email}</b>.` }],
  ['their email in metadata', { metadata: { buyer: email } }],
  ['their phone in a custom field', { custom_fields: { engraving: `Call ${phone}!` } }],
  ['their phone in fullwidth digits', { notes: 'Call ＋４９ ３０ ５５５ ０１９９' }],
  ['their phone in Arabic digits', { customer: { ...other, phone: '٠٠٤٩ ٣٠ ٥٥٥ ٠١٩٩' } }],
  ['their phone as phones copy it', { notes: '\u202a+49\u00a030 555\u20110199\u202c' }],
  ['their email as a name in metadata', { metadata: { [email]: 'buyer' } }],
  ['their phone as a name in metadata', { metadata: { [`tel ${phone}`]: 'yes' } }],
  ['their email as a name in the address', { delivery_address: { line1: 'Elsewhere 1', [email]: 'contact' } }],
  ['their email in the address', { delivery_address: { line1: 'Elsewhere 1', contact: email } }],
];

const notTheirs: readonly (readonly [string, Record<string, unknown>])[] = [
  ["another person's email and phone", { customer: { ...other, phone: '+49 40 1234567' } }],
  ["both names and another person's email", { customer: { ...names, email: other.email } }],
  ['the last name alone', { customer: { last_name } }],
  ['the first name alone and another phone', { customer: { first_name, phone: '+49 40 1234567' } }],
  ['a longer email that ends with theirs', { customer: { email: `x${email}` } }],
  ['a longer email that begins with theirs', { success_url: url({ to: `${email}.au` }) }],
  ['a longer number that contains their phone', { metadata: { number: `${phone}77` } }],
  ['nothing of anybody', {}],
];

describe('customer.erase of one person', () => {
  const ids = new Map<string, string>();
  const before = new Map<string, CheckoutSession>();
  const after = new Map<string, CheckoutSession>();
  let erasure: Record<string, any>;
  beforeAll(async () => {
    await openPerson();
    for (const [carried, body] of [...theirs, ...notTheirs]) ids.set(carried, await open(body));
    for (const [carried, id] of ids) before.set(carried, await stored(id));
    erasure = await erase();
    for (const [carried, id] of ids) after.set(carried, await stored(id));
  });

  test.each(theirs)('customer.erase erases an unpaid session that carries %s', (carried) => {
    expect(after.get(carried)).toEqual({
      ...before.get(carried),
      customer: null,
      delivery_address: null,
      notes: null,
      custom_fields: {},
      metadata: {},
      external_id: null,
      success_url: expect.stringMatching(/^https:\/\/shop\.example\.com\/(?:thanks)?$/),
      cancel_url: expect.stringMatching(/^https:\/\/shop\.example\.com\/(?:thanks|cart)$/),
      expires_ms: service.world.clock.now(),
    });
  });

  test.each(notTheirs)('customer.erase leaves an unpaid session that carries %s', (carried) => {
    expect(before.get(carried)?.expires_ms).toBeGreaterThan(service.world.clock.now());
    expect(after.get(carried)).toEqual(before.get(carried));
  });

  test('customer.erase counts the sessions that it erased', () => {
    expect(erasure).toMatchObject({ erased: true, checkout_sessions: theirs.length });
  });
});

describe('customer.erase', () => {
  beforeEach(openPerson);

  test.each<[string, object, Record<string, unknown>]>([
    ...['ada-b@ex-ample.com', "a!#$%&'*+/=^_`{|}~-@b.com", 'a\\b@c.de', 'a[b]{c}(d)@c.de', '"a,b"@c.de', 'noor٣@example.com'].map(
      (address): [string, object, Record<string, unknown>] => [
        `the email ${address}`,
        { email: address },
        { notes: `Please write to ${address}.` },
      ],
    ),
    ['a phone in Arabic digits', { phone: '+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧' }, { notes: 'Please ring +966 50 123 4567.' }],
  ])('customer.erase finds a session by %s that the customer has, and no other session', async (_, details, fields) => {
    const id = await open(fields);
    const neighbour = await open({ notes: 'Please ring.' });
    await register(details);
    const before = await stored(neighbour);
    expect(await erase()).toMatchObject({ erased: true });
    expect(await stored(id)).toMatchObject({ notes: null });
    expect(await stored(neighbour)).toEqual(before);
  });

  test('customer.erase finds a session with a pending payment by its phone alone, and erases it after the payment', async () => {
    const counter = await openCounter(service.world, {
      shop,
      fields: { customer: { ...other, phone }, delivery_type: 'dispatch', delivery_address: 'Elsewhere 1' },
    });
    await counter.pay(pendingCard);
    expect((await counter.session()).status).toBe('pending');
    await erase();
    expect(await counter.session()).toMatchObject({ status: 'pending', customer: { email: 'ada@example.com' } });
    await counter.decide('decline');
    await erase();
    expect(await counter.session()).toMatchObject({ status: 'open', customer: null, delivery_address: null });
  });

  test('customer.erase finds a session by an email in a part of the address that the shopper entered, and erases each part', async () => {
    const counter = await openCounter(service.world, { shop, fields: { customer: other, delivery_type: 'dispatch' } });
    const parts = { delivery_address: '1 Mill Lane', address_city: 'Oldtown', address_state: 'NY', address_postcode: '10001' };
    await counter.pay(declineCard, { ...parts, address_city: email });
    expect(await counter.session()).toMatchObject({ status: 'open', delivery_address: { ...parts, address_city: email } });
    await erase();
    expect(await counter.session()).toMatchObject({ customer: null, delivery_address: null });
  });

  test('customer.erase deletes a session of the person that no caller can read any more, and counts it', async () => {
    const id = await open({ customer: { email } });
    const { clock } = service.world;
    clock.advance(sessionGoneSeconds(await stored(id)) * 1000 - clock.now());
    expect((await allItems(service.world)).filter(({ key }) => key.includes(id))).toHaveLength(1);
    expect(await erase()).toMatchObject({ erased: true, checkout_sessions: 1 });
    expect((await allItems(service.world)).filter(({ key }) => key.includes(id))).toEqual([]);
  });
});
