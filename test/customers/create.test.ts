import { beforeEach, describe, expect, test } from '@jest/globals';
import { payloadFields, shownFields } from '../contract/specification.ts';
import { leftovers } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

// Guarantee 16 (docs/guarantees.md)

const world = shared(startWorld);
let account: string;
let key: string;
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = await world.createKey(account);
});

const post = (body: unknown, as = key) => world.request('POST', '/customers', { key: as, body });
const conflict = { error: { type: 'conflict', code: 'conflict', message: expect.any(String), field: 'email' } };

test('an email address with markup, or of too many bytes, finds no customer', async () => {
  await post({ email: 'victim@example.com' });
  for (const email of ['v<i>ictim@example.com', '\u{1d160}'.repeat(255)]) {
    const found = await world.request('GET', `/customers?email=${encodeURIComponent(email)}`, { key });
    expect([found.status, found.body.data]).toEqual([200, []]);
  }
});

test('an id with markup finds no customer, because markup is never removed from ids', async () => {
  const { body: victim } = await post({ last_name: 'Baker' });
  const id = `${victim.id.slice(0, 6)}<i>${victim.id.slice(6)}`;
  const items = [{ name: 'Loaf', quantity: 1, unit_price: 4 }];
  const response = await world.request('POST', '/orders', { key, body: { customer: { id }, items } });
  expect(response).toMatchObject({ status: 400, body: { error: { code: 'customer_not_found', field: 'customer.id' } } });
});

/** Definitions of custom fields: for customers, for another resource, and an inactive one. */
const defineFields = () =>
  world.store.commit([
    world.store.accounts.putSettingsWrite(account, {
      custom_fields: [
        { id: 'allergies', scopes: ['customer'] },
        { id: 'guests', scopes: ['order', 'customer'] },
        { id: 'cf_member', key: 'member', scopes: ['customer'] },
        { id: 'days', scopes: ['customer'] },
        { id: 'secret', scopes: ['customer'], internal: true },
        { id: 'icing', scopes: ['order', 'product'] },
        { id: 'former', scopes: ['customer'], active: false },
      ],
    }),
  ]);

const nullFields = Object.fromEntries(
  Object.entries({ ...payloadFields['customer'], ...shownFields.customer }).flatMap(([name, types]) =>
    types.split(' ').includes('null') ? [[name, null]] : [],
  ),
);

describe('a new customer', () => {
  test('a new customer has exactly the documented fields, with defaults for those that were not sent', async () => {
    const { status, body } = await post({ last_name: 'Baker' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...nullFields,
        id: expect.stringMatching(/^cus_/),
        last_name: 'Baker',
        tags: [],
        is_blacklisted: false,
        total_orders: 0,
        total_spent: 0,
        custom_fields: {},
        metadata: {},
        created_at: '2026-03-10T09:00:00.000Z',
        updated_at: '2026-03-10T09:00:00.000Z',
      },
    });
  });

  test('a new customer returns what was sent, and GET returns the same', async () => {
    const sent = {
      first_name: 'Ada',
      last_name: 'Baker',
      email: 'Ada.Baker+shop@Example.com',
      phone: '+1 555 0100',
      company: 'Mill & Sons',
      tags: ['vip', 'wholesale'],
      is_blacklisted: true,
      marketing_email: true,
      marketing_sms: false,
      external_id: 'crm-7',
      notes: 'Pays <b>late</b>',
      address: '1 High Street\nSpringfield',
      metadata: { source: 'fair' },
    };
    const { status, body } = await post(sent);
    expect([status, body]).toEqual([201, expect.objectContaining(sent)]);
    expect((await world.request('GET', `/customers/${body.id}`, { key })).body).toEqual(body);
  });

  test('a new customer keeps values of custom fields with an active definition for customers', async () => {
    await defineFields();
    const custom_fields = { allergies: 'nuts', guests: 40, member: true, days: ['Mon', 'Tue'], secret: null };
    const { status, body } = await post({ last_name: 'Baker', custom_fields });
    expect([status, body.custom_fields]).toEqual([201, custom_fields]);
    expect((await world.request('GET', `/customers/${body.id}`, { key })).body).toEqual(body);
    expect((await world.request('GET', '/customers', { key })).body.data).toEqual([body]);
  });

  test.each(['icing', 'former', 'unknown', 'cf_member'])('a new customer cannot have the custom field %s', async (name) => {
    await defineFields();
    const response = await post({ last_name: 'Baker', custom_fields: { allergies: 'nuts', [name]: 'x' } });
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_value', field: `custom_fields.${name}` } } });
    expect((await world.request('GET', '/customers', { key })).body.data).toEqual([]);
  });

  test('a new customer treats null as absent, and ignores totals, ids and times', async () => {
    const nulls = ['first_name', 'email', 'company', 'tags', 'is_blacklisted', 'marketing_email', 'marketing_sms', 'external_id']
      .concat(['notes', 'address', 'custom_fields', 'metadata'])
      .map((name) => [name, null]);
    const forged = { id: 'cus_forged', total_orders: 9, total_spent: 9, last_order_date: '2020-01-01', created_at: '2020-01-01' };
    const { body } = await post({ phone: '0', ...Object.fromEntries(nulls), ...forged });
    const { id, phone: _, ...plain } = (await post({ phone: '0' })).body;
    expect(body).toEqual({ ...plain, phone: '0', id: expect.not.stringMatching('forged') });
    expect(id).not.toBe(body.id);
  });
});

describe('the email of a customer', () => {
  test('the email of a customer is unique within the account, in upper or lower case', async () => {
    await post({ email: 'Ada@Example.com' });
    for (const email of ['Ada@Example.com', 'ada@example.com', ' ADA@EXAMPLE.COM ']) {
      const { status, body } = await post({ email });
      expect([status, body]).toEqual([409, conflict]);
    }
    expect((await world.request('GET', '/customers', { key })).body.data).toHaveLength(1);
  });

  test('the email of a customer may be used in another account, and customers without an email are always different', async () => {
    await post({ email: 'ada@example.com' });
    const stranger = await world.createKey((await world.createAccount()).id);
    expect((await post({ email: 'ada@example.com' }, stranger)).status).toBe(201);
    for (const _ of [1, 2]) expect((await post({ phone: '0' })).status).toBe(201);
  });

  test('one of 50 simultaneous requests with the same email creates a customer, and 49 are rejected', async () => {
    const spellings = (i: number) => (i % 2 === 0 ? 'ada@example.com' : 'ADA@example.com');
    const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => post({ email: spellings(i) })));
    const rejected = responses.filter(({ status }) => status !== 201);
    expect(rejected.map(({ status, body }) => [status, body])).toEqual(Array(49).fill([409, conflict]));
    expect((await world.request('GET', '/customers', { key })).body.data).toHaveLength(1);
  });

  test('the email of a customer is taken by a customer that an order created', async () => {
    const items = [{ name: 'Cake', quantity: 1, unit_price: 1 }];
    await world.request('POST', '/orders', { key, body: { items, customer: { email: 'ada@example.com' } } });
    expect((await post({ email: 'Ada@example.com' })).status).toBe(409);
  });
});

describe('POST /customers', () => {
  const rows: readonly (readonly [string, object])[] = [
    ['email', { last_name: null }],
    ['email', { last_name: ' ', phone: '', first_name: 'Ada', company: 'Mill' }],
    ...['ada@example', '', 5].map((email) => ['email', { email }] as const),
    ['address.line1', { address: { line1: { street: 'x' } } }],
    ...['is_blacklisted', 'marketing_email', 'marketing_sms'].map((name) => [name, { [name]: 'true' }] as const),
    ['metadata', { metadata: [] }],
    ['tags', { tags: 'vip' }],
    ['metadata.a', { metadata: { a: 5 } }],
  ];

  test.each(rows.map(([field, fields]) => ({ field, fields, title: JSON.stringify(fields).slice(0, 90) })))(
    'POST /customers rejects $field in $title, and writes nothing',
    async ({ field, fields }) => {
      world.wire.reset();
      const { status, body } = await post({ last_name: 'Baker', ...fields });
      expect([status, body]).toEqual([
        400,
        { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } },
      ]);
      expect(leftovers(world)).toEqual([]);
    },
  );
});
