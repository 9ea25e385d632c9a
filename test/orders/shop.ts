import { sampleProduct } from '../support/requests.ts';
import type { RequestOptions, TestResponse, World } from '../support/world.ts';

/** An account with a key, its catalog and a way to order. */
export interface OrderingShop {
  readonly account: string;
  readonly key: string;
  post(fields?: object, options?: RequestOptions): Promise<TestResponse>;
  get(path: string): Promise<TestResponse>;
  /** Lists the ids of orders. Uses a new key, so that no test meets another test's rate limit. */
  ids(query: string): Promise<string[]>;
}

export const cake = { name: 'Cake', quantity: 1, unit_price: 40 };

export const openShop = async (world: World, overrides: Parameters<World['createAccount']>[0] = {}): Promise<OrderingShop> => {
  const { id: account } = await world.createAccount(overrides);
  const { store, clock } = world;
  const product = (id: string, changes: Parameters<typeof sampleProduct>[1]) =>
    store.products.createWrite(account, sampleProduct(clock.now(), { id, ...changes }));
  await store.commit([
    product('prd_bread', { name: 'Sourdough', price: 6.5 }),
    product('prd_hidden', { hidden: true }),
    product('prd_draft', { status: 'draft' }),
    product('prd_archived', { status: 'archived' }),
    product('prd_deleted', { status: 'deleted' }),
    store.accounts.putSettingsWrite(account, {
      custom_fields: [
        { id: 'cf_theme', key: 'theme', scopes: ['order'] },
        { id: 'cf_legacy', scopes: ['order', 'customer'] },
        { id: 'cf_off', key: 'off', scopes: ['order'], active: false },
        { id: 'cf_product', key: 'flour', scopes: ['product'] },
        { id: 'cf_secret', key: 'margin', scopes: ['order'], internal: true },
      ],
    }),
  ]);
  const key = await world.createKey(account);
  const ids = async (query: string) => {
    const { status, text, body } = await world.request('GET', `/orders?${query}`, { key: await world.createKey(account) });
    if (status !== 200) throw new Error(text);
    return body.data.map(({ id }: { id: string }) => id) as string[];
  };
  return {
    account,
    key,
    ids,
    post: (body = {}, options = {}) => world.request('POST', '/orders', { key, body: { items: [cake], ...body }, ...options }),
    get: (path) => world.request('GET', path, { key }),
  };
};
