import { actionTable } from '../../functions/actions/index.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { parse } from '../../shared/core/fields.ts';
import { findUnlisted } from '../../shared/core/unlisted-fields.ts';
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
    ...Object.entries<Json>(node.entries ?? {}).flatMap(([name, entry]) => inner(entry, name)),
    ...(node.wrapped ? inner(node.wrapped) : []),
    ...(node.getter ? [...new Set<Json>(valuesOfEveryType.map(node.getter))] : []).flatMap((one) => inner(one)),
    ...(node.pipe ?? []).filter((one: Json) => one.kind === 'schema' && one !== node).flatMap((one: Json) => inner(one)),
  ];
};

/**
 * Finds every object of a schema whose fields are listed, as the path of its first entry: `items.0`.
 * The input itself is the empty path.
 */
export const listedObjectsOf = (node: Json, path: readonly string[] = []): readonly string[] => {
  const inner = (one: Json, ...more: string[]) => listedObjectsOf(one, [...path, ...more]);
  const found = [
    ...(node.type === 'object' ? [path.join('.')] : []),
    ...(node.item ? inner(node.item, '0') : []),
    ...Object.entries<Json>(node.entries ?? {}).flatMap(([name, entry]) => inner(entry, name)),
    ...(node.wrapped ? inner(node.wrapped) : []),
    ...(node.getter ? valuesOfEveryType.map(node.getter) : []).flatMap((one) => inner(one)),
    ...(node.pipe ?? []).filter((one: Json) => one.kind === 'schema' && one !== node).flatMap((one: Json) => inner(one)),
  ];
  return [...new Set(found)];
};

/** Finds every path at which a schema takes a text: `items.0.name`, `metadata.a`. */
export const textsOf = (node: Json, path: readonly string[] = []): readonly string[] => {
  const inner = (one: Json, ...more: string[]) => textsOf(one, [...path, ...more]);
  const found = [
    ...(node.type === 'string' ? [path.join('.')] : []),
    ...(node.item ? inner(node.item, '0') : []),
    ...(node.type === 'record' ? inner(node.value, 'a') : []),
    ...(node.type === 'object_with_rest' ? inner(node.rest, 'a') : []),
    ...Object.entries<Json>(node.entries ?? {}).flatMap(([name, entry]) => inner(entry, name)),
    ...(node.wrapped ? inner(node.wrapped) : []),
    ...(node.getter ? [...new Set<Json>(valuesOfEveryType.map(node.getter))] : []).flatMap((one) => inner(one)),
    ...(node.pipe ?? []).filter((one: Json) => one.kind === 'schema' && one !== node).flatMap((one: Json) => inner(one)),
  ];
  return [...new Set(found)];
};

/** Returns the input with another value at a path. Creates what the path needs. */
export const withText = (input: Json, field: string, value: unknown): Json => {
  const changed = structuredClone(input);
  const path = field.split('.');
  const holderOf = (inner: Json, name: string, next: string) => {
    const isHolder = typeof inner[name] === 'object' && inner[name] !== null && Array.isArray(inner[name]) === /^\d+$/.test(next);
    if (!isHolder) inner[name] = /^\d+$/.test(next) ? [] : {};
    return inner[name];
  };
  const holder = path.slice(0, -1).reduce((inner, name, i) => holderOf(inner, name, path[i + 1] ?? ''), changed);
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(holder, path.at(-1) ?? '', { value, enumerable: true, writable: true, configurable: true });
  return changed;
};

/** Returns the value at a path. */
export const at = (value: Json, field: string): Json => field.split('.').reduce((inner, name) => inner?.[name], value);

/** Returns the field that a schema rejects; undefined if it accepts the input. */
export const rejectedField = (schema: Json, input: unknown): string | undefined => {
  try {
    parse(schema, input);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details.field ?? '';
  }
};

/** Returns the paths that keep any text: not dates, enumerations, emails or URLs. */
export const freeTextsOf = (schema: Json, valid: Json): readonly string[] =>
  textsOf(schema).filter((field) =>
    ['x', '🍰'].every((text) => {
      const input = withText(valid, field, text);
      return !/url$/.test(field) && rejectedField(schema, input) === undefined && at(parse(schema, input), field) === text;
    }),
  );

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
const customer = {
  last_name: 'Baker',
  tags: ['a'],
  address: { city: 'Berlin' },
  custom_fields: { flavours: ['lemon'] },
  metadata: { a: 'b' },
};
const expense = { amount: 1, date: '2026-03-05', category: 'rent', tags: ['a'] };
const order = {
  items: [{ name: 'Cake', quantity: 1, unit_price: 5 }],
  delivery_address: { city: 'Berlin' },
  custom_fields: { flavours: ['lemon'] },
  metadata: { a: 'b' },
};
const endpoint = { url: 'https://hooks.example.com/1', events: ['order.created'] };
const sale = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] };

const settings = {
  payment_methods: [{ id: 'cash', name: 'Cash', enabled: true }],
  event_categories: [{ name: 'Wedding' }],
  time_slots: { pickup: [slot()], delivery: [slot()] },
  blocked_dates: [{ date: '2026-12-25' }],
  recurring_rules: [{ id: 'r1', type: 'weekly', days_of_week: [0] }],
  custom_fields: [{ id: 'f1', options: ['a'], scopes: ['order'] }],
  search: { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only' },
  checkout: { gateway: 'stripe', branding: { name: 'Crumb' } },
};

/** Routes and actions of which an id alone, or an empty object, is a valid input. */
const short = inputs
  .filter(({ schema }) => rejectedField(schema, { id: 'rec_1' }) === undefined)
  .map(({ name, schema }): [string, Json] => [name, findUnlisted(schema, { id: 'rec_1' }) ? {} : { id: 'rec_1' }]);

/** A valid input of each route and action that takes texts, with an entry in every list and map. */
export const samples: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(short),
  createOrder: { ...order, customer: { last_name: 'Baker' }, payments: [{ amount: 1 }] },
  createCheckout: {
    items: [{ product_id: 'prd_1', quantity: 1 }],
    customer: { last_name: 'Baker' },
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
  'account.create': { name: 'Crumb', plan: 'business' },
  'customer.update': { id: 'cus_1', ...customer },
  'delivery.find': { event_id: 'evt_1' },
  'delivery.get': { endpoint_id: 'whe_1', event_id: 'evt_1' },
  'delivery.list': { endpoint_id: 'whe_1' },
  'expense.create': expense,
  'expense.update': { id: 'exp_1', ...expense },
  'gateway_fee.record': { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, date: '2026-03-05' },
  'gateway_fee.book': { transaction_id: 'pay_1', date: '2026-03-05' },
  'inventory.adjust': { id: 'inv_1', delta: 1 },
  'inventory.put': { type: 'ingredient', name: 'Flour', current_stock: 1, reorder_point: 1, unit: 'kg' },
  'key.create': { type: 'secret', scopes: ['orders:read'] },
  'key.update': { id: 'key_1', scopes: ['orders:read'] },
  'order.set_status': { id: 'ord_1', status: 'ready' },
  'order.update': { id: 'ord_1', ...order },
  'payment.correct_amount': { id: 'pay_1', amount: 1 },
  'payment.create': { amount: 1, method: 'card' },
  'payment.refund': { id: 'pay_1', amount: 1 },
  'payment.set_status': { id: 'pay_1', status: 'completed' },
  'product.create': product,
  'product.update': { id: 'prd_1', ...product },
  'queue.discard': { queue: 'parking-notices', id: 'msg_1' },
  'quick_sale.create': sale,
  'quick_sale.update': { id: 'qs_1', ...sale },
  'settings.put': settings,
  'settings.update': settings,
  'stream.replay': { key: 'stream/1.json' },
  'webhook.create': endpoint,
  'webhook.redeliver': { endpoint_id: 'whe_1', event_id: 'evt_1' },
  'webhook.redeliver_failed': { endpoint_id: 'whe_1', since: '2026-03-05' },
  'webhook.update': { id: 'whe_1', ...endpoint },
};
