import { subscribableTypes } from '../../contract/specification.ts';
import type { Random } from '../scheduler/random.ts';
import { type Temperament, temperaments } from '../world/receivers.ts';
import { act as call } from './dashboard.ts';
import { disable, enable, move, registerFor, remove, rotate, test, testByAction } from './endpoint-actions.ts';
import { madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';

const oftenTypes = [
  ...['expense.created', 'expense.updated', 'order.created', 'order.status_changed', 'order.updated'],
  ...['customer.created', 'customer.updated', 'payment.created'],
];
const seldomTypes = subscribableTypes.filter((type) => !oftenTypes.includes(type));

/** Registers an endpoint with a receiver of random behavior. */
export const register = async (
  stage: Stage,
  name: string,
  random: Random,
  temperament: Temperament = random.pick(temperaments),
): Promise<void> => {
  const events = [...oftenTypes.filter(() => random.chance(0.7)), ...seldomTypes.filter(() => random.chance(0.35))];
  await registerFor(stage, name, events.length > 0 ? events : ['expense.created'], temperament);
};

/**
 * A merchant at the dashboard, who registers, changes, disables and deletes endpoints, changes
 * records, and redelivers events.
 */
export const keepShop = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, endpoints } = tenant;
  const { scheduler } = region.world;
  const name = `shop-${stage.number}`;

  const act = (action: string, input: unknown, token: string, random: Random) =>
    call(region, name, { action, account, input, token }, random);
  const anyRecord = (kind: string, random: Random): string | undefined => {
    const tries = journal.intents.filter((one) => one.account === account).flatMap((one) => one.tries);
    const known = tries.flatMap((one) => (one.kind === kind ? (madeBy(one) ?? []) : []));
    return known.length > 0 ? random.pick(known) : undefined;
  };

  const actions: Readonly<Record<string, (endpoint: string, token: string, random: Random) => Promise<unknown>>> = {
    register: (_, __, random) => register(stage, name, random),
    disable: (id) => disable(stage, name, id),
    enable: (id) => enable(stage, name, id),
    move: (id, _, random) => move(stage, name, id, random),
    rotate: (id) => rotate(stage, name, id),
    remove: (id) => remove(stage, name, id),
    async redeliver(id, token, random) {
      const { records } = await region.store.deliveries.list(account, id, undefined, { limit: 20 });
      if (records.length > 0) await act('webhook.redeliver', { endpoint_id: id, event_id: random.pick(records).id }, token, random);
    },
    // The limit is ten a minute. The service stores nothing of tests.
    test: (id, token, random) => (random.chance(0.5) ? testByAction(stage, id, token) : test(stage, name, id)),
    async redeliverFailed(id, token, random) {
      await act('webhook.redeliver_failed', { endpoint_id: id, since: '2026-03-10T00:00:00Z', limit: 1 + random.below(20) }, token, random);
    },
    /** Two people redeliver the same event at once. */
    async redeliverTwice(id, token, random) {
      const { records } = await region.store.deliveries.list(account, id, undefined, { limit: 20 });
      if (records.length === 0) return;
      const input = { endpoint_id: id, event_id: random.pick(records).id };
      await Promise.all(
        ['one', 'two'].map((caller) => act('webhook.redeliver', input, `${token}-${caller}`, scheduler.stream(`${token}-${caller}`))),
      );
    },
    async changeExpense(_, token, random) {
      const id = anyRecord('expense', random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('expense.update', { id, amount: 1 + random.below(1_000) }, token, random);
    },
    async deleteExpense(_, token, random) {
      const id = anyRecord('expense', random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('expense.delete', { id }, token, random);
    },
    async transitionOrder(_, token, random) {
      const id = anyRecord('order', random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('order.set_status', { id, status: random.pick(['confirmed', 'ready', 'cancelled']) }, token, random);
    },
  };
  const weights = {
    register: 2,
    disable: 1,
    enable: 3,
    move: 1,
    rotate: 2,
    remove: 1,
    redeliver: 3,
    redeliverTwice: 1,
    redeliverFailed: 1,
    test: 2,
    changeExpense: 4,
    deleteExpense: 1,
    transitionOrder: 3,
  };

  await atWork(stage, {
    name,
    actions: 10 + scheduler.stream(name).below(6),
    pauseMs: (random) => (random.chance(0.2) ? random.below(1_800_000) : random.below(10_000)),
    async act(random, action) {
      const endpoint = endpoints.length > 0 ? random.pick(endpoints) : undefined;
      const what = random.weighted<string>(weights);
      if (endpoint !== undefined || what === 'register') await actions[what]?.(endpoint ?? '', `${name}-token-${action}`, random);
    },
  });
};
