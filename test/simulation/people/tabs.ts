import type { Random } from '../scheduler/random.ts';
import { atWork, type Stage } from './person.ts';
import { shopperOf } from './shopper.ts';

const mostPagesEnded = 3;
const dayMs = 86_400_000;
/** Seldom, because a day of sweeps takes long to simulate. */
const nearEnd = 0.04;

/**
 * Shoppers who pay one session in several tabs and on several devices, each with its own answers. The
 * process that begins their payment may die once the gateway has its page, so that another one takes
 * the payment over. The merchant may end the gateway's page in between, which counts as a decline.
 */
export const useTabs = async (stage: Stage): Promise<void> => {
  const { region, tenant, number } = stage;
  const { scheduler } = region.world;
  const { stripe } = region.page;
  const name = `tabs-${number}`;
  const { openSession, browse } = shopperOf(stage, name);

  const endPages = async (known: readonly string[], random: Random): Promise<void> => {
    for (let ended = 0; ended < mostPagesEnded; ended++) {
      await scheduler.sleep(random.below(90_000));
      const url = known.at(-1);
      if (url === undefined) continue;
      scheduler.note(name, `the merchant ends ${url}`);
      stripe.endPage(url);
    }
  };

  await atWork(stage, {
    name,
    actions: scheduler.stream(name).below(4),
    pauseMs: (random) => random.below(random.chance(0.2) ? 1_200_000 : 60_000),
    async act(random, action) {
      const marker = `${name}-${action}`;
      const session = await openSession(random, marker);
      if (session === undefined) return;
      // Near the session's end, the gateway's page outlives it.
      if (random.chance(nearEnd)) await scheduler.sleep(dayMs - random.below(2_400_000));
      const known: string[] = [];
      const page = `/checkout/${tenant.account}/${session}`;
      const tabs = Array.from({ length: 2 + random.below(2) }, (_, tab) =>
        browse({ session, page, details: undefined, random: scheduler.stream(`${marker}/tab ${tab}`), known }),
      );
      if (random.chance(0.4)) stripe.doomed.add(session);
      await Promise.all([...tabs, ...(random.chance(0.5) ? [endPages(known, scheduler.stream(`${marker}/merchant`))] : [])]);
      stripe.doomed.delete(session);
    },
  });
};
