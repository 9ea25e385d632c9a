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

describe('payment.refund', () => {
  test.each(['its order', 'the account, without an order'])(
    'payment.refund rounds to whole units if the currency of %s has no smaller unit',
    async (of) => {
      const yen = await dashboard.openAccount({ currency: of === 'its order' ? 'USD' : 'JPY' });
      const order_id = of === 'its order' ? (await writeOrder(dashboard.services, yen, { currency: 'JPY' })).id : null;
      const { id } = await dashboard.act('payment.create', yen, { ...least, order_id });
      expect(await dashboard.act('payment.refund', yen, { id, amount: 1.5 })).toMatchObject({ amount: 2, total_amount: 2 });
      expect((await dashboard.services.store.payments.get(yen, id))?.record.refunded_amount).toBe(2);
    },
  );

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

  test('payment.refund is not lost if the status changes at the same time', async () => {
    const { id } = await create();
    await Promise.all([
      ...[1, 2, 3].map((amount) => dashboard.act('payment.refund', account, { id, amount })),
      ...['approved', 'completed', 'approved'].map((status) => dashboard.act('payment.set_status', account, { id, status })),
    ]);
    expect(await stored(id)).toMatchObject({ revision: 4, record: { refunded_amount: 6 } });
  });

  test.each([[0], [-1], ['5'], [undefined]])('payment.refund rejects the amount %j', async (amount) => {
    const { id } = await create();
    expect(await dashboard.errorOf('payment.refund', account, { id, amount })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      field: 'amount',
    });
  });
});
