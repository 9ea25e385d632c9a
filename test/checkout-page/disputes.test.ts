import { describe, expect, test } from '@jest/globals';
import type { Dispute, Order } from '../../shared/domain/order/fields.ts';
import { withDispute } from '../../shared/domain/order/rules.ts';
import { useRefunds } from './refunding.ts';

const own = useRefunds();
const { t, notify, order } = own;

describe('a dispute', () => {
  const report = (id: string, status: string, type = 'updated') =>
    notify(`charge.dispute.${type}`, t.stripe.dispute(own.paid.gateway.transaction_id, id, status));
  const paymentStatus = async () => (await order()).payment_status;

  test.each([
    ['is open', ['needs_response'], 'disputed'],
    ['is under review', ['needs_response', 'under_review'], 'disputed'],
    ['was lost', ['needs_response', 'lost'], 'chargebacked'],
    ['was won', ['needs_response', 'under_review', 'won'], 'paid'],
    ['is an inquiry', ['warning_needs_response', 'warning_under_review', 'warning_closed'], 'paid'],
    ['began as an inquiry', ['warning_needs_response', 'needs_response'], 'disputed'],
  ])('a dispute that %s makes the order %j → %s', async (_, statuses, expected) => {
    for (const status of statuses) expect(await report('dp_1', status)).toBe(200);
    expect(await paymentStatus()).toBe(expected);
    expect((await order()).payments).toHaveLength(1);
  });

  test('a dispute that was lost stays so if an earlier notice arrives late', async () => {
    const opened = { ...t.stripe.dispute(own.paid.gateway.transaction_id, 'dp_1', 'needs_response') };
    await report('dp_1', 'lost', 'closed');
    expect(await notify('charge.dispute.created', opened)).toBe(200);
    expect(await paymentStatus()).toBe('chargebacked');
  });

  test('a dispute that overlaps another one is disputed until both have ended', async () => {
    await report('dp_1', 'needs_response');
    await report('dp_2', 'needs_response');
    await report('dp_1', 'won');
    expect(await paymentStatus()).toBe('disputed');
    await report('dp_2', 'won');
    expect(await paymentStatus()).toBe('paid');
  });

  test('a dispute rejects another payment status by the dashboard', async () => {
    await report('dp_1', 'needs_response');
    expect(await t.service.errorOf('order.update', own.account, { id: own.paid.order_id, payment_status: 'paid' })).toMatchObject({
      status: 409,
      field: 'payment_status',
    });
  });
});

test('a reading of an open dispute that arrives after its decision changes nothing', () => {
  const reported = (status: Dispute['status'], reported_ms: number) => ({ id: 'dp_1', status, reported_ms });
  for (const decided of ['won', 'lost'] as const) {
    const order = withDispute({ disputes: [] } as unknown as Order, reported(decided, 150));
    expect(withDispute(order, reported('open', 500))).toBe(order);
  }
});
