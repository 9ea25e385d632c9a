import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { recordIn } from '../reading/records.ts';
import type { Random } from '../scheduler/random.ts';
import { isoDecimals } from '../world/currencies.ts';
import { act as callOnce } from './dashboard.ts';
import { atWork, type Stage } from './person.ts';
import { aftermathMs } from './record-changes.ts';

/** First part of the transaction of a fee that no checkout has. */
export const feeByHand = 'hand-';

/**
 * A clerk who keeps records by hand of what the gateway also reports: refunds that are only recorded,
 * cash for an order that was paid online, fees, voids and corrections of the gateway's payments, and an
 * order's payment status.
 */
export const clerk = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const { stripe } = region.page;
  const name = `clerk-${number}`;

  const recordsAt = <Record>(prefix: string): readonly Record[] =>
    [...region.engine.table('simulated').items()].flatMap((item) =>
      (String(item['pk']) === `${prefix}#${account}` || String(item['pk']).startsWith(`${prefix}#${account}#`)) && item['view']
        ? [recordIn<Record>(item)]
        : [],
    );
  /** Returns the payments that the gateway took for checkouts. */
  const taken = (): readonly Payment[] =>
    recordsAt<Payment>('pay').filter(({ source, type }) => source === 'checkout' && type === 'payment');
  const act = (action: string, input: object, token: string, random: Random) =>
    callOnce(region, name, { action, account, input, token }, random);

  type Deed = (payment: Payment, token: string, random: Random) => Promise<unknown>;
  const deeds: Readonly<Record<string, Deed>> = {
    /** Gives money back in Stripe's dashboard, and records it by hand before or after Stripe's notice. */
    async recordRefund({ id, gateway, order_id }, token, random) {
      const order = recordsAt<Order>('ord').find((one) => one.id === order_id);
      const intent = gateway?.transaction_id ?? '';
      const remaining = order && gateway?.provider === 'stripe' ? stripe.books.remaining(intent) : 0;
      if (!order || remaining <= 0) return;
      const isWhole = random.chance(0.6) || isoDecimals(order.currency) === 3;
      const minor = isWhole ? remaining : 1 + random.below(remaining);
      if (!stripe.refund(intent, minor)) return;
      await scheduler.sleep(random.below(random.chance(0.5) ? 60 : 5_000));
      journal.refundsByHand.set(id, (journal.refundsByHand.get(id) ?? 0) + 1);
      await act('payment.refund', { id, amount: minor / 10 ** isoDecimals(order.currency), gateway: false }, token, random);
    },
    /** Records cash for the whole of an order, which then becomes dearer or loses the payment as a slip. */
    async payInCash(_, token, random) {
      const orders = recordsAt<Order>('ord').filter(({ total, deleted_at }) => total > 0 && deleted_at === null);
      if (orders.length === 0) return;
      const { id: order_id, total: amount, delivery_fee } = random.pick(orders);
      journal.touched.add(order_id);
      const sent = { amount, tip_amount: 0, fee_amount: 0 };
      const made = await act('payment.create', { ...sent, order_id, method: 'cash', status: 'completed' }, token, random);
      if (!made?.ok) return;
      const { id } = made.result as { readonly id: string };
      journal.payments.push({ id, amount, tip: 0, fee: 0 });
      await scheduler.sleep(random.below(20_000));
      if (random.chance(0.5)) await act('order.update', { id: order_id, delivery_fee: delivery_fee + 1 }, `${token}-dearer`, random);
      if (random.chance(0.6)) await act('payment.void', { id }, `${token}-void`, random);
    },
    voidIt: ({ id }, token, random) => act('payment.void', { id }, token, random),
    setIt: ({ id }, token, random) =>
      act('payment.set_status', { id, status: random.pick(['pending', 'failed', 'refunded', 'approved']) }, token, random),
    correctIt({ id, amount, fee_amount }, token, random) {
      const changes = [{ amount, fee_amount: fee_amount + 1 }, { amount: amount + 1 }, { amount, tip_amount: 1 }, { amount, fee_amount }];
      return act('payment.correct_amount', { id, ...random.pick(changes) }, token, random);
    },
    async recordFee({ order_id, gateway }, token, random) {
      const date = new Date(scheduler.now() - random.below(2) * 86_400_000).toISOString().slice(0, 10);
      const transaction_id = random.chance(0.5) ? gateway?.transaction_id : `${feeByHand}${token}`;
      await act('gateway_fee.record', { order_id, order_label: 'Fee', gateway: 'stripe', amount: 2, date, transaction_id }, token, random);
    },
    async setStatus({ order_id }, token, random) {
      if (order_id === null) return;
      const status = random.pick(['paid', 'pending', 'partial_payment']);
      const begunMs = scheduler.now();
      const sent = { order: order_id, status, begunMs, endedMs: Number.POSITIVE_INFINITY };
      const position = journal.sentStatuses.push(sent) - 1;
      const response = await act('order.update', { id: order_id, payment_status: status }, token, random);
      journal.sentStatuses[position] = { ...sent, endedMs: scheduler.now() + (response ? 0 : aftermathMs) };
    },
    remove: async ({ order_id }, token, random) => void (await act('order.delete', { id: order_id }, token, random)),
  };
  const weights = { recordRefund: 4, payInCash: 4, voidIt: 2, setIt: 1, correctIt: 3, recordFee: 2, setStatus: 1, remove: 1 };

  await atWork(stage, {
    name,
    actions: 3 + scheduler.stream(name).below(8),
    pauseMs: (random) => random.below(random.chance(0.3) ? 1_200_000 : 90_000),
    async act(random, action) {
      const payments = taken();
      if (payments.length === 0) return;
      const payment = random.pick(payments);
      if (payment.order_id !== null) journal.touched.add(payment.order_id);
      await deeds[random.weighted<string>(weights)]?.(payment, `${name}-${action}`, random);
    },
  });
};
