import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { GroupName, groups } from '../../functions/groups.ts';
import type { Route } from '../../shared/core/routes.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { openApi } from './openapi.ts';
import { productOf } from './products.ts';
import { allRoutes, type RequestOptions, type World } from './world.ts';

let count = 0;

/** A product of every tenant. */
export const sampleProduct = (nowMs: number, fields: Partial<Product> = {}): Product =>
  productOf(nowMs, { id: 'prd_sample', name: 'Sourdough', ...fields });

type WithBody = Extract<(typeof groups)[GroupName][number], { readonly body: unknown }>['operation'];

/** Returns the document's example body of a route. */
const exampleBody = ({ operation, path, method }: Route): Record<string, unknown> => {
  const examples = openApi.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].examples ?? {};
  const [first] = Object.values<{ readonly value: Record<string, unknown> }>(examples);
  if (!first) throw new Error(`The document shows no body of ${operation}.`);
  return first.value;
};

/**
 * Bodies for routes that do not accept the document's example, or not from every tenant, or not
 * twice.
 */
const bodies: Readonly<Partial<Record<WithBody, () => Record<string, unknown>>>> = {
  createCheckout: () => ({
    items: [{ product_id: 'prd_sample', quantity: 2 }],
    delivery_date: '2030-03-12',
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
  }),
  createCustomer: () => ({ email: `customer${++count}@example.com`, first_name: 'Ada', last_name: 'Baker' }),
  createOrder: () => ({
    customer: { email: `shopper${++count}@example.com`, first_name: 'Ada' },
    items: [
      { product_id: 'prd_sample', quantity: 2 },
      { name: 'Wedding cake', quantity: 1, unit_price: 250 },
    ],
    payments: [{ amount: 100, method: 'card' }],
  }),
  createWebhook: () => ({ url: `https://hooks.example.com/${++count}`, events: ['expense.created'] }),
};

/** Undefined for routes without a body. */
export const sampleBody = (route: Route): Record<string, unknown> | undefined =>
  route.body && (bodies[route.operation as WithBody] ?? (() => exampleBody(route)))();

export interface Tenant {
  readonly account: Account;
  readonly key: string;
  readonly keyId: string;
}

/** Settings from which search tokens are made. */
export const searchSettings = {
  provider: 'typesense',
  host: 'search.example.com',
  collection: 'products',
  search_key: 'search-only-key-1234567890',
} as const;

/** An account of its own with one key, on which every route can succeed. */
export const createTenant = async (
  world: World,
  overrides: { readonly account?: Partial<Account>; readonly key?: Parameters<World['createKey']>[1] } = {},
): Promise<Tenant> => {
  const keyId = `key_${++count}`;
  let key = '';
  const account = await world.createAccount(overrides.account, (id) => {
    const { value, writes } = world.newKey(id, { id: keyId, ...overrides.key });
    key = value;
    return [
      world.store.accounts.putSettingsWrite(id, { search: searchSettings }),
      world.store.products.createWrite(id, sampleProduct(world.clock.now())),
      ...writes,
    ];
  });
  return { account, keyId, key };
};

/** Queries of routes that require one. */
const samples: Readonly<Record<string, string>> = { getAvailability: '?date=2026-03-12' };

/** Returns a new address, so that requests do not share a bucket. */
const newIp = (): string => `2001:db8::${(++count).toString(16)}`;

/** Sends a valid request to the route. `{id}` is `id`, by default an unknown one. */
export const send = (world: World, route: Route, options: RequestOptions & { readonly id?: string; readonly query?: string } = {}) => {
  const { id = 'none', query = '', ...rest } = options;
  const body = rest.bytes ? undefined : 'body' in rest ? rest.body : sampleBody(route);
  const path = route.path.replace('{id}', id) + (query || (samples[route.operation] ?? ''));
  return world.request(route.method, path, { sourceIp: newIp(), ...rest, ...(body === undefined ? {} : { body }) });
};

/** A record that the route's `{id}` can name; undefined for routes without one. */
export const createTarget = async (world: World, route: Route, key: string): Promise<string | undefined> => {
  const [collection, hasId] = route.path.split('/{id}');
  if (hasId === undefined) return undefined;
  if (collection === '/products') return sampleProduct(0).id;
  const create = allRoutes.find((one) => one.method === 'POST' && one.path === collection);
  if (!create) throw new Error(`Nothing creates what ${route.path} names.`);
  const { body } = await send(world, create, { key });
  return body.id as string;
};

/** Uses all remaining requests of the current window, so that the next one exceeds the limit. */
export const exhaust = async (world: World, rule: { readonly name: string; readonly limit: number }, subject: string): Promise<void> => {
  const before = world.wire.calls.length;
  await world.store.buckets.take(rule.name, subject, rule.limit);
  const input = world.wire.calls[before]?.input as unknown as UpdateCommandInput;
  const [, added = ''] = /ADD #count (:\w+)/.exec(input.UpdateExpression ?? '') ?? [];
  const values = { ...input.ExpressionAttributeValues, [added]: rule.limit - 1 };
  await world.engine.client.send(new UpdateCommand({ ...input, ExpressionAttributeValues: values }));
};

/**
 * Keys of data-table items that calls since the last `world.wire.reset()` put or changed and no
 * later one deleted.
 */
export const leftovers = (world: World): string[] => {
  const remaining = new Set<string>();
  for (const { operation, input } of world.wire.calls) {
    const { TableName, Item, Key, TransactItems = [] } = input as Record<string, any>;
    if (TransactItems.length > 0) remaining.add(`${operation} of ${TransactItems.length}`);
    const { pk, sk } = Item ?? Key ?? {};
    if (TableName !== world.tables.tableName || !pk) continue;
    const name = `${pk} ${sk}`;
    if (operation === 'DeleteItem') remaining.delete(name);
    else if (operation !== 'BatchGetItem') remaining.add(name);
  }
  return [...remaining];
};
