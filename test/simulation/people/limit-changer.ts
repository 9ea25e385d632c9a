import type { Random } from '../scheduler/random.ts';
import { act } from './dashboard.ts';
import { insist } from './integrator.ts';
import type { Intent } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { shopperOf } from './shopper.ts';

const twoHoursMs = 7_200_000;

/** Changes of an account that come with a limit and are taken back soon. */
const changesOf = { none: {}, starter: { plan: 'starter' }, closed: { status: 'closed' } } as const;

/** Returns the milliseconds until the UTC month ends. */
const untilMonthEndMs = (nowMs: number): number => {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - nowMs;
};

/**
 * A bookkeeper who changes the order limit, sometimes with the plan or for a closed account, while orders
 * are made and sessions are paid; at the end of a month if it is near.
 */
export const changeLimits = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `limits-${number}`;
  const { openSession, browse } = shopperOf(stage, `${name}-shopper`);
  const made = (): number => region.engine.table('simulated').partition(`ord#${account}`)?.order.length ?? 0;

  const update = async (changes: object, token: string, random: Random): Promise<void> => {
    const call = { action: 'account.update', account, input: { id: account, ...changes }, token };
    while (!(await act(region, name, call, random)));
  };

  /** Sets a limit that is not reached yet, is reached, or is passed, or none. */
  const change = async (token: string, random: Random): Promise<void> => {
    await scheduler.sleep(random.below(3_000));
    const order_limit = random.chance(0.25) ? null : Math.max(0, made() - 1 + random.below(5));
    const away = random.weighted({ none: 7, starter: 1, closed: 1 });
    await update({ order_limit, ...changesOf[away] }, token, random);
    if (away === 'none') return;
    await scheduler.sleep(random.below(5_000));
    await update({ plan: 'business', status: 'active' }, `${token}-back`, random);
  };

  const order = async (marker: string, random: Random): Promise<void> => {
    await scheduler.sleep(random.below(4_000));
    const body = { items: [{ name: 'Cake', quantity: 1, unit_price: 5 }], notes: marker };
    const intent: Intent = { kind: 'order', account, marker, idempotencyKey: `key-${marker}`, body, tries: [] };
    journal.intents.push(intent);
    await insist(stage, name, intent, random, [key]);
  };

  const own = scheduler.stream(name);
  await atWork(stage, {
    name,
    actions: own.chance(0.6) ? 1 + own.below(4) : 0,
    pauseMs: (random) => random.below(random.chance(0.2) ? 1_200_000 : 60_000),
    async act(random, action) {
      const marker = `${name}-${action}`;
      const stream = (what: string) => scheduler.stream(`${marker}/${what}`);
      const sessions = await Promise.all([1, 2].slice(random.below(3)).map((i) => openSession(stream(`session ${i}`), `${marker}-s${i}`)));
      const remainingMs = untilMonthEndMs(scheduler.now());
      if (remainingMs < twoHoursMs) await scheduler.sleep(remainingMs - random.below(4_000));
      await Promise.all([
        change(`${marker}-a`, stream('limit a')),
        ...(random.chance(0.5) ? [change(`${marker}-b`, stream('limit b'))] : []),
        ...Array.from({ length: 1 + random.below(5) }, (_, i) => order(`${marker}-o${i}`, stream(`order ${i}`))),
        ...sessions.flatMap((session, i) =>
          session === undefined
            ? []
            : [browse({ session, details: undefined, page: `/checkout/${account}/${session}`, random: stream(`shopper ${i}`), known: [] })],
        ),
      ]);
    },
  });
};
