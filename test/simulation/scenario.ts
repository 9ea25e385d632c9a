import { hashKey } from '../../shared/auth/authenticate.ts';
import { selectableScopes } from '../../shared/core/scopes.ts';
import type { Account } from '../../shared/domain/account.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';
import { laws } from './laws/index.ts';
import { integrate, type Tenant } from './people/integrator.ts';
import { newJournal } from './people/journal.ts';
import { register, runShop } from './people/merchant.ts';
import { calm, type Fate, type Level, levels } from './scheduler/accidents.ts';
import { takeGlobals } from './scheduler/globals.ts';
import { createScheduler, NeverEnds, type Scheduler } from './scheduler/scheduler.ts';
import { openRegion, type Region } from './world/region.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly level: Level;
}

/** How a scenario went: what befell it, and the first promise that it saw broken. */
export interface Played {
  readonly trace: readonly string[];
  readonly accidents: ReadonlyMap<Fate, number>;
  readonly actions: number;
  readonly virtualMs: number;
  readonly breach: { readonly law: string; readonly sentences: readonly string[] } | undefined;
}

const limits = { virtualMs: 60 * 3_600_000, events: 2_000_000 };
const tenants = 2;
const sweepEveryMs = 300_000;
const lookEveryMs = 600_000;
/** A day and two hours and a half is the whole ladder; what is lost at each of its steps is found by a sweep. */
const restWithinMs = 36 * 3_600_000;

const open = async (region: Region, number: number): Promise<Tenant> => {
  const { scheduler } = region.world;
  const now = new Date(scheduler.now()).toISOString();
  const account = `acct_${String(number).padStart(26, '0')}`;
  const value = `svc_sk_live_us_${Buffer.from(scheduler.random.bytes(32)).toString('base64url')}`;
  const { store } = region;
  const members: Account = {
    ...{ id: account, name: `Bakery ${number}`, region: 'us', plan: 'business', status: 'active', currency: 'USD' },
    ...{ order_limit: null, timezone: 'UTC', created_at: now, updated_at: now },
  };
  const key: ApiKey = {
    ...{ id: `key_${String(number).padStart(26, '0')}`, account, hash: hashKey(value), name: 'Server', type: 'secret', region: 'us' },
    ...{
      group: null,
      scopes: selectableScopes,
      prefix: value.slice(0, 19),
      expires_at: null,
      revoked_at: null,
      created_at: now,
      updated_at: now,
    },
  };
  await store.commit([store.accounts.createWrite(members), ...store.apiKeys.createWrites(key)]);
  return { account, key: value };
};

/** Nothing is left that anybody would still do. */
const isAtRest = ({ stream, queue, schedules, engine }: Region): boolean => {
  if (!stream.isRead || queue.size > 0 || schedules.size > 0) return false;
  for (const item of engine.table('simulated').items())
    if (String(item['pk']).startsWith('dlv#') && (item['view'] as { readonly status: string }).status === 'pending') return false;
  return true;
};

/** Plays one scenario from its seed: people at work among accidents, then quiet until everything has come to rest, then the laws. */
export const play = async ({ seed, level }: ScenarioOptions): Promise<Played> => {
  const scheduler = createScheduler(seed, limits);
  const startMs = scheduler.now();
  const restore = takeGlobals(scheduler);
  let accidents = calm;
  const tally = new Map<Fate, number>();
  const region = openRegion({ scheduler, accidents: () => accidents, tally });
  const journal = newJournal();
  const work = async (): Promise<Played['breach']> => {
    let ended = false;
    const shops: Tenant[] = [];
    for (let number = 1; number <= tenants; number++) shops.push(await open(region, number));
    const endpoints = await Promise.all(
      shops.map(async (shop, i) => [await register(region, journal, shop, `shop-${i + 1}`)].flatMap((id) => id ?? [])),
    );
    const sweeping = (async () => {
      for (;;) {
        await scheduler.sleep(sweepEveryMs);
        if (ended) return;
        await region.sweep();
      }
    })();
    accidents = levels[level];
    await Promise.all(
      shops.flatMap((shop, i) => [
        integrate(region, journal, shop, `app-${i + 1}`, 10 + scheduler.random.below(10)),
        runShop(region, journal, shop, `shop-${i + 1}`, 10 + scheduler.random.below(6), endpoints[i] ?? []),
      ]),
    );
    scheduler.note('everybody', 'goes home; no more accidents');
    accidents = calm;
    const quietSinceMs = scheduler.now();
    do await scheduler.sleep(lookEveryMs);
    while (!isAtRest(region) && scheduler.now() - quietSinceMs < restWithinMs);
    ended = true;
    await sweeping;
    const evidence = { region, journal, accounts: shops.map(({ account }) => account) };
    for (const law of laws) {
      const sentences = await law.breaches(evidence);
      if (sentences.length > 0) return { law: `${law.number}: ${law.name}`, sentences };
    }
    return undefined;
  };
  try {
    const breach = await scheduler.run(work()).catch((error: unknown) => {
      if (error instanceof NeverEnds) return { law: 'a scenario ends', sentences: [error.message] };
      throw error;
    });
    return played(scheduler, tally, journal.actions, startMs, breach);
  } finally {
    restore();
  }
};

const played = (
  scheduler: Scheduler,
  accidents: Played['accidents'],
  actions: number,
  startMs: number,
  breach: Played['breach'],
): Played => ({
  trace: scheduler.trace,
  accidents,
  actions,
  virtualMs: scheduler.now() - startMs,
  breach,
});
