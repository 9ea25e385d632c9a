import type { Random } from '../scheduler/random.ts';
import { act } from './dashboard.ts';
import { send } from './integrator.ts';
import { atWork, type Stage } from './person.ts';

/** A collection that several accounts share. */
export const collection = 'products';

/** Gives the account a search engine with its key in Parameter Store. */
export const openSearch = async ({ region, tenant, number }: Stage): Promise<void> => {
  const { store, parameters, searchEngine } = region;
  const isReference = number % 2 === 0;
  parameters.values.set(`${tenant.account}/search/admin`, searchEngine.adminKey);
  const search = {
    ...{ provider: 'typesense' as const, host: new URL(searchEngine.host).host, collection, search_key: 'search-only-key' },
    admin_key: isReference ? 'ssm:search/admin' : searchEngine.adminKey,
  };
  const settings = await store.accounts.getSettings(tenant.account);
  await store.commit([store.accounts.putSettingsWrite(tenant.account, { ...settings, search })]);
};

/**
 * The catalog manager: products are created, changed, hidden and deleted; the shop requests search
 * tokens.
 */
export const keepCatalog = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `catalog-${stage.number}`;
  const products: string[] = [];

  const call = async (action: string, input: unknown, token: string, random: Random): Promise<void> => {
    const response = await act(region, name, { action, account, input, token }, random);
    const { id } = (response?.ok ? response.result : {}) as { readonly id?: string };
    if (action === 'product.create' && id !== undefined) products.push(id);
  };
  const actions: Readonly<Record<string, (token: string, random: Random, action: number) => Promise<unknown>>> = {
    create: (token, random, action) =>
      call(
        'product.create',
        { name: `Cake ${action}`, price: 1 + random.below(50), tags: ['cake'], category: random.pick(['cakes', null]) },
        token,
        random,
      ),
    async update(token, random) {
      const changes = [
        { price: 1 + random.below(50) },
        { storefront_visible: random.chance(0.5) },
        { status: random.pick(['draft', 'active']) },
      ];
      await call('product.update', { id: random.pick(products), ...random.pick(changes) }, token, random);
    },
    remove: (token, random) => call('product.delete', { id: random.pick(products) }, token, random),
    async reindex(token, random) {
      let cursor: string | undefined;
      do {
        const response = await act(
          region,
          name,
          { action: 'search.reindex', account, input: cursor ? { cursor } : {}, token: `${token}-${cursor}` },
          random,
        );
        cursor = response?.ok ? ((response.result as { next_cursor: string | null }).next_cursor ?? undefined) : undefined;
      } while (cursor !== undefined);
    },
    async token() {
      const { response } = await send(region, journal, { method: 'POST', path: '/products/search-token', key });
      scheduler.note(name, `POST /products/search-token: ${response?.status ?? 'no answer'}`);
    },
  };
  const weights = { create: 3, update: 5, remove: 1, token: 1, reindex: 0.5 };
  await atWork(stage, {
    name,
    actions: scheduler.stream(name).below(9),
    pauseMs: (random) => (random.chance(0.2) ? random.below(1_200_000) : random.below(5_000)),
    async act(random, action) {
      const what = products.length === 0 ? 'create' : random.weighted<string>(weights);
      await actions[what]?.(`${name}-token-${action}`, random, action);
    },
  });
};
