import { attempt } from './integrator.ts';
import { type Intent, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/**
 * Only one of so many scenarios lasts until the next day, because a day of sweeps takes long to
 * simulate.
 */
const oneOf = 8;

/**
 * A program that repeats a request when the stored response is hours old, about to expire, and
 * expired.
 */
export const comeBackLate = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { scheduler } = region.world;
  if (scheduler.stream('latecomers').below(oneOf) > 0) return;
  const name = `late-${number}`;
  const ages = [hourMs, 12 * hourMs, dayMs - 60_000, dayMs + 5_000];

  const isAcknowledged = ({ kind, account, idempotencyKey, tries }: Intent): boolean =>
    kind !== 'session' && account === tenant.account && idempotencyKey !== undefined && tries.some((one) => madeBy(one) !== undefined);

  await atWork(stage, {
    name,
    actions: ages.length,
    pauseMs: (random) => 600_000 + random.below(600_000),
    async act(random, action) {
      const known = journal.intents.filter(isAcknowledged);
      if (known.length === 0) return;
      const intent = random.pick(known);
      const first = intent.tries.find((one) => madeBy(one) !== undefined);
      const atMs = (first?.seenMs ?? 0) + (ages[action] ?? 0) + random.below(50_000);
      await scheduler.sleep(Math.max(0, atMs - scheduler.now()));
      await attempt(stage, name, intent, { key: random.chance(0.5) ? tenant.otherKey : tenant.key });
      await attempt(stage, name, intent);
    },
  });
};
