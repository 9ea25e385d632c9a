import { send } from './integrator.ts';
import type { Crossing } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { nextMonth } from './shopper.ts';

const mostTries = 4;

/**
 * A shop with a server and a page that use the same Idempotency-Keys. The service separates them by type of
 * API key.
 */
export const shareKeys = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account, key, shop } = tenant;
  const { scheduler } = region.world;
  const name = `sharer-${number}`;
  await atWork(stage, {
    name,
    actions: 1 + scheduler.stream(name).below(3),
    pauseMs: (random) => random.below(300_000),
    async act(random, action) {
      const idempotencyKey = `shared-${action}`;
      const cart = (quantity: number) => ({
        ...{ items: [{ product_id: shop.products[0], quantity }], delivery_type: 'dispatch', delivery_date: nextMonth(scheduler.now()) },
        ...{ success_url: 'https://shop.example.com/thanks', cancel_url: 'https://shop.example.com/' },
      });
      const [own, other] = random.chance(0.5) ? [1, 1] : [1, 2];
      const ask = async (type: Crossing['type'], quantity: number, pauseMs: number): Promise<void> => {
        const crossing: Crossing = { account, idempotencyKey, type, tries: [] };
        journal.crossings.push(crossing);
        await scheduler.sleep(pauseMs);
        const request = { method: 'POST', path: '/checkout', key: type === 'secret' ? key : shop.publicKey, body: cart(quantity) } as const;
        for (let tries = 0; tries < mostTries; tries++) {
          const seen = await send(region, journal, { ...request, idempotencyKey });
          crossing.tries.push(seen);
          scheduler.note(name, `POST /checkout ${idempotencyKey}, ${type}: ${seen.response?.status ?? 'no answer'}`);
          if (tries > 0 && seen.response && seen.response.status < 300) return;
          await scheduler.sleep(1_000 + scheduler.stream(`${name} ${action} ${type} ${tries}`).below(40_000));
        }
      };
      await Promise.all([ask('secret', own, 0), ask('publishable', other, random.below(20_000))]);
    },
  });
};
