import { registerFor, test } from './endpoint-actions.ts';
import { atWork, type Stage } from './person.ts';

const windowMs = 60_000;
const atOnce = 4;

/**
 * In some scenarios all accounts test an endpoint in the same minute, one of them above its limit
 * and again in the next minute.
 */
export const testALot = async (stage: Stage): Promise<void> => {
  const { region, number } = stage;
  const { scheduler } = region.world;
  const all = scheduler.stream('tests of all');
  if (!all.chance(0.12)) return;
  const name = `tester-${number}`;
  // The same window for both accounts.
  const windowsMs = (Math.floor(scheduler.now() / windowMs) + 2 + all.below(15)) * windowMs + 3_000;
  const times = number === 1 + all.below(2) ? 13 : 5;
  const id = await registerFor(stage, name, ['quick_sale.deleted'], 'steady');
  if (id === undefined) return;
  const runs = [
    { atMs: windowsMs, times },
    { atMs: windowsMs + windowMs, times: 1 },
  ];
  await atWork(stage, {
    name,
    actions: runs.length,
    pauseMs: () => 0,
    async act(_, action) {
      const { atMs, times: most } = runs[action] as (typeof runs)[number];
      await scheduler.sleep(Math.max(0, atMs - scheduler.now()));
      for (let sent = 0; sent < most; sent += atOnce)
        await Promise.all(Array.from({ length: Math.min(atOnce, most - sent) }, () => test(stage, name, id)));
    },
  });
};
