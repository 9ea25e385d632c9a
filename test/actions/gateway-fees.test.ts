import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { writeFees } from '../support/fees.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 30 (docs/guarantees.md)

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const expenses = () => dashboard.services.store.expenses;

describe('gateway_fee.record', () => {
  const fee = { order_id: 'ord_1', order_label: '#1001', gateway: 'stripe', amount: 0.1, date: '2026-03-05' };

  test('gateway_fee.record creates one expense per day, with a line per fee', async () => {
    const owner = await dashboard.openAccount();
    await dashboard.act('gateway_fee.record', owner, fee);
    await dashboard.act('gateway_fee.record', owner, { ...fee, amount: 0.2, gateway: 'sandbox', date: '2026-03-05T23:59:59Z' });
    const day = await dashboard.act('gateway_fee.record', owner, { ...fee, amount: 3 });
    expect(day).toMatchObject({
      id: 'gateway_fees_2026-03-05',
      amount: 3.3,
      currency: 'USD',
      category: 'bank_fees',
      status: 'recorded',
      source: 'gateway_fee',
      editable: false,
      date: '2026-03-05T00:00:00.000Z',
      supplier: { id: null, name: 'Payment gateways' },
      payment: { method: null, status: 'deducted_at_source', due_date: null, reference: null },
      line_items: [
        { order_id: 'ord_1', order_label: '#1001', gateway: 'stripe', amount: 0.1 },
        { order_id: 'ord_1', order_label: '#1001', gateway: 'sandbox', amount: 0.2 },
        { order_id: 'ord_1', order_label: '#1001', gateway: 'stripe', amount: 3 },
      ],
      metadata: { transaction_count: 3, gateways: ['stripe', 'sandbox'] },
    });
    const next = await dashboard.act('gateway_fee.record', owner, { ...fee, date: '2026-03-06' });
    expect(next).toMatchObject({ id: 'gateway_fees_2026-03-06', amount: 0.1, metadata: { transaction_count: 1 } });
  });

  test('gateway_fee.record loses none of 20 simultaneous fees', async () => {
    const owner = await dashboard.openAccount();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => dashboard.act('gateway_fee.record', owner, { ...fee, order_id: `ord_${i}`, amount: i + 0.01 })),
    );
    const stored = await expenses().get(owner, 'gateway_fees_2026-03-05');
    expect(stored?.record.amount).toBe(190.2);
    const { lines } = await dashboard.services.store.gatewayFees.lines(owner, '2026-03-05');
    expect(new Set(lines.map((line) => line.order_id)).size).toBe(20);
    expect(stored?.revision).toBe(20);
  });

  test('gateway_fee.record counts a transaction once, however often it is sent', async () => {
    const owner = await dashboard.openAccount();
    const again = { ...fee, transaction_id: 'pay_1' };
    await Promise.all([1, 2, 3].map(() => dashboard.act('gateway_fee.record', owner, again)));
    const stored = await expenses().get(owner, 'gateway_fees_2026-03-05');
    expect(stored).toMatchObject({ revision: 1, record: { amount: 0.1 } });
  });

  test('gateway_fee.record counts a transaction once, also if it is sent for another day, and shows the day that has it', async () => {
    const owner = await dashboard.openAccount();
    const made = await dashboard.act('gateway_fee.record', owner, { ...fee, transaction_id: 'pi_1' });
    const again = { ...fee, transaction_id: 'pi_1', date: '2026-03-09', order_id: 'ord_other' };
    expect(await dashboard.act('gateway_fee.record', owner, again)).toEqual(made);
    expect(await expenses().get(owner, 'gateway_fees_2026-03-09')).toBeUndefined();
    const days = ['2026-04-01', '2026-04-02', '2026-04-03'];
    const sent = days.map((date) => dashboard.act('gateway_fee.record', owner, { ...fee, transaction_id: 'pi_2', date }));
    expect(new Set((await Promise.all(sent)).map(({ id }) => id)).size).toBe(1);
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

  test('gateway_fee.record creates an expense that cannot be edited or deleted', async () => {
    const owner = await dashboard.openAccount();
    const { id } = await dashboard.act('gateway_fee.record', owner, fee);
    for (const [action, changes] of [
      ['expense.update', { amount: 1 }],
      ['expense.delete', {}],
    ] as const)
      expect(await dashboard.errorOf(action, owner, { id, ...changes })).toMatchObject({ status: 409, code: 'conflict' });
    expect((await expenses().get(owner, id))?.record.amount).toBe(0.1);
  });

  test('gateway_fee.record fails if the day has fees in another currency, and changes nothing', async () => {
    const owner = await dashboard.openAccount({ currency: 'JPY' });
    await dashboard.act('gateway_fee.record', owner, { ...fee, amount: 29 });
    for (const currency of ['USD', 'EUR']) {
      await dashboard.act('account.update', owner, { id: owner, currency });
      expect(await dashboard.errorOf('gateway_fee.record', owner, { ...fee, amount: 0.59 })).toMatchObject({
        status: 409,
        code: 'conflict',
      });
    }
    expect(await expenses().get(owner, 'gateway_fees_2026-03-05')).toMatchObject({ revision: 1, record: { amount: 29, currency: 'JPY' } });
    expect(await dashboard.act('gateway_fee.record', owner, { ...fee, date: '2026-03-06' })).toMatchObject({
      amount: 0.1,
      currency: 'EUR',
    });
    await dashboard.act('account.update', owner, { id: owner, currency: 'JPY' });
    expect(await dashboard.act('gateway_fee.record', owner, { ...fee, amount: 1 })).toMatchObject({ amount: 30, currency: 'JPY' });
  });

  test('gateway_fee.record never adds two simultaneous fees in different currencies', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await dashboard.openAccount();
      const first = dashboard.call({ action: 'gateway_fee.record', account: owner, input: fee });
      await dashboard.act('account.update', owner, { id: owner, currency: 'EUR' });
      const responses = await Promise.all([first, dashboard.call({ action: 'gateway_fee.record', account: owner, input: fee })]);
      const stored = await expenses().get(owner, 'gateway_fees_2026-03-05');
      const booked = responses.filter(({ ok }) => ok).length;
      expect(stored?.record).toMatchObject({ amount: booked / 10, transaction_count: booked });
    }
  });

  test('gateway_fee.record fails if the account has no currency', async () => {
    const poor = await dashboard.openAccount({ currency: null });
    expect(await dashboard.errorOf('gateway_fee.record', poor, fee)).toMatchObject({ status: 409, code: 'conflict' });
  });

  test.each([
    ['order_id', { ...fee, order_id: '' }],
    ['order_label', { ...fee, order_label: undefined }],
    ['gateway', { ...fee, gateway: null }],
    ['amount', { ...fee, amount: 0.004 }],
    ['date', { ...fee, date: '2026-02-30' }],
    ['date', { ...fee, date: '0' }],
  ])('gateway_fee.record rejects an invalid %s: %j', async (field, input) => {
    expect(await dashboard.errorOf('gateway_fee.record', account, input)).toMatchObject({ status: 400, code: 'invalid_value', field });
  });
});
