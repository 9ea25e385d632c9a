import { actionTable } from '../../functions/actions/index.ts';
import { allRoutes } from '../support/world.ts';

/** `any`: these tests inspect schemas and values of every shape. */
type Json = any;

/** A schema of input from outside: a route's body or an action's input. */
export interface Input {
  readonly name: string;
  readonly schema: Json;
}

export const inputs: readonly Input[] = [
  ...allRoutes.flatMap(({ operation, body }) => (body ? [{ name: operation, schema: body }] : [])),
  ...Object.entries(actionTable).map(([name, { input }]) => ({ name, schema: input })),
];

/** The names of entries: indexes in a list, keys in a map. */
export interface Holder {
  readonly kind: 'list' | 'map';
  /** `*` is an entry of the list or map before it. */
  readonly path: readonly string[];
}

const valuesOfEveryType = ['', 0, true, null, [], {}];

/** Finds every list and map of a schema. */
export const holdersOf = (node: Json, path: readonly string[] = []): readonly Holder[] => {
  const inner = (one: Json, ...more: string[]) => holdersOf(one, [...path, ...more]);
  return [
    ...(node.item ? [{ kind: 'list', path } as const, ...inner(node.item, '*')] : []),
    ...(node.type === 'record' ? [{ kind: 'map', path } as const, ...inner(node.value, '*')] : []),
    ...(node.type === 'object_with_rest' ? [{ kind: 'map', path } as const, ...inner(node.rest, '*')] : []),
    ...Object.entries<Json>(node.entries ?? {}).flatMap(([name, member]) => inner(member, name)),
    ...(node.wrapped ? inner(node.wrapped) : []),
    ...(node.getter ? [...new Set<Json>(valuesOfEveryType.map(node.getter))] : []).flatMap((one) => inner(one)),
    ...(node.pipe ?? []).filter((one: Json) => one.kind === 'schema' && one !== node).flatMap((one: Json) => inner(one)),
  ];
};

/** Finds every path at which a schema takes a text: `items.0.name`, `metadata.a`. */
export const textsOf = (node: Json, path: readonly string[] = []): readonly string[] => {
  const inner = (one: Json, ...more: string[]) => textsOf(one, [...path, ...more]);
  const found = [
    ...(node.type === 'string' ? [path.join('.')] : []),
    ...(node.item ? inner(node.item, '0') : []),
    ...(node.type === 'record' ? inner(node.value, 'a') : []),
    ...Object.entries<Json>(node.entries ?? {}).flatMap(([name, member]) => inner(member, name)),
    ...(node.wrapped ? inner(node.wrapped) : []),
    ...(node.getter ? [...new Set<Json>(valuesOfEveryType.map(node.getter))] : []).flatMap((one) => inner(one)),
    ...(node.pipe ?? []).filter((one: Json) => one.kind === 'schema' && one !== node).flatMap((one: Json) => inner(one)),
  ];
  return [...new Set(found)];
};

const slot = () => ({ id: 'early', available_days: [1] });
const product = {
  name: 'Loaf',
  price: 5,
  tags: ['a'],
  images: ['https://img.example.com/1.jpg'],
  variants: [{ name: 'Large', price: 7 }],
  allergens: [{ name: 'nuts', level: 'contains' }],
  custom_fields: { flavours: ['lemon'] },
};
const customer = { last_name: 'Baker', tags: ['a'], address: { city: 'Berlin' }, metadata: { a: 'b' } };
const expense = { amount: 1, date: '2026-03-05', category: 'rent', tags: ['a'] };
const order = {
  items: [{ name: 'Cake', quantity: 1, unit_price: 5 }],
  delivery_address: { city: 'Berlin' },
  custom_fields: { flavours: ['lemon'] },
  metadata: { a: 'b' },
};
const endpoint = { url: 'https://hooks.example.com/1', events: ['order.created'] };
const sale = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] };

/** A valid input with an entry in every list and map. */
export const samples: Readonly<Record<string, Json>> = {
  createOrder: { ...order, customer: { last_name: 'Baker' }, payments: [{ amount: 1 }] },
  createCheckout: {
    items: [{ product_id: 'prd_1', quantity: 1 }],
    delivery_date: '2026-03-12',
    delivery_address: { city: 'Berlin' },
    custom_fields: { flavours: ['lemon'] },
    metadata: { a: 'b' },
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
  },
  createCustomer: customer,
  createExpense: expense,
  createWebhook: endpoint,
  updateWebhook: endpoint,
  'customer.update': { id: 'cus_1', ...customer },
  'expense.create': expense,
  'expense.update': { id: 'exp_1', ...expense },
  'key.create': { type: 'secret', scopes: ['orders:read'] },
  'key.update': { id: 'key_1', scopes: ['orders:read'] },
  'order.update': { id: 'ord_1', ...order },
  'product.create': product,
  'product.update': { id: 'prd_1', ...product },
  'quick_sale.create': sale,
  'quick_sale.update': { id: 'qs_1', ...sale },
  'settings.put': {
    payment_methods: [{ id: 'cash', name: 'Cash', enabled: true }],
    event_categories: [{ name: 'Wedding' }],
    time_slots: { pickup: [slot()], delivery: [slot()] },
    blocked_dates: [{ date: '2026-12-25' }],
    recurring_rules: [{ id: 'r1', type: 'weekly', days_of_week: [0] }],
    custom_fields: [{ id: 'f1', options: ['a'], scopes: ['order'] }],
    checkout: { gateway: 'sandbox', theme: 'dark' },
  },
  'webhook.create': endpoint,
  'webhook.update': { id: 'whe_1', ...endpoint },
};
