import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openState, type State } from '../../local/engine/state.ts';
import { itemsIn } from '../support/engine.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { allItems, details, person, traces, tracesIn } from '../support/person.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'erasure-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const start = () => startJourney({ regions: ['us'], dataDir });

/** The tables in a state, for `allItems`. */
const storedIn = (state: State) => ({
  engine: { items: async (table: string) => itemsIn(state, table) },
  tables: { tableName: 'bakery-us', bucketsTableName: 'bakery-us-buckets' },
});

/** Returns traces of the person in the stopped service's tables, and in its queues, schedules and parked records. */
const onDisk = async () => {
  const state = await openState(dataDir);
  try {
    const rows = ['messages', 'schedules', 'parked'].flatMap((name) => state.prepare(`SELECT * FROM ${name}`).all());
    const text = JSON.stringify(rows).toLowerCase();
    const items = await allItems(storedIn(state));
    return { tables: tracesIn(items), state: traces.filter((trace) => text.includes(trace)), rows: rows.length };
  } finally {
    state.close();
  }
};

const fill = async (journey: Journey, merchant: Merchant) => {
  const [good, bad] = [journey.receiver.hook(), journey.receiver.hook(500)];
  const types = ['customer.created', 'customer.updated', 'order.created', 'order.updated', 'payment.created', 'payment.completed'];
  for (const { url } of [good, bad]) await merchant.call('POST', '/webhooks', { url, events: types });
  const { body: customer } = await merchant.call('POST', '/customers', { ...person, ...details });
  const { address: delivery_address, ...order } = details;
  const payments = [{ amount: 5, method: 'card', status: 'completed', description: 'visa-der-dame' }];
  const items = [{ name: 'Torte', quantity: 1, unit_price: 30, notes: details.notes }];
  const placed = { ...order, delivery_address, items, payments, emit_webhooks: true, customer: { id: customer.id } };
  expect((await merchant.call('POST', '/orders', placed)).status).toBe(201);
  // customer.created, order.created, payment.created and payment.completed.
  await eventually(
    () => [good.requests.length, bad.requests.length],
    ([delivered, failed]) => delivered === 4 && failed === 4,
  );
  return { customer: customer.id as string, good };
};

test('customer.erase removes a person from everything on disk, account.erase an account', async () => {
  let journey = await start();
  const merchant = await journey.merchant();
  const { customer, good } = await fill(journey, merchant);
  await journey.stop();
  const before = await onDisk();
  expect(before.tables.length).toBeGreaterThan(20);
  // Deliveries wait for their second attempt. Their messages contain only ids.
  expect([before.rows > 0, before.state]).toEqual([true, []]);

  journey = await start();
  const act = async (action: string, input: unknown) =>
    (await journey.runtime.invokeAction('us', { action, account: merchant.account, input })) as { ok: boolean; result: unknown };
  expect(await act('customer.erase', { id: customer })).toMatchObject({ ok: true, result: { erased: true } });
  const { result } = await act('account.export', {});
  expect(tracesIn([{ key: '', item: result as Record<string, unknown> }])).toEqual([]);
  await journey.stop();
  expect(await onDisk()).toMatchObject({ tables: [], state: [] });
  expect(good.requests.length).toBeGreaterThanOrEqual(4);

  journey = await start();
  expect(await act('account.erase', {})).toMatchObject({ ok: true, result: { erased: true } });
  const response = await journey.request(`${journey.runtime.urls.us}/api/v2/orders`, 'GET', { key: merchant.key });
  expect(response.status).toBe(401);
  await journey.stop();
  const state = await openState(dataDir);
  const remaining = await allItems(storedIn(state));
  // The accounts of the developers page no longer include it.
  const known = state.prepare('SELECT id FROM accounts').all();
  state.close();
  expect(known.map(({ id }) => id)).not.toContain(merchant.account);
  const ofAccount = remaining.filter(({ key }) => key.includes(merchant.account)).map(({ key }) => key);
  expect(ofAccount.sort()).toEqual([`acc#${merchant.account} account`, `era#${merchant.account} *`].sort());
});
