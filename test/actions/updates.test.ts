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
  /** Invalid fields, each with the field that the error names. */
  readonly rejected: readonly (readonly [field: string, input: Fields])[];
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
    rejected: [
      ['plan', { plan: null }],
      ['status', { status: 'gone' }],
      ['currency', { currency: 'U$' }],
      ['order_limit', { order_limit: Number.MAX_VALUE }],
      ['id', { id: 7 }],
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
    rejected: [
      ['email', { email: 'nobody' }],
      ['email', { email: null, last_name: null, phone: '' }],
      ['first_name', { first_name: 7 }],
      ['is_blacklisted', { is_blacklisted: null }],
      ['is_blacklisted', { is_blacklisted: 'yes' }],
      ['tags.0', { tags: ['x'.repeat(65)] }],
      ['tags', { tags: 'vip' }],
      ['metadata.a', { metadata: { a: 1 } }],
    ],
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
    rejected: [
      ['amount', { amount: 0 }],
      ['tags', { tags: 'weekly' }],
      ['id', { id: undefined }],
    ],
  },
  'quick_sale.update': {
    create: createWith('quick_sale.create', { items: [{ name: 'Roll', quantity: 3, unit_price: 2 }], location: 'Square', gross_cost: 2 }),
    changes: { gross_cost: 3, location: null },
    shown: { net_amount: 3 },
    simultaneous: [{ location: 'Hall' }, { description: 'Fair' }, { event_name: 'Spring' }, { payment_method: 'cash' }],
    rejected: [
      ['gross_cost', { gross_cost: -1 }],
      ['items_count', { items_count: 2 }],
    ],
  },
  'order.update': {
    create: async () => {
      const customer = await writeCustomer(dashboard.services, account, { total_orders: 3, total_spent: 100.2 });
      return (await writeOrder(dashboard.services, account, { notes: 'n', metadata: { a: 'b' } }, customer)).id;
    },
    changes: { payment_status: 'paid', metadata: { c: 'd' }, ...delivery },
    simultaneous: [{ tax: 1 }, { discount: 2 }, { delivery_fee: 3.3 }, { notes: 'n' }, { external_id: 'x' }, { status: 'ready' }],
    rejected: [
      ['items', { items: [] }],
      ['items.0.quantity', { items: [{ name: 'Roll', unit_price: 1, quantity: 0 }] }],
      ['items.0.name', { items: [{ unit_price: 1, quantity: 1 }] }],
      ['items.0.unit_price', { items: [{ name: 'Roll', quantity: 1 }] }],
      ['discount', { discount: 40.01 }],
      ['tax', { tax: -1 }],
      ['status', { status: null }],
      ['payment_status', { payment_status: 'unpaid' }],
      ['delivery_type', { delivery_type: 'drone' }],
      ['delivery_date', { delivery_date: '2026-02-29' }],
      ['delivery_time', { delivery_time: '24:00' }],
      ['metadata.a', { metadata: { a: 1 } }],
    ],
  },
};

/** Creates a record a second ago. Returns its updates; an empty one reads it. */
const open = async (action: string, { create }: Update) => {
  const id = await create();
  const own = id === undefined ? {} : { id };
  const update = (fields: Fields = {}) => dashboard.act(action, account, { ...own, ...fields });
  const before = await update();
  dashboard.clock.advance(1_000);
  return { own, update, before, now: new Date(dashboard.clock.now()).toISOString() };
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

const rejected = Object.entries(updates).flatMap(([action, row]) =>
  row.rejected.map(([field, input]) => [action, field, input, row] as const),
);
test.each(rejected)('%s rejects an invalid %s: %j, and changes nothing', async (action, field, input, row) => {
  const { own, update, before } = await open(action, row);
  const error = await dashboard.errorOf(action, account, { ...own, ...input });
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', field });
  expect(await update()).toEqual(before);
});
