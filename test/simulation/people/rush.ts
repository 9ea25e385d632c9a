import type { Request } from '../world/http.ts';
import { send } from './integrator.ts';
import { atWork, type Stage } from './person.ts';

const windowMs = 60_000;
const atOnce = 10;

/**
 * A program that sometimes sends more requests in a minute than the limit of writes, or of an IP
 * address.
 */
export const rush = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { scheduler } = region.world;
  const name = `rush-${stage.number}`;
  const own = scheduler.stream(name);
  const requests: readonly [request: Request, times: number][] = [
    [{ method: 'POST', path: '/orders', key: tenant.key, body: {} }, 125],
    [{ method: 'GET', path: '/reference/expense-categories', key: tenant.shop.publicKey }, 145],
  ];
  await atWork(stage, {
    name,
    actions: own.chance(0.08) ? 1 : 0,
    pauseMs: (random) => windowMs - (scheduler.now() % windowMs) + 2_000 + windowMs * random.below(10),
    async act(random) {
      const [request, times] = random.pick(requests);
      scheduler.note(name, `${request.method} ${request.path}, ${times} times`);
      for (let sent = 0; sent < times; sent += atOnce)
        await Promise.all(Array.from({ length: Math.min(atOnce, times - sent) }, () => send(region, journal, request)));
    },
  });
};
