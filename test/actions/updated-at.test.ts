import { expect, test } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { kindOf, readyCalls } from './every-action.ts';

const hourMs = 3_600_000;

const dashboard = shared(startDashboard);
const receiver = shared(startReceiver);

/** Returns the `updated_at` of the account's records, by record key. */
const times = async (account: string): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  for (const item of (await dashboard.engine.items(dashboard.tables.tableName)) as Record<string, any>[]) {
    const time = item['view']?.updated_at ?? item['data']?.updated_at ?? item['updated_at'];
    if (time && JSON.stringify(item).includes(account)) found.set(`${item['pk']} ${item['sk']}`, time);
  }
  return found;
};

test.each(Object.keys(readyCalls).filter((name) => kindOf(name) !== 'read'))(
  "%s never moves updated_at back, even if the function's clock is an hour behind",
  async (name) => {
    const { account, input } = (await readyCalls[name]?.({ dashboard, receiver })) ?? {};
    const before = account === undefined ? new Map<string, string>() : await times(account);
    dashboard.clock.advance(-hourMs);
    await dashboard.call({ action: name, input, ...(account === undefined ? {} : { account }) });
    dashboard.clock.advance(hourMs);
    const after = account === undefined ? before : await times(account);
    const movedBack = [...before].filter(([key, time]) => (after.get(key) ?? time) < time);
    expect(movedBack).toEqual([]);
  },
);

test('a fee with an earlier time than the stored one adds its amount and keeps updated_at', async () => {
  const { store } = dashboard.services;
  const account = await dashboard.openAccount();
  const fee = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, date: '2026-03-05' };
  await dashboard.act('gateway_fee.record', account, fee);
  const first = await store.expenses.get(account, 'gateway_fees_2026-03-05');
  const at = (i: number): string => `2026-03-10T10:00:0${i}.000Z`;
  for (const i of [9, 3]) {
    const line = { ...fee, transaction_id: `t${i}` };
    const book = (recorded = first?.record) =>
      store.commit(store.gatewayFees.bookWrites(account, recorded, { line, day: fee.date, currency: 'USD', at: at(i) }));
    if (i === 9) await book();
    else {
      await expect(book()).rejects.toMatchObject({ name: expect.any(String) });
      await book((await store.expenses.get(account, 'gateway_fees_2026-03-05'))?.record);
    }
  }
  const after = await store.expenses.get(account, 'gateway_fees_2026-03-05');
  expect(after?.record).toMatchObject({ updated_at: at(9), amount: 3, transaction_count: 3 });
});
