import { beforeAll, expect, test } from '@jest/globals';
import { actionTable } from '../../functions/actions/index.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

/** Invalid fields, each with the field that the error names. */
type Row = readonly [field: string, input: object];

const roll = { name: 'Roll', quantity: 3, unit_price: 1.1 };

/** A valid input of each action, and what makes it invalid. updates.test.ts has the rows of other updates. */
const rejected: Readonly<Record<string, readonly [valid: object, rows: readonly Row[]]>> = {
  'account.create': [
    { name: 'x', plan: 'free' },
    [
      ['name', { name: undefined }],
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(256) }],
      ['plan', { plan: undefined }],
      ['plan', { plan: 'gold' }],
      ['region', { region: 'eu' }],
      ['region', { region: 'mars' }],
      ['status', { status: 'asleep' }],
      ['currency', { currency: 'dollars' }],
      ['order_limit', { order_limit: -1 }],
      ['order_limit', { order_limit: 1.5 }],
      ['order_limit', { order_limit: '10' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
    ],
  ],
  'account.create_sandbox': [
    {},
    [
      ['plan', { plan: 'free' }],
      ['id', { id: 'acct_1' }],
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(256) }],
      ['name', { name: 5 }],
    ],
  ],
  'expense.create': [
    { amount: 12.5, date: '2026-03-05', category: 'ingredients' },
    [
      ['amount', { amount: '5' }],
      ['date', { date: 'then' }],
      ['category', { category: 'fun' }],
      ['status', { status: 'paid' }],
      ['source', { source: 'gateway_fee' }],
      ['external_id', { external_id: 5 }],
      ['supplier.name', { supplier: { name: [] } }],
    ],
  ],
  'gateway_fee.record': [
    { order_id: 'ord_1', order_label: '#1001', gateway: 'stripe', amount: 0.1, date: '2026-03-05' },
    [
      ['order_id', { order_id: '' }],
      ['order_label', { order_label: undefined }],
      ['gateway', { gateway: null }],
      ['amount', { amount: 0.004 }],
      ['date', { date: '2026-02-30' }],
      ['date', { date: '0' }],
    ],
  ],
  'inventory.put': [
    { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' },
    [
      ['name', { name: '' }],
      ['type', { type: undefined }],
      ['unit', { unit: 7 }],
      ['current_stock', { current_stock: '10' }],
      ['current_stock', { current_stock: 1e9 }],
      ['reorder_point', { reorder_point: -1 }],
      ['reorder_point', { reorder_point: undefined }],
      ['supplier_id', { supplier_id: {} }],
      ['id', { id: '' }],
    ],
  ],
  'inventory.adjust': [
    { id: 'inv_1' },
    [
      ['delta', { delta: '1' }],
      ['delta', {}],
      ['delta', { delta: 1e9 }],
    ],
  ],
  'key.create': [
    {},
    [
      ['type', {}],
      ['type', { type: 'public' }],
      ['name', { type: 'secret', name: '' }],
      ['group', { type: 'secret', group: 'owner' }],
      ['group', { type: 'secret', group: 'readOnly', scopes: ['orders:read'] }],
      ['group', { type: 'publishable', group: 'readOnly' }],
      ['scopes.0', { type: 'secret', scopes: ['everything'] }],
      ['scopes', { type: 'secret', scopes: 'orders:read' }],
      ['scopes.1', { type: 'publishable', scopes: ['products:read', 'orders:read'] }],
      ['expires_at', { type: 'secret', expires_at: 'tomorrow' }],
      ['legacy', { type: 'secret', legacy: 1 }],
      ['legacy', { type: 'publishable', legacy: true }],
    ],
  ],
  'order.set_status': [
    { id: 'ord_1' },
    [
      ['status', { status: 'paid' }],
      ['status', {}],
    ],
  ],
  'payment.create': [
    { amount: 40, method: 'card', status: 'completed' },
    [
      ['amount', { amount: 0.004 }],
      ['amount', { amount: '5' }],
      ['amount', { amount: undefined }],
      ['status', { status: 'paid' }],
      ['tip_amount', { tip_amount: -1 }],
      ['fee_amount', { fee_amount: 'free' }],
      ['gateway.provider', { gateway: { provider: 7 } }],
    ],
  ],
  'payment.set_status': [{ id: 'pay_1' }, [['status', { status: 'lost' }]]],
  'payment.correct_amount': [
    { id: 'pay_1' },
    [
      ['amount', { amount: 0 }],
      ['amount', { amount: -1 }],
      ['amount', { amount: '5' }],
      ['amount', { amount: null }],
    ],
  ],
  'payment.refund': [
    { id: 'pay_1' },
    [
      ['amount', { amount: 0 }],
      ['amount', { amount: -1 }],
      ['amount', { amount: '5' }],
      ['amount', { amount: undefined }],
    ],
  ],
  'product.create': [
    { name: 'Tart', price: 4.5 },
    [
      ['name', { name: undefined }],
      ['name', { name: ' <b></b> ' }],
      ['name', { name: 'x'.repeat(256) }],
      ['price', { price: undefined }],
      ['price', { price: null }],
      ['price', { price: -0.01 }],
      ['price', { price: '4.50' }],
      ['price', { price: 1e12 }],
      ['status', { status: 'deleted' }],
      ['status', { status: 'Active' }],
      ['storefront_visible', { storefront_visible: 'yes' }],
      ['currency', { currency: 'EURO' }],
      ['description', { description: 'x'.repeat(20_001) }],
      ['category', { category: 7 }],
      ['tags', { tags: Array.from({ length: 51 }, () => 'x') }],
      ['tags', { tags: { a: 'new' } }],
      ['images', { images: 'https://img.example.com/a.jpg' }],
      ['images', { images: Array.from({ length: 51 }, () => 'https://img.example.com/a.jpg') }],
      ['images.0', { images: [7] }],
      ...[
        'http://img.example.com/a.jpg',
        'javascript:alert(1)',
        ' JavaScript:alert(1)',
        'java\nscript:alert(1)',
        'data:image/svg+xml,<svg onload=alert(1)>',
        'blob:https://img.example.com/1',
        'ftp://img.example.com/a.jpg',
        '//img.example.com/a.jpg',
        'a.jpg',
        'https://',
        'https://ada:secret@img.example.com/a.jpg',
        `https://img.example.com/${'ä'.repeat(400)}`,
        '',
      ].map((url): Row => ['images.1', { images: ['https://img.example.com/a.jpg', url] }]),
      ['variants.0.name', { variants: [{ price: 1 }] }],
      ['variants.1.price', { variants: [{ name: 'S', price: 1 }, { name: 'L' }] }],
      [
        'variants.1.id',
        {
          variants: [
            { id: 'v', name: 'S', price: 1 },
            { id: 'v', name: 'L', price: 1 },
          ],
        },
      ],
      ['variants', { variants: Array.from({ length: 101 }, () => ({ name: 'S', price: 1 })) }],
      ['allergens.0.level', { allergens: [{ name: 'egg', level: 'traces' }] }],
      ['allergens.0.name', { allergens: [{ level: 'contains' }] }],
      ['custom_fields', { custom_fields: [] }],
      ['custom_fields', { custom_fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, 1])) }],
      ['custom_fields.note', { custom_fields: { note: 'x'.repeat(501) } }],
    ],
  ],
  'product.update': [
    { id: 'prd_1' },
    [
      ...['name', 'price', 'currency', 'status', 'storefront_visible'].map((field): Row => [field, { [field]: null }]),
      ['tags', { tags: 'new' }],
    ],
  ],
  'quick_sale.create': [
    {},
    [
      ['date', { date: '2026-02-30' }],
      ['date', { date: '2026-03-08T10:00:00 02:00' }],
      ['gross_sales', { gross_sales: -1 }],
      ['gross_cost', { gross_cost: '1' }],
      ['items_count', { items_count: 1.5 }],
      ...[0, 2].map((items_count): Row => ['items_count', { items: [roll], items_count }]),
      ['items', { items: 'roll' }],
      ['items', { items: Array.from({ length: 101 }, () => roll) }],
      ['items.0.name', { items: [{ quantity: 1, unit_price: 1 }] }],
      ['items.0.quantity', { items: [{ name: 'Roll', quantity: 0, unit_price: 1 }] }],
      ['items', { items: [{ name: 'Roll', quantity: 100_000, unit_price: 999_999_999_999 }] }],
      ['location', { location: 'x'.repeat(256) }],
    ],
  ],
  'key.replace': [{ id: 'key_1' }, [...[-1, 169, 0.5, '1'].map((old_key_hours): Row => ['old_key_hours', { old_key_hours }])]],
};

const cases = Object.entries(rejected).flatMap(([action, [valid, rows]]) =>
  rows.map(([field, input]) => [action, field, { ...valid, ...input }] as const),
);
test.each(cases)('%s rejects an invalid %s: %j', async (action, field, input) => {
  const of = actionTable[action]?.account === 'none' ? undefined : account;
  expect(await dashboard.errorOf(action, of, input)).toMatchObject({ status: 400, code: 'invalid_value', field });
});
