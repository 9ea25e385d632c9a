import { act } from './dashboard.ts';
import { atWork, type Stage } from './person.ts';

const mostChanges = 6;

/**
 * A seller at a market. Creates a product, changes it several times within seconds, and often deletes
 * it, so that its search messages and slow calls of the engine overlap. Also records sales, and saves
 * some records as they are.
 */
export const sellAtMarket = async (stage: Stage): Promise<void> => {
  const { region, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const name = `market-${number}`;
  await atWork(stage, {
    name,
    actions: 1 + scheduler.stream(name).below(3),
    pauseMs: (random) => random.below(random.chance(0.3) ? 1_800_000 : 60_000),
    async act(random, action) {
      const token = `${name}-token-${action}`;
      const call = (what: string, input: object, by: string) =>
        act(region, name, { action: what, account, input, token: `${token}-${by}` }, scheduler.stream(`${token}-${by}`));
      const create = async (noun: string, input: object): Promise<string | undefined> => {
        const made = await call(`${noun}.create`, input, noun);
        return made?.ok ? (made.result as { readonly id: string }).id : undefined;
      };
      const product = async (): Promise<void> => {
        const id = await create('product', { name: `Special ${action}`, price: 1 });
        if (id === undefined) return;
        for (let price = 1, last = 1 + random.below(mostChanges); price <= last; price++) {
          await scheduler.sleep(random.below(random.chance(0.5) ? 500 : 9_000));
          // Every save of a product emits an event, also the first one, which changes nothing.
          await call('product.update', { id, price }, String(price));
        }
        if (!random.chance(0.6)) return;
        await scheduler.sleep(random.below(12_000));
        await call('product.delete', { id }, 'delete');
      };
      const sale = async (): Promise<void> => {
        const id = await create('quick_sale', { gross_sales: 5, location: 'Station' });
        if (id === undefined) return;
        const its = scheduler.stream(`${token} sale`);
        await call(
          'quick_sale.update',
          its.chance(0.5) ? { id, location: 'Station' } : { id, location: 'Market', gross_cost: 2 },
          'change',
        );
        if (its.chance(0.5)) await call('quick_sale.delete', { id }, 'void');
      };
      await Promise.all([product(), sale()]);
    },
  });
};
