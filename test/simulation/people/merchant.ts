import { temperaments } from '../world/receivers.ts';
import type { Region } from '../world/region.ts';
import { send, type Tenant } from './integrator.ts';
import { type Journal, madeBy } from './journal.ts';

const eventTypes = ['expense.created', 'expense.updated', 'order.created', 'order.status_changed', 'order.updated'] as const;

/** Registers an endpoint of some temperament; its id where that was acknowledged. */
export const register = async (region: Region, journal: Journal, { key }: Tenant, name: string): Promise<string | undefined> => {
  const { random, note } = region.world.scheduler;
  const url = region.receivers.open(random.pick(temperaments));
  const events = eventTypes.filter(() => random.chance(0.7));
  const body = { url, events: events.length > 0 ? events : ['expense.created'] };
  const seen = await send(region, journal, { method: 'POST', path: '/webhooks', key, body });
  note(name, `POST /webhooks ${url}: ${seen.answer?.status ?? 'no answer'}`);
  return madeBy({ body, seen });
};

/** A merchant at the dashboard: endpoints come, move, rest and go; records are changed, and deliveries started again. */
export const runShop = async (
  region: Region,
  journal: Journal,
  tenant: Tenant,
  name: string,
  actions: number,
  endpoints: string[],
): Promise<void> => {
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const { random } = scheduler;

  const patch = async (id: string, body: unknown) => {
    const { answer } = await send(region, journal, { method: 'PATCH', path: `/webhooks/${id}`, key, body });
    scheduler.note(name, `PATCH /webhooks/${id} ${JSON.stringify(body)}: ${answer?.status ?? 'no answer'}`);
  };
  const act = async (action: string, input: unknown, token: string) => {
    // The dashboard's client repeats a call whose answer was lost, with the same token.
    for (let tries = 0; tries < 3; tries++) {
      const answer = await region.action({ action, account, input, token });
      scheduler.note(name, `${action} ${JSON.stringify(input)}: ${answer ? (answer.ok ? 'done' : answer.status) : 'no answer'}`);
      if (answer && (answer.ok || answer.status < 500)) return;
      await scheduler.sleep(random.below(10_000));
    }
  };
  const anyRecord = (kind: string): string | undefined => {
    const ids = journal.intents.filter((one) => one.kind === kind && one.account === account).flatMap(({ tries }) => tries.map(madeBy));
    const known = ids.filter((id) => id !== undefined);
    return known.length > 0 ? random.pick(known) : undefined;
  };

  const deeds: Readonly<Record<string, (endpoint: string, token: string) => Promise<void>>> = {
    async register() {
      const id = await register(region, journal, tenant, name);
      if (id !== undefined) endpoints.push(id);
    },
    disable: (id) => patch(id, { enabled: false }),
    enable: (id) => patch(id, { enabled: true }),
    move: (id) => patch(id, { url: region.receivers.open(random.pick(temperaments)) }),
    async rotate(id) {
      await send(region, journal, { method: 'POST', path: `/webhooks/${id}/rotate-secret`, key });
    },
    async remove(id) {
      await send(region, journal, { method: 'DELETE', path: `/webhooks/${id}`, key });
      scheduler.note(name, `DELETE /webhooks/${id}`);
    },
    async redeliver(id, token) {
      const { records } = await region.store.deliveries.list(account, id, undefined, { limit: 20 });
      if (records.length > 0) await act('webhook.redeliver', { endpoint_id: id, event_id: random.pick(records).id }, token);
    },
    async changeExpense(_, token) {
      const id = anyRecord('expense');
      if (id === undefined) return;
      journal.touched.add(id);
      await act('expense.update', { id, amount: 1 + random.below(1_000) }, token);
    },
    async deleteExpense(_, token) {
      const id = anyRecord('expense');
      if (id === undefined) return;
      journal.touched.add(id);
      await act('expense.delete', { id }, token);
    },
    async moveOrder(_, token) {
      const id = anyRecord('order');
      if (id === undefined) return;
      journal.touched.add(id);
      await act('order.set_status', { id, status: random.pick(['confirmed', 'ready', 'cancelled']) }, token);
    },
  };
  const weights = {
    register: 2,
    disable: 1,
    enable: 3,
    move: 1,
    rotate: 1,
    remove: 1,
    redeliver: 3,
    changeExpense: 4,
    deleteExpense: 1,
    moveOrder: 3,
  };

  for (let i = 0; i < actions; i++) {
    await scheduler.sleep(random.chance(0.2) ? random.below(1_800_000) : random.below(10_000));
    journal.actions += 1;
    const endpoint = endpoints.length > 0 ? random.pick(endpoints) : undefined;
    const deed = random.weighted<string>(weights);
    if (endpoint !== undefined || deed === 'register') await deeds[deed]?.(endpoint ?? '', `${name}-token-${i}`);
  }
};
