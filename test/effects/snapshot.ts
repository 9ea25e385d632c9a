import type { CheckoutTest } from '../checkout-page/stripe-counter.ts';

/** `any`: records of every shape are compared. */
export type View = any;

/** What can be read of an account at one moment. */
export interface Snapshot {
  /** What the retrieve of each record shows, by kind and id: `order ord_1`. Deleted records have none. */
  readonly records: ReadonlyMap<string, View>;
  /** The entries of each list, all pages joined, by path and query; only after a case. Undefined if keys are rejected. */
  readonly lists: ReadonlyMap<string, readonly View[]> | undefined;
  /** Statuses of the disputes of each order, which no read shows. */
  readonly disputes: ReadonlyMap<string, readonly string[]>;
}

export interface Readable {
  readonly t: CheckoutTest;
  readonly account: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly disputes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Kinds with a retrieve in the REST API, and their paths. */
export const paths = {
  order: '/orders',
  customer: '/customers',
  product: '/products',
  expense: '/expenses',
  endpoint: '/webhooks',
} as const;
export type RestKind = keyof typeof paths;
export const restKinds = Object.keys(paths) as RestKind[];

let addresses = 0;
const get = ({ t, secretKey }: Readable, path: string, key = secretKey) =>
  t.world.request('GET', path, { key, sourceIp: `2001:db8:7::${(++addresses).toString(16)}` });

/** Reads every page of a list. */
const pagesOf = async (readable: Readable, path: string, key?: string): Promise<View[]> => {
  const found: View[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await get(readable, query, key);
    if (status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`);
    found.push(...body.data);
    cursor = body.pagination.has_more ? body.pagination.next_cursor : null;
  } while (cursor !== null);
  return found;
};

const keysOf = (before: Snapshot | undefined, kind: string): string[] =>
  [...(before?.records.keys() ?? [])].filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1));

/** Retrieves the records that the lists show or that were there before. */
const retrieveAll = async (readable: Readable, before: Snapshot | undefined): Promise<Map<string, View>> => {
  const records = new Map<string, View>();
  for (const kind of restKinds) {
    const listed = (await pagesOf(readable, paths[kind])).map(({ id }) => id);
    for (const id of new Set([...listed, ...keysOf(before, kind)])) {
      const { status, body } = await get(readable, `${paths[kind]}/${id}`);
      if (status === 200) records.set(`${kind} ${id}`, body);
    }
  }
  return records;
};

/** The lists of an export whose records no retrieve shows, and their kinds. */
const exported = {
  payments: 'payment',
  quick_sales: 'quick_sale',
  inventory: 'inventory_item',
  checkout_sessions: 'session',
  unbooked_gateway_fees: 'unbooked_fee',
} as const;

/** Reads what only the dashboard shows: the result of each action that reads. */
const readDashboard = async ({ t: { service }, account }: Readable): Promise<Map<string, View>> => {
  const records = new Map<string, View>([['account', await service.act('account.get', account)]]);
  const document = await service.call('account.export', account);
  if (!document.ok) return records;
  const found = document.result as View;
  records.set('settings', await service.act('settings.get', account));
  for (const key of (await service.act('key.list', account))['data']) records.set(`key ${key.id}`, key);
  for (const [list, kind] of Object.entries(exported))
    for (const record of found[list] ?? []) if (!record.deleted_at) records.set(`${kind} ${record.id ?? record.transaction_id}`, record);
  return records;
};

/** The queries of each list: one for each sort, and one for each value that a record has. */
const queriesOf = (records: readonly (readonly [string, View])[]): string[] => {
  const of = (kind: string) => records.flatMap(([key, view]) => (key.startsWith(`${kind} `) ? [view] : []));
  const values = (kind: string, field: (view: View) => unknown, name: string, more = '') =>
    [...new Set(of(kind).map(field))]
      .filter((value) => typeof value === 'string')
      .map((value) => `${paths[kind as RestKind]}?${name}=${encodeURIComponent(String(value))}${more}`);
  return [
    ...['', '?sort=createdAt', '?sort=updatedAt', '?sort=deliveryDate'].map((query) => `/orders${query}`),
    ...values('order', ({ status }) => status, 'status'),
    ...values('order', ({ payment_status }) => payment_status, 'payment_status'),
    ...values('order', ({ payment_status }) => payment_status, 'payment_status', '&sort=updatedAt'),
    ...values('order', ({ customer_id }) => customer_id, 'customer_id'),
    ...values('order', ({ external_id }) => external_id, 'external_id'),
    ...['/customers', '/customers?updated_after=2000-01-01'],
    ...values('customer', ({ email }) => email, 'email'),
    ...values('customer', ({ external_id }) => external_id, 'external_id'),
    ...values('customer', ({ last_name }) => last_name, 'search'),
    ...['/expenses', '/expenses?order_by=updated_at', '/expenses?updated_after=2000-01-01'],
    ...values('expense', ({ category }) => category, 'category'),
    ...values('expense', ({ status }) => status, 'status'),
    ...values('expense', ({ supplier }) => supplier?.id, 'supplier_id'),
    ...['/products', '/products?updated_after=2000-01-01'],
    ...values('product', ({ category }) => category, 'category'),
    ...values('product', ({ name }) => name, 'search'),
    '/webhooks',
  ];
};

/** Lists also the queries of values that records had before, which they must have left. */
const listAll = async (readable: Readable, records: ReadonlyMap<string, View>, before: Snapshot) => {
  const lists = new Map<string, readonly View[]>();
  const queries = queriesOf([...records, ...before.records]);
  for (const query of new Set(queries)) lists.set(query, await pagesOf(readable, query));
  lists.set('/products as a visitor', await pagesOf(readable, '/products', readable.publishableKey));
  return lists;
};

/** Reads everything. `before` names records and values that may be gone. */
export const takeSnapshot = async (readable: Readable, before?: Snapshot): Promise<Snapshot> => {
  const disputes = new Map([...readable.disputes].map(([order, statuses]) => [order, [...statuses.values()]]));
  const isReadable = (await get(readable, '/orders?limit=1')).status === 200;
  const rest = isReadable ? await retrieveAll(readable, before) : new Map<string, View>();
  const lists = isReadable && before ? await listAll(readable, rest, before) : undefined;
  return { records: new Map([...rest, ...(await readDashboard(readable))]), lists, disputes };
};
