import type { Order } from '../../../shared/domain/order/fields.ts';
import { decodeRecord } from '../../../shared/table/records.ts';
import { act } from './dashboard.ts';
import { attempt } from './integrator.ts';
import type { Intent } from './journal.ts';
import { payOpen } from './night-shopper.ts';
import type { Stage } from './person.ts';
import { shopperOf } from './shopper.ts';

/** Longer than any request, so that an order belongs to one side of a new limit. */
const restMs = 60_000;
const nearMonthEndMs = 1_800_000;

/**
 * A bookkeeper and a program that make the last order below the limit and one more: alone, two at once
 * for one place, after a deletion, and after a paid session that passed the limit.
 */
export const aimAtOrderLimit = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const name = `exact-orders-${number}`;
  const random = scheduler.stream(name);
  if (!random.chance(0.5)) return;
  const atMs = scheduler.now();
  const nextMonthMs = Date.UTC(new Date(atMs).getUTCFullYear(), new Date(atMs).getUTCMonth() + 1, 1);
  if (nextMonthMs - atMs < nearMonthEndMs) await scheduler.sleep(nextMonthMs - atMs + restMs);

  let calls = 0;
  const update = async (changes: object): Promise<void> => {
    calls += 1;
    await act(region, name, { action: 'account.update', account, input: { id: account, ...changes }, token: `${name}-${calls}` }, random);
  };
  /** Returns the ids of the month's orders, including deleted ones. */
  const orders = (): readonly string[] => {
    const month = new Date(scheduler.now()).toISOString().slice(0, 7);
    return [...region.engine.table('simulated').items()].flatMap((item) => {
      if (item['pk'] !== `ord#${account}` || !String(item['sk']).startsWith('ord_')) return [];
      const { id, created_at } = decodeRecord<Order>({ ...item }).record;
      return created_at.startsWith(month) ? [id] : [];
    });
  };
  const order = async (marker: string): Promise<void> => {
    const body = { items: [{ name: 'Cake', quantity: 1, unit_price: 5 }], notes: `${name}-${marker}` };
    const intent: Intent = { kind: 'order', account, marker: `${name}-${marker}`, idempotencyKey: undefined, body, tries: [] };
    journal.intents.push(intent);
    await attempt(stage, name, intent);
  };

  await update({ plan: 'business', status: 'active', currency: tenant.currency, order_limit: null });
  await scheduler.sleep(restMs);
  const { openSession } = shopperOf(stage, `${name}-shopper`);
  const session = await openSession(random, `${name}-session`);
  await update({ order_limit: orders().length + 3 });
  await order('first');
  await Promise.all([order('left'), order('right'), order('one more')]);
  await order('above');
  await openSession(random, `${name}-beyond`);
  const [some] = orders();
  if (some !== undefined) {
    journal.touched.add(some);
    await act(region, name, { action: 'order.delete', account, input: { id: some }, token: `${name}-delete` }, random);
    await order('after a deletion');
  }
  if (session !== undefined) await payOpen(stage, session, random);
  // The paid session has taken the place, if it is an order by now.
  await update({ order_limit: orders().length });
  await order('after a sale');
  await update({ order_limit: orders().length + 1 });
  await order('last');
  await order('end');
  await update({ order_limit: random.chance(0.5) ? null : orders().length + 5 });
};
