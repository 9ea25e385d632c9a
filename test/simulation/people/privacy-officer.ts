import type { Random } from '../scheduler/random.ts';
import { type ErasureAction, knownCustomers } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { marker } from './person-data.ts';
import { type Call, callAction, changeRecord } from './record-changes.ts';

const mostCalls = 30;
/**
 * The most time for a request that was admitted before a closing: 29 s, a minute for a worker, and
 * late calls.
 */
const stragglersMs = 180_000;

/** Repeats an erasure until it is complete. Returns whether it is. */
const insist = async (stage: Stage, call: Call, random: Random): Promise<boolean> => {
  for (let calls = 1; calls <= mostCalls; calls++) {
    const outcome = await callAction(stage, call, random);
    if (outcome.kind === 'refused') return false;
    if (outcome.kind === 'done' && outcome.result['erased'] === true) return true;
    await stage.region.world.scheduler.sleep(random.below(20_000));
  }
  return false;
};

/** Erases a customer. A repeated erasure continues, or reports that it is complete. */
export const forget = async (stage: Stage, name: string, customer: string, random: Random): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { scheduler } = region.world;
  const known = journal.erasures.find((one) => one.customer === customer);
  const action: ErasureAction = known ?? { account: tenant.account, customer, begunMs: scheduler.now(), doneMs: undefined };
  if (!known) journal.erasures.push(action);
  if (await insist(stage, { name, action: 'customer.erase', input: { id: customer } }, random)) action.doneMs ??= scheduler.now();
};

/**
 * A privacy officer, who erases, exports, closes and reopens people and accounts, and changes plans
 * and currencies.
 */
export const guardPrivacy = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const name = `privacy-${number}`;
  const endsTheAccount = scheduler.stream(`whether ${name} ends the account`).chance(0.2);

  /** Returns all customers of the account, also those of paid sessions. */
  const stored = (): readonly string[] => region.engine.table('simulated').partition(`cus#${account}`)?.order ?? [];

  const eraseCustomer = async (by: string, random: Random): Promise<void> => {
    const customers = stage.play === 'mixed' ? stored() : knownCustomers(journal, account);
    if (customers.length === 0) return;
    const customer = random.pick(random.chance(0.5) ? customers.slice(-1) : customers);
    // A request of the person may still run during the erasure.
    if (random.chance(0.5)) {
      const fields = { company: marker(by, 'company') };
      const call = {
        name,
        action: 'customer.update',
        subject: customer,
        fields,
        input: { id: customer, ...fields },
        token: `${by}-last`,
      };
      await changeRecord(stage, call, random);
    }
    await forget(stage, name, customer, random);
  };
  const set = (fields: Readonly<Record<string, unknown>>, token: string, random: Random) =>
    changeRecord(stage, { name, action: 'account.update', subject: account, fields, input: fields, token }, random);
  const eraseAccount = async (random: Random): Promise<void> => {
    const action: ErasureAction = { account, begunMs: scheduler.now(), doneMs: undefined };
    journal.erasures.push(action);
    // Another call runs at the same time.
    const meanwhile = random.chance(0.5)
      ? set({ name: marker(name, 'account') }, `${name}-rename`, scheduler.stream(`${name} renames`))
      : undefined;
    const [isErased] = await Promise.all([insist(stage, { name, action: 'account.erase', input: {} }, random), meanwhile]);
    if (!isErased) return;
    await scheduler.sleep(stragglersMs);
    if (await insist(stage, { name, action: 'account.erase', input: { confirm: account } }, random)) action.doneMs = scheduler.now();
  };
  const exportAll = async (random: Random): Promise<void> => {
    const begunMs = scheduler.now();
    const pages: Readonly<Record<string, unknown>>[] = [];
    let cursor: unknown = null;
    do {
      const outcome = await callAction(stage, { name, action: 'account.export', input: { cursor } }, random);
      if (outcome.kind !== 'done') return;
      pages.push(outcome.result);
      cursor = outcome.result['next_cursor'];
    } while (pages.at(-1)?.['has_more'] === true);
    journal.exports.push({ account, pages, begunMs, endedMs: scheduler.now() });
  };
  /** Changes the account for a while. */
  const interrupt = async (
    away: Readonly<Record<string, unknown>>,
    back: Readonly<Record<string, unknown>>,
    by: string,
    random: Random,
  ) => {
    await set(away, `${by}-away`, random);
    // Shoppers return to a closed shop after minutes.
    await scheduler.sleep(random.chance(0.5) ? random.below(stage.play === 'mixed' ? 1_800_000 : 30_000) : random.below(600_000));
    for (let tries = 1; tries <= mostCalls; tries++) if ((await set(back, `${by}-back-${tries}`, random)).kind !== 'unknown') return;
  };

  const actions: Readonly<Record<string, (by: string, random: Random) => Promise<unknown>>> = {
    eraseCustomer,
    exportAll: (_, random) => exportAll(random),
    close: (by, random) =>
      interrupt({ status: random.pick(['closed', 'closed', 'suspended']) }, { status: random.pick(['active', 'grace']) }, by, random),
    downgrade: (by, random) => interrupt({ plan: 'starter' }, { plan: 'business' }, by, random),
    trade: (by, random) => set({ currency: random.pick(['USD', 'EUR', 'JPY']) }, by, random),
  };
  const weights =
    stage.play === 'mixed'
      ? { eraseCustomer: 8, exportAll: 1, close: 3, downgrade: 0.5, trade: 3 }
      : { eraseCustomer: 6, exportAll: 2, close: 1, downgrade: 0.5, trade: 1 };

  await atWork(stage, {
    name,
    actions: (stage.play === 'mixed' ? 5 : 3) + scheduler.stream(name).below(3),
    // Customers must exist before they can be erased.
    pauseMs: (random) => 10_000 + (random.chance(0.3) ? random.below(1_800_000) : random.below(60_000)),
    async act(random, action) {
      await actions[random.weighted<string>(weights)]?.(`${name}-${action}`, random);
    },
  });
  if (endsTheAccount)
    await atWork(stage, {
      name: `${name}-last`,
      actions: 1,
      pauseMs: (random) => random.below(600_000),
      act: (random) => eraseAccount(random),
    });
};

/**
 * Asks about each erasure that had not ended, after the sweeps have continued it. Returns whether
 * there was one.
 */
export const askForErasures = async (stage: Stage): Promise<boolean> => {
  let isRequested = false;
  const { region, journal, tenant, number } = stage;
  const { scheduler } = region.world;
  const name = `night-privacy-${number}`;
  for (const action of journal.erasures) {
    const { account, customer, doneMs } = action;
    if (account !== tenant.account || doneMs !== undefined) continue;
    isRequested = true;
    const call = customer === undefined ? { action: 'account.erase', input: {} } : { action: 'customer.erase', input: { id: customer } };
    const outcome = await callAction(stage, { name, ...call }, scheduler.stream(`${name} ${customer}`));
    if (outcome.kind === 'done' && outcome.result['erased'] === true) action.doneMs = scheduler.now();
  }
  return isRequested;
};
