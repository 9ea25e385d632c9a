import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { writeFees } from '../support/fees.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 30 (docs/guarantees.md)

const dashboard = shared(startDashboard);

const expenses = () => dashboard.services.store.expenses;

describe('gateway_fee.record', () => {
  const fee = { order_id: 'ord_1', order_label: '#1001', gateway: 'stripe', amount: 0.1, date: '2026-03-05' };
  test('gateway_fee.record books each of several simultaneous fees on the UTC day of its time', async () => {
    const owner = await dashboard.openAccount();
    const dates = ['2026-03-05', '2026-03-05T23:59:59Z', '2026-03-05', '2026-03-05'];
    await Promise.all(dates.map((date) => dashboard.act('gateway_fee.record', owner, { ...fee, date })));
    const next = await dashboard.act('gateway_fee.record', owner, { ...fee, date: '2026-03-06' });
    expect(next).toMatchObject({ id: 'gateway_fees_2026-03-06', amount: 0.1, metadata: { transaction_count: 1 } });
    expect((await expenses().get(owner, 'gateway_fees_2026-03-05'))?.record).toMatchObject({ amount: 0.4, transaction_count: 4 });
  });

  test('gateway_fee.record counts a transaction once, however often and for whatever day it is sent', async () => {
    const owner = await dashboard.openAccount();
    const again = { ...fee, transaction_id: 'pay_1' };
    const days = ['2026-03-05', '2026-03-05', '2026-03-09'];
    const shown = await Promise.all(days.map((date) => dashboard.act('gateway_fee.record', owner, { ...again, date })));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1);
    expect(await expenses().get(owner, shown[0]?.['id'])).toMatchObject({ revision: 1, record: { amount: 0.1 } });
  });

  const recordAfter = async (count: number, overrides: object): Promise<Record<string, any>> => {
    const owner = await dashboard.openAccount();
    const before = Array.from({ length: count }, (_, i) => ({ ...fee, ...overrides, transaction_id: `pi_${i}` }));
    await writeFees({ store: dashboard.services.store, clock: dashboard.clock }, owner, before, { day: fee.date });
    const response = await dashboard.call({
      action: 'gateway_fee.record',
      account: owner,
      input: { ...fee, ...overrides },
      token: randomUUID(),
    });
    return response.ok ? (response.result as object) : response.body;
  };

  test('gateway_fee.record returns the lines of a day up to 100', async () => {
    const hundredth = await recordAfter(99, {});
    expect([hundredth['amount'], hundredth['line_items'].length]).toEqual([10, 100]);
    const next = await recordAfter(100, {});
    expect(next).toMatchObject({ id: 'gateway_fees_2026-03-05', amount: 10.1 });
    expect(next).not.toHaveProperty('line_items');
  });

  test('gateway_fee.record returns no lines if they would exceed the size of a stored response', async () => {
    const long = '\u0001'.repeat(255);
    const next = await recordAfter(95, { order_id: long, order_label: long, gateway: long });
    expect(next).toMatchObject({ id: 'gateway_fees_2026-03-05', amount: 9.6 });
    expect(next).not.toHaveProperty('line_items');
  });

  test('gateway_fee.record fails if the account has no currency', async () => {
    const poor = await dashboard.openAccount({ currency: null });
    expect(await dashboard.errorOf('gateway_fee.record', poor, fee)).toMatchObject({ status: 409, code: 'conflict' });
  });
});
