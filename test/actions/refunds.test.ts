import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const least = { amount: 40, method: 'card', status: 'completed' };
const isoNow = () => new Date(dashboard.clock.now()).toISOString();
const create = (input: object = {}) => dashboard.act('payment.create', account, { ...least, ...input });
const stored = (id: string) => dashboard.services.store.payments.get(account, id);

describe('a refund in a currency without a smaller unit', () => {
  const inYen = async () => {
    const order = await writeOrder(dashboard.services, account, { currency: 'JPY' });
    return (await create({ order_id: order.id, amount: 1256 }))['id'];
  };
  const refund = (id: string, amount: number) => dashboard.act('payment.refund', account, { id, amount });

  test('a refund in a currency without a smaller unit is rounded to whole units', async () => {
    const id = await inYen();
    expect(await refund(id, 100.5)).toMatchObject({ amount: 101, total_amount: 101 });
    expect((await stored(id))?.record.refunded_amount).toBe(101);
    expect(await dashboard.errorOf('payment.refund', account, { id, amount: 0.4 })).toMatchObject({ status: 400, field: 'amount' });
    expect(await dashboard.errorOf('payment.refund', account, { id, amount: 1155.5 })).toMatchObject({ status: 400, field: 'amount' });
  });

  test("a refund in a currency without a smaller unit uses the account's currency if the payment has no order", async () => {
    const yen = await dashboard.openAccount({ currency: 'JPY' });
    const { id } = await dashboard.act('payment.create', yen, least);
    expect(await dashboard.act('payment.refund', yen, { id, amount: 1.5 })).toMatchObject({ amount: 2 });
  });
});

describe('payment.refund', () => {
  test('payment.refund creates a separate record, and emits no event of the original', async () => {
    const original = await create({ tip_amount: 2, fee_amount: 1, gateway: { provider: 'stripe', transaction_id: 'ch_1' } });
    dashboard.clock.advance(1_000);
    const refund = await dashboard.act('payment.refund', account, { id: original['id'], amount: 10.1, description: 'stale' });
    expect(refund).toEqual({
      ...original,
      id: expect.stringMatching(/^pay_/),
      amount: 10.1,
      tip_amount: 0,
      total_amount: 10.1,
      fee_amount: 0,
      net_amount: 10.1,
      type: 'refund',
      gateway: { provider: 'stripe', transaction_id: null },
      original_payment_id: original['id'],
      description: 'stale',
      created_at: isoNow(),
      completed_at: isoNow(),
    });
    expect(refund['id']).not.toBe(original['id']);
    expect(await stored(original['id'])).toMatchObject({
      revision: 1,
      record: { refunded_amount: 10.1, status: 'completed', previous_status: null, updated_at: original['created_at'] },
    });
  });

  test('payment.refund never refunds more than was paid if called many times at once', async () => {
    const order = await writeOrder(dashboard.services, account);
    const { id } = await create({ amount: 50, order_id: order.id });
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => dashboard.call({ action: 'payment.refund', account, input: { id, amount: 10 } })),
    );
    expect(responses.filter((response) => response.ok)).toHaveLength(5);
    expect((await stored(id))?.record.refunded_amount).toBe(50);
    const refunds = (await dashboard.services.store.payments.ofOrder(account, order.id)).filter(({ type }) => type === 'refund');
    expect(refunds).toHaveLength(5);
  });

  test('payment.refund is not lost if the status changes at the same time', async () => {
    const { id } = await create();
    await Promise.all([
      ...[1, 2, 3].map((amount) => dashboard.act('payment.refund', account, { id, amount })),
      ...['approved', 'completed', 'approved'].map((status) => dashboard.act('payment.set_status', account, { id, status })),
    ]);
    expect(await stored(id)).toMatchObject({ revision: 4, record: { refunded_amount: 6 } });
  });

  test.each([[0], [-1], ['5'], [undefined], [40.01]])('payment.refund rejects the amount %j', async (amount) => {
    const { id } = await create();
    expect(await dashboard.errorOf('payment.refund', account, { id, amount })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      field: 'amount',
    });
  });

  test('payment.refund creates a refund that no action can change', async () => {
    const { id } = await create();
    const refund = await dashboard.act('payment.refund', account, { id, amount: 1 });
    for (const [action, input] of [
      ['payment.set_status', { status: 'failed' }],
      ['payment.void', {}],
      ['payment.correct_amount', { amount: 2 }],
      ['payment.refund', { amount: 1 }],
    ] as const)
      expect(await dashboard.errorOf(action, account, { id: refund['id'], ...input })).toMatchObject({ status: 409, code: 'conflict' });
  });
});
