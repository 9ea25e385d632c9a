import { beforeEach, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { rejectedField } from '../contract/inputs.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let key: string;
beforeEach(async () => {
  key = await world.createKey((await world.createAccount()).id);
});

const least = { amount: 12.5, date: '2026-03-05', category: 'ingredients' };
const post = (fields: object) => world.request('POST', '/expenses', { key, body: { ...least, ...fields } });

const rows: readonly (readonly [string, object])[] = [
  ...[undefined, null, 0, -0, -1, 0.004, -0.001, '12.5', '', true, [], {}, [5], 1e300, 1e12].map(
    (amount) => ['amount', { amount }] as const,
  ),
  ...[undefined, null, '', 'soon', '2026-02-30', '2026-13-01', '1970-01-01', '0', '-5', '1969-12-31T23:59:59Z'].map(
    (date) => ['date', { date }] as const,
  ),
  ...['1970-01-01T00:00:00.900Z', 1_772_668_800, true, [], {}, '2026-03-05T25:00:00Z', '99999-01-01'].map(
    (date) => ['date', { date }] as const,
  ),
  ...[undefined, null, '', 'flour', 5, [], 'bank-fees', 'constructor'].map((category) => ['category', { category }] as const),
  ...['', 'US', 'USDX', 'U5D', '€€€', 'uß', 5, [], {}, false].map((currency) => ['currency', { currency }] as const),
  ...(['subcategory', 'description', 'notes'] as const).flatMap((name) =>
    [5, true, [], {}, 'a\0b'].map((value) => [name, { [name]: value }] as const),
  ),
  ['tags.1', { tags: ['a', 5] }],
  ['tags.0', { tags: [['a']] }],
  ['date', { date: '2026-03-05T10:00:00 02:00' }],
  ['date', { date: '19700101' }],
  ...['Mill', 5, [], ['a'], true].map((supplier) => ['supplier', { supplier }] as const),
  ['supplier.id', { supplier: { id: 5 } }],
  ...['card', 5, [], true].map((payment) => ['payment', { payment }] as const),
  ...['method', 'status', 'due_date', 'reference'].flatMap((name) =>
    [5, {}].map((value) => [`payment.${name}`, { payment: { [name]: value } }] as const),
  ),
  ...['8 %', 5, [], true].map((tax) => ['tax', { tax }] as const),
  ...['1', true, {}, 1e300].map((amount) => ['tax.amount', { tax: { amount } }] as const),
  ...['8', true, [], 1e300, 1e-300, 1e15].map((rate) => ['tax.rate', { tax: { rate } }] as const),
];

const schemaRejects = (fields: object): string | undefined =>
  rejectedField(routeOf('createExpense').body, JSON.parse(JSON.stringify({ ...least, ...fields })));

test.each(rows.map(([field, fields]) => ({ field, fields, title: JSON.stringify(fields).slice(0, 80) })))(
  'the body of POST /expenses rejects $field in $title',
  ({ field, fields }) => {
    expect(schemaRejects(fields)).toBe(field);
  },
);

test.each(rows.filter(([field], i) => rows.findIndex(([other]) => other === field) === i))(
  'POST /expenses rejects %s in %j',
  async (field, fields) => {
    const { status, body } = await post(fields);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field } },
    });
  },
);

test('POST /expenses rejects a number that is too large for JSON', async () => {
  const { status, body } = await world.request('POST', '/expenses', {
    key,
    body: '{"amount":1e400,"date":"2026-01-01","category":"rent"}',
  });
  expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'amount' });
});

test('a rejected expense is not stored', async () => {
  for (const fields of [{ amount: 0 }, { tax: { rate: 1e300 } }]) expect((await post(fields)).status).toBe(400);
  expect((await world.request('GET', '/expenses', { key })).body.data).toEqual([]);
});
