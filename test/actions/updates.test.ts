import { beforeEach, expect, test } from '@jest/globals';
import { isWrite } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { writeCustomer, writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
});

type Fields = Readonly<Record<string, unknown>>;
interface Update {
  /** Returns the id of a record; undefined for the account itself. */
  readonly create: () => Promise<string | undefined>;
  readonly changes: Fields;
  /** What the record shows of the changes, if it is not what was sent, and what it calculates from them. */
  readonly shown?: Fields;
  /** Changes of different fields. */
  readonly simultaneous: readonly Fields[];
}

const createWith = (action: string, fields: Fields) => async () => String((await dashboard.act(action, account, fields))['id']);
const delivery = { delivery_type: 'delivery', delivery_date: '2026-04-01', delivery_time: '10:30' };
const updates: Readonly<Record<string, Update>> = {
  'account.update': {
    create: async () => undefined,
    changes: { status: 'suspended', currency: null },
    simultaneous: [
      { plan: 'free' },
      { status: 'grace' },
      { currency: 'CAD' },
      { order_limit: 5 },
      { name: 'Crust' },
      { timezone: 'Asia/Tokyo' },
    ],
  },
  'customer.update': {
    create: async () =>
      (
        await writeCustomer(dashboard.services, account, {
          ...{ company: 'Mill', total_orders: 2, total_spent: 9.5, last_order_date: '2026-03-01T00:00:00.000Z' },
        })
      ).id,
    changes: { first_name: 'Bea', tags: ['vip'], is_blacklisted: true, marketing_email: false, notes: 'n', metadata: { a: 'b' } },
    simultaneous: [{ phone: '1' }, { notes: 'n' }, { company: 'c' }, { tags: ['t'] }, { email: 'many@example.com' }, { address: 'a' }],
  },
  'expense.update': {
    create: createWith('expense.create', {
      amount: 12.5,
      date: '2026-03-05',
      category: 'ingredients',
      tags: ['a'],
      supplier: { name: 'Mill' },
    }),
    changes: { amount: 20, status: 'approved', category: 'Rent' },
    shown: { category: 'rent' },
    simultaneous: [{ amount: 2 }, { notes: 'n' }, { subcategory: 's' }, { tags: ['t'] }, { status: 'submitted' }, { external_id: 'x' }],
  },
  'quick_sale.update': {
    create: createWith('quick_sale.create', { items: [{ name: 'Roll', quantity: 3, unit_price: 2 }], location: 'Square', gross_cost: 2 }),
    changes: { gross_cost: 3, location: null },
    shown: { net_amount: 3 },
    simultaneous: [{ location: 'Hall' }, { description: 'Fair' }, { event_name: 'Spring' }, { payment_method: 'cash' }],
  },
  'order.update': {
    create: async () => {
      const customer = await writeCustomer(dashboard.services, account, { total_orders: 3, total_spent: 100.2 });
      return (await writeOrder(dashboard.services, account, { notes: 'n', metadata: { a: 'b' } }, customer)).id;
    },
    changes: { payment_status: 'paid', metadata: { c: 'd' }, ...delivery },
    simultaneous: [{ tax: 1 }, { discount: 2 }, { delivery_fee: 3.3 }, { notes: 'n' }, { external_id: 'x' }, { status: 'ready' }],
  },
};

/** Creates a record a second ago. Returns its updates; an empty one reads it. */
const open = async (action: string, { create }: Update) => {
  const id = await create();
  const update = (fields: Fields = {}) => dashboard.act(action, account, { ...(id && { id }), ...fields });
  const before = await update();
  dashboard.clock.advance(1_000);
  return { update, before, now: new Date(dashboard.clock.now()).toISOString() };
};

test.each(Object.entries(updates))('%s changes the fields that are sent, and keeps all others', async (action, row) => {
  const { update, before, now } = await open(action, row);
  const after = await update(row.changes);
  expect(after).toEqual({ ...before, ...row.changes, ...row.shown, updated_at: now });
  expect(await update()).toEqual(after);
});

test.each(Object.entries(updates))('%s writes nothing if it gets stored values or no fields', async (action, row) => {
  const { update, before } = await open(action, row);
  dashboard.wire.reset();
  for (const names of [Object.keys(row.changes), []])
    expect(await update(Object.fromEntries(names.map((name) => [name, before[name]])))).toEqual(before);
  expect(dashboard.wire.calls.filter(isWrite)).toEqual([]);
});

test.each(Object.entries(updates))('%s loses none of many simultaneous changes', async (action, row) => {
  const { update } = await open(action, row);
  await Promise.all(row.simultaneous.map(update));
  expect(await update()).toMatchObject(Object.assign({}, ...row.simultaneous));
});
