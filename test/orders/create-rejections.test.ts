import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { rejectedField } from '../contract/inputs.ts';
import { leftovers } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { cake, type OrderingShop, openShop } from './shop.ts';

const world = shared(startWorld);
let shop: OrderingShop;
let key: string;
beforeAll(async () => {
  shop = await openShop(world);
  key = await world.createKey(shop.account);
});
beforeEach(() => {
  // Each test has a new minute of its key's bucket.
  world.clock.advance(60_000);
});

const each = (field: string, values: readonly unknown[], fieldsOf: (value: unknown) => object) =>
  values.map((value) => [field, fieldsOf(value)] as const);
const top = (name: string, ...values: readonly unknown[]) => each(name, values, (value) => ({ [name]: value }));
const inItem = (name: string, ...values: readonly unknown[]) =>
  each(`items.0.${name}`, values, (value) => ({ items: [{ ...cake, [name]: value }] }));
const inPayment = (name: string, ...values: readonly unknown[]) =>
  each(`payments.0.${name}`, values, (value) => ({ payments: [{ amount: 1, [name]: value }] }));
const inCustomer = (name: string, ...values: readonly unknown[]) =>
  each(`customer.${name}`, values, (value) => ({ customer: { email: 'ada@example.com', [name]: value } }));

const long = 'x'.repeat(256);
const veryLong = 'x'.repeat(20_001);
const notTexts = [5, true, [], {}, 'a\0b'];
const notMoney = ['5', true, [], {}, -0.01, 999_999_999_999.995, 1e12, 1e300];

const rows: readonly (readonly [string, object])[] = [
  ...top('items', undefined, null, [], {}, 'cake', 5),
  ['items.0', { items: ['cake'] }],
  ['items.1', { items: [cake, null] }],
  ...inItem('quantity', undefined, null, 0, -1, 1.5, 100_001, 1e300, '1', true),
  ...inItem('unit_price', undefined, null, ...notMoney),
  ...inItem('name', undefined, null, '', '  ', '<b></b>', ...notTexts, long),
  ...inItem('notes', ...notTexts, veryLong),
  ...inItem('product_id', 'prd_unknown', 'prd_deleted', 'prd_hidden', 'prd_draft', 'prd_archived', '', 5, {}, long),
  ['items.2.product_id', { items: [cake, cake, { product_id: 'prd_unknown', quantity: 1 }] }],
  ...top('status', 'new', 'Pending', '', 5, true, [], {}),
  ...top('payment_status', 'unpaid', 'PAID', '', 5, [], {}),
  ...top('delivery_type', 'ship', 'Pickup', '', 5, [], {}),
  ...top('delivery_date', '2026-02-29', '2026-13-01', '2026-1-1', '2026-03-10T09:00:00Z', 'tomorrow', '', 1_772_668_800, [], {}),
  ...top('delivery_time', '24:00', '09:60', '9:30', '09:30:00', 'noon', '', 930, [], {}),
  ['delivery_time', { delivery_type: 'dispatch', delivery_time: '25:00' }],
  ...top('delivery_fee', ...notMoney),
  ...top('tax', ...notMoney),
  ...top('discount', ...notMoney, 40.01, 1_000),
  ['discount', { tax: 1, delivery_fee: 2, discount: 43.01 }],
  ['items', { items: [{ ...cake, quantity: 100_000, unit_price: 1e8 }] }],
  ['items', { tax: 9e11, delivery_fee: 9e11 }],
  [
    'items',
    {
      items: [
        { ...cake, unit_price: 999_999_999_999.99 },
        { ...cake, unit_price: 0.01 },
      ],
    },
  ],
  ...top('currency', '', 'US', 'USDX', 'U5D', '€€€', 5, [], {}, false),
  ...['payment_method', 'order_type', 'event_category', 'external_id'].flatMap((name) => top(name, ...notTexts, long)),
  ...top('notes', ...notTexts, veryLong),
  ...top('delivery_address', 5, true, [], 'a\0b', veryLong),
  ['delivery_address.line1', { delivery_address: { line1: 5 } }],
  ...top('emit_webhooks', 'true', 1, [], {}),
  ...top('payments', {}, 'cash', 5),
  ['payments.0', { payments: ['cash'] }],
  ...inPayment('amount', undefined, null, 0, 0.004, ...notMoney),
  ...inPayment('status', 'paid', 'Completed', '', 5, {}),
  ...inPayment('tip_amount', ...notMoney),
  ...inPayment('fee_amount', ...notMoney),
  ['payments.0.amount', { payments: [{ amount: 999_999_999_999.99, tip_amount: 999_999_999_999.99 }] }],
  ['payments.1.amount', { payments: [{ amount: 1 }, { amount: 999_999_999_999.99, tip_amount: 0.01 }] }],
  ...inPayment('description', ...notTexts, veryLong),
  ...inPayment('method_details', 'visa', 5, []),
  ...inPayment('gateway', 'stripe', 5, []),
  ['payments.0.method_details.last4', { payments: [{ amount: 1, method_details: { last4: 4242 } }] }],
  ['payments.1.amount', { payments: [{ amount: 1 }, { amount: -1 }] }],
  ...top('customer', 'cus_1', 5, [], true),
  ['customer.email', { customer: {} }],
  ['customer.email', { customer: { id: null, first_name: 'Ada', company: 'Mill' } }],
  ...inCustomer('id', 5, {}, [], '', long),
  ...inCustomer('email', 'ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', '', 5, {}, `${'x'.repeat(250)}@e.com`),
  ...['first_name', 'last_name', 'phone', 'company'].flatMap((name) => inCustomer(name, ...notTexts, long)),
  ...top('custom_fields', 'theme', 5, [], true, Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']))),
  ...['unknown', 'off', 'cf_off', 'flour', 'cf_theme', 'Theme', ''].map(
    (name) => [`custom_fields.${name}`, { custom_fields: { [name]: 'x' } }] as const,
  ),
  ...each('custom_fields.theme', ['x'.repeat(501), {}, 1e300], (theme) => ({ custom_fields: { theme } })),
  ...each('custom_fields.theme.0', [[5], ['x'.repeat(501)]], (theme) => ({ custom_fields: { theme } })),
  [
    'custom_fields.__proto__',
    '{"items":[{"name":"Cake","quantity":1,"unit_price":1}],"custom_fields":{"__proto__":"x"}}' as unknown as object,
  ],
  ...top('metadata', 'a', 5, [], Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']))),
  ['metadata.2026', { metadata: { 2025: 'x', 2026: 5 } }],
  ...each('metadata.a', ['x'.repeat(501), 5, null, {}, ['b']], (a) => ({ metadata: { a } })),
];

const bodyOf = (fields: object | string): unknown =>
  JSON.parse(typeof fields === 'string' ? fields : JSON.stringify({ items: [cake], ...fields }));
const schemaRejects = (fields: object): string | undefined => rejectedField(routeOf('createOrder').body, bodyOf(fields));
const cases = rows.map(([field, fields]) => ({ field, fields, title: JSON.stringify(fields).slice(0, 90) }));
// A request passes on what its schema decides, whatever the field is. So one row of each field is sent,
// and every row that the schema accepts.
const isSent = ({ field, fields }: (typeof cases)[number], i: number) =>
  schemaRejects(fields) === undefined || cases.findIndex((other) => other.field === field) === i;

test.each(cases.filter((one, i) => !isSent(one, i)))('the body of POST /orders rejects $field in $title', ({ field, fields }) => {
  expect(schemaRejects(fields)).toBe(field);
});

test.each(cases.filter(isSent))('POST /orders rejects $field in $title, and writes nothing', async ({ field, fields }) => {
  world.wire.reset();
  const response = await world.request('POST', '/orders', {
    key,
    body: typeof fields === 'string' ? fields : { items: [cake], ...fields },
  });
  expect([response.status, response.body]).toEqual([
    400,
    { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } },
  ]);
  expect(leftovers(world)).toEqual([]);
});

test("POST /orders rejects an unknown customer id and another account's with customer_not_found, and writes nothing", async () => {
  const elsewhere = await openShop(world);
  const stranger = (await world.request('POST', '/customers', { key: elsewhere.key, body: { last_name: 'Baker' } })).body;
  for (const id of ['cus_unknown', 'not an id', stranger.id]) {
    world.wire.reset();
    const { status, body } = await shop.post({ customer: { id } }, { key });
    expect([status, body]).toEqual([
      400,
      { error: { type: 'validation_error', code: 'customer_not_found', message: expect.any(String), field: 'customer.id' } },
    ]);
    expect(leftovers(world)).toEqual([]);
  }
});

test('POST /orders checks the customer first, then products, custom fields and amounts', async () => {
  const wrong = { customer: { id: 'cus_unknown' }, custom_fields: { nope: 1 }, discount: 1e6 };
  const items = [{ product_id: 'prd_unknown', quantity: 1 }];
  const fieldOf = async (fields: object) => (await shop.post(fields, { key })).body.error.field;
  expect(await fieldOf({ ...wrong, items })).toBe('customer.id');
  expect(await fieldOf({ ...wrong, customer: null, items })).toBe('items.0.product_id');
  expect(await fieldOf({ ...wrong, customer: null })).toBe('custom_fields.nope');
  expect(await fieldOf({ discount: 1e6 })).toBe('discount');
});
