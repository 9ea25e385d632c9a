import type { Account } from '../../shared/domain/account/record.ts';
import { uncountedEnds } from './invariants/counts.ts';
import { invariants } from './invariants/index.ts';
import { type Evidence, nameOf, scenarioEnds } from './invariants/invariant.ts';
import { understood } from './invariants/models.ts';
import { apiKeyOf } from './people/api-key.ts';
import { auditAtLast } from './people/auditor.ts';
import { choosePlay, peopleOf } from './people/cast.ts';
import { openSearch } from './people/catalog.ts';
import { aimAtEdges } from './people/edges.ts';
import { type Journal, newJournal, remember } from './people/journal.ts';
import { register } from './people/merchant.ts';
import { payWhatIsLeft } from './people/night-shopper.ts';
import { NightWatch } from './people/night-watch.ts';
import { cleanUp } from './people/operator.ts';
import type { Play, Stage, Tenant } from './people/person.ts';
import { askForErasures } from './people/privacy-officer.ts';
import { readAll } from './people/reader.ts';
import { currencyOf, furnish } from './people/storefront.ts';
import { calendarOf } from './scheduler/calendar.ts';
import { calm, FaultSource, type Level, levels } from './scheduler/faults.ts';
import { takeGlobals } from './scheduler/globals.ts';
import type { World } from './scheduler/process.ts';
import { createScheduler, NeverEnds } from './scheduler/scheduler.ts';
import { openRegion, type Region } from './world/region.ts';
import { noting } from './world/traffic.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly level: Level;
  /** Names of actions that this replay leaves out. */
  readonly leftOut?: ReadonlySet<string>;
  /** Names of the faults that may happen; all by default. */
  readonly onlyFaults?: ReadonlySet<string> | undefined;
  /** Receives the lines of the trace. */
  readonly write?: ((line: string) => void) | undefined;
}

/** The result of a scenario: its actions, faults and counts, and the first broken invariant. */
export interface Played {
  readonly faults: FaultSource;
  /** Names and numbers of people's actions, in order. */
  readonly actions: readonly string[];
  readonly virtualMs: number;
  /** Number of checks of each invariant, by its name. */
  readonly checked: ReadonlyMap<string, number>;
  /** Other counts, by name: how many things the invariants checked. */
  readonly figures: Readonly<Record<string, number>>;
  readonly breach: { readonly invariant: string; readonly sentences: readonly string[] } | undefined;
}

const limits = { virtualMs: 96 * 3_600_000, events: 200_000 };
const tenants = 2;
const lookEveryMs = 600_000;
/**
 * The retry schedule takes 26.5 hours. A sweep finds what is lost at each step. A record is 20
 * hours old before Lambda gives it up.
 */
const restWithinMs = 60 * 3_600_000;

const open = async (region: Region, journal: Journal, number: number): Promise<Tenant> => {
  const { scheduler } = region.world;
  const now = new Date(scheduler.now()).toISOString();
  const account = `acct_${String(number).padStart(26, '0')}`;
  const random = scheduler.stream(account);
  const currency = currencyOf(scheduler.stream(`currency of ${account}`));
  const { store } = region;
  const accountRecord: Account = {
    ...{ id: account, name: `Bakery ${number}`, region: 'us', plan: 'business', status: 'active', currency },
    ...{ order_limit: null, timezone: calendarOf(scheduler.stream('calendar')).timezone, created_at: now, updated_at: now },
  };
  const keys = (['Server', 'Script', 'Storefront'] as const).map((name, i) =>
    apiKeyOf({ account, name, type: name === 'Storefront' ? 'publishable' : 'secret', number: 10 * number + i, now }, random),
  );
  await store.commit([store.accounts.createWrite(accountRecord), ...keys.flatMap(({ key }) => store.apiKeys.createWrites(key))]);
  const known = { begunMs: scheduler.now(), endedMs: scheduler.now(), acknowledged: true };
  const { name, plan, status, timezone } = accountRecord;
  remember(journal, { account, subject: account }, { name, plan, status, currency, timezone }, known);
  for (const { key, value } of keys) {
    const { id, name, scopes } = key;
    remember(journal, { account, subject: id }, { scopes, revoked: false, name }, known);
    journal.keys.set(value, { id, account });
  }
  const [key = '', otherKey = '', publicKey = ''] = keys.map(({ value }) => value);
  return { account, key, otherKey, endpoints: [], currency, shop: await furnish(region, { account, number, currency, publicKey }) };
};

/**
 * Whether no work is left. Without an operator, work is left in what the service itself reads: not
 * in dead letters, nor in a pending delivery that no sweep finds.
 */
const isAtRest = ({ pipeline: { stream, queues, schedules }, page, engine, isAttended }: Region): boolean => {
  const working = isAttended ? Object.values(queues) : [queues.delivery, queues.search];
  if (!stream.isRead || schedules.size > 0 || page.stripe.waiting > 0 || working.some(({ size }) => size > 0)) return false;
  for (const item of engine.table('simulated').items()) {
    const isPending = String(item['pk']).startsWith('dlv#') && (item['view'] as { readonly status: string }).status === 'pending';
    if (isPending && (isAttended || item['pk1'] !== undefined)) return false;
  }
  return true;
};

/** Returns the violation of a scenario that did not reach its invariants. */
const unfinished = (error: unknown, notUnderstood: readonly string[]): Played['breach'] => {
  if (notUnderstood.length > 0) return { invariant: nameOf(understood), sentences: notUnderstood };
  if (error instanceof NeverEnds) return { invariant: scenarioEnds, sentences: [error.message] };
  return { invariant: scenarioEnds, sentences: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
};

/** Checks the invariants of a play, in their order, and counts them. Returns the first violation. */
const firstBreach = async (evidence: Evidence, play: Play, checked: Map<string, number>): Promise<Played['breach']> => {
  for (const invariant of invariants) {
    if (invariant.only?.includes(play) === false) continue;
    const name = nameOf(invariant);
    checked.set(name, (checked.get(name) ?? 0) + 1);
    const sentences = await invariant.breaches(evidence);
    if (sentences.length > 0) return { invariant: name, sentences };
  }
  return undefined;
};

/**
 * Plays one scenario from its seed. People act while faults happen. Then the scenario runs without
 * faults until no work is left, and checks the invariants.
 */
export const play = async ({ seed, level, leftOut, onlyFaults, write }: ScenarioOptions): Promise<Played> => {
  const scheduler = createScheduler(seed, limits, write);
  const startMs = scheduler.now();
  const restore = takeGlobals(scheduler);
  const faults = new FaultSource(onlyFaults, (fault, name) => scheduler.note('fault', `${fault}: ${name}`));
  const world: World = { scheduler, faults, notUnderstood: [] };
  const checked = new Map<string, number>();
  const journal = newJournal(leftOut);
  const region = noting(openRegion(world), journal.traffic);
  const work = async (): Promise<Played['breach']> => {
    const play = choosePlay(scheduler);
    const stages: Stage[] = [];
    for (let number = 1; number <= tenants; number++)
      stages.push({ region, journal, play, tenant: await open(region, journal, number), number });
    await Promise.all(stages.map(openSearch));
    await Promise.all(stages.map((stage) => register(stage, `shop-${stage.number}`, scheduler.stream(`opening of ${stage.number}`))));
    faults.level = levels[level];
    faults.drawOutages(scheduler.now(), scheduler.stream('outages'));
    await Promise.all(stages.flatMap((stage) => peopleOf(play, stage).map((act) => act(stage))));
    scheduler.note('scenario', 'ends; no more faults');
    faults.level = calm;
    region.pipeline.sweeps.slowDown();
    const quietSinceMs = scheduler.now();
    await scheduler.sleep(60_000);
    await Promise.all(stages.map(readAll));
    if (play !== 'office') await Promise.all(stages.map(payWhatIsLeft));
    if (play === 'shop') await Promise.all(stages.map(aimAtEdges));
    const watches = stages.map((stage) => new NightWatch(stage));
    const rest = async (): Promise<void> => {
      do {
        await scheduler.sleep(lookEveryMs);
        for (const watch of watches) await watch.round();
        await cleanUp(region, `clean-up-${scheduler.now()}`);
      } while (!isAtRest(region) && scheduler.now() - quietSinceMs < restWithinMs);
    };
    await rest();
    const requested = await Promise.all(stages.map(askForErasures));
    // An erasure emits events.
    if (requested.some(Boolean)) await rest();
    region.pipeline.sweeps.stop();
    for (const stage of stages) await auditAtLast(stage);
    const served = stages.map(({ tenant }) => tenant);
    const evidence = { region, journal, accounts: served.map(({ account }) => account), tenants: served };
    return firstBreach(evidence, play, checked);
  };
  try {
    const breach = await scheduler.run(work()).catch((error: unknown) => unfinished(error, world.notUnderstood));
    const { ends, killed, failed } = uncountedEnds({ region, journal, accounts: [], tenants: [] });
    const figures = {
      'changes of the table': region.engine.table('simulated').changes.length,
      'attempts at receivers': region.receivers.attempts.length,
      'ends of attempts': ends,
      'ends in no count, of invocations that were killed': killed,
      'ends in no count, which failed for good': failed,
    };
    return { faults, actions: journal.actions, virtualMs: scheduler.now() - startMs, checked, figures, breach };
  } finally {
    restore();
  }
};
