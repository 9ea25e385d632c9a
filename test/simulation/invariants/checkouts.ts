import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { type HostedSession, paymentOf } from '../../stripe/books.ts';
import { recordIn } from '../reading/records.ts';
import { changesOf, recordsOf, valuesDuring } from './history.ts';
import { type Evidence, type Invariant, textOf } from './invariant.ts';

/** All records of one session, and the amount that Stripe charged. */
interface Made {
  readonly session: CheckoutSession;
  readonly orders: readonly Order[];
  readonly payments: readonly Payment[];
  readonly taken: readonly HostedSession[];
  /** Whether the order equals the session, or was changed later. */
  readonly isWhole: boolean;
}

/** Returns an amount in hundredths, so that sums do not use the product's arithmetic. */
const cents = (amount: number): number => Math.round(amount * 100);

/**
 * Returns the delivery fee by the shops' settings: 1.5 units for a delivery at noon, otherwise 0.
 */
const deliveryFee = ({ delivery_type, currency }: CheckoutSession): number => {
  if (delivery_type !== 'delivery') return 0;
  return currency === 'JPY' ? 7 : 7.49;
};

/** Returns the error of a session if its total is not the sum of its items and the delivery fee. */
const mispriced = (session: CheckoutSession): readonly string[] => {
  const goods = session.items.reduce((sum, { quantity, unit_price }) => sum + cents(unit_price * quantity), 0);
  const total = goods + cents(deliveryFee(session));
  return cents(session.total) === total ? [] : [`${session.id} is ${session.total}, and its goods and delivery come to ${total / 100}.`];
};

const paidFindings = ({ session, orders, payments, taken, isWhole }: Made): readonly string[] => {
  const { id, total, order_id, payment } = session;
  const [order] = orders;
  const own = payments.filter(({ type }) => type === 'payment');
  const isPaidFor =
    own.length === 1 && own[0]?.amount === total && payment !== null && own[0].gateway?.transaction_id === payment.transaction_id;
  const unsettled = own.filter(({ status }) => !['completed', 'approved', 'refunded'].includes(status));
  const isTaken = payment?.gateway !== 'stripe' || taken.some((hosted) => `pi_${hosted.id}` === payment.transaction_id);
  const currencies = [order?.currency, ...taken.map((hosted) => hosted.currency.toUpperCase())].filter((one) => one !== session.currency);
  return [
    ...(orders.length === 1 && order?.id === order_id ? [] : [`${id} is paid and has ${orders.length} orders.`]),
    ...(isWhole ? [] : [`${id} came to ${total}, and its order does not.`]),
    ...(isPaidFor ? [] : [`${id} is paid and has ${own.length} payments.`]),
    ...unsettled.map((one) => `${one.id} took the money of ${id}, and is ${one.status}.`),
    ...(isTaken ? [] : [`${id} is paid, and Stripe took no money for it.`]),
    ...(order && currencies.length > 0 ? [`${id} is in ${session.currency}, and its order or payment in ${currencies.join()}.`] : []),
  ];
};

const findingsOf = (made: Made): readonly string[] => {
  const { session, orders, taken } = made;
  const { id, status } = session;
  if (status === 'paid') return [...paidFindings(made), ...(taken.length > 1 ? [`${id} was charged ${taken.length} times.`] : [])];
  return [
    ...(orders.length > 0 ? [`${id} is ${status} and has ${orders.length} orders.`] : []),
    ...(taken.length > 0 ? [`Stripe took the money of ${id}, which is ${status}.`] : []),
  ];
};

/** Returns the session of each order of a checkout. An erasure takes it out of the order. */
const sessionsOfOrders = (evidence: Evidence, account: string): ReadonlyMap<string, string | undefined> =>
  new Map(
    changesOf(evidence, 'order', account).flatMap(({ before, after }) => {
      if (before || !after) return [];
      const { id, source, metadata } = recordIn<Order>(after);
      return source === 'checkout' ? [[id, metadata['checkout_session']] as const] : [];
    }),
  );

const madeOf = (evidence: Evidence, account: string, sessions: ReadonlyMap<string, string | undefined>): readonly Made[] => {
  const orders = recordsOf<Order>(evidence, 'order', account);
  const payments = recordsOf<Payment>(evidence, 'payment', account);
  const hosted = [...evidence.region.page.stripe.books.sessions.values()].filter(({ payment_status }) => payment_status === 'paid');
  return recordsOf<CheckoutSession>(evidence, 'checkoutSession', account).map((session) => {
    const own = orders.filter(({ id }) => sessions.get(id) === session.id);
    return {
      session,
      orders: own,
      payments: payments.filter(({ order_id, source }) => source === 'checkout' && own.some(({ id }) => id === order_id)),
      isWhole: own.every(({ id, total }) => total === session.total || evidence.journal.touched.has(id)),
      taken: hosted.filter(({ client_reference_id }) => client_reference_id === session.id),
    };
  });
};

/** The most time from a read to the write that it decides, with calls that arrive late. */
const longestDecisionMs = 45_000;

/** Returns sessions that began in a currency that was not the account's then. */
const foreign = (evidence: Evidence, account: string): readonly string[] =>
  changesOf(evidence, 'checkoutSession', account).flatMap(({ before, after, atMs }) => {
    if (before || !after) return [];
    const { id, currency } = recordIn<CheckoutSession>(after);
    const currencies = valuesDuring(evidence, account, 'currency', [atMs - longestDecisionMs, atMs]);
    return currencies.includes(currency) ? [] : [`${id} began in ${currency}, and the account sold in ${currencies.join(', then ')}.`];
  });

/**
 * Returns payments at Stripe that have neither a record nor an alarm with their transaction. The
 * erasure of an account deletes the record of a payment, and the alarm is then the only trace.
 */
const lost = (evidence: Evidence, account: string): readonly string[] => {
  const { region } = evidence;
  const alarms = region.log.filter((line) => line['without_order'] === true).map((line) => line['transaction']);
  const versions = changesOf(evidence, 'account', account);
  const erasedMs = versions.find(({ after }) => after && textOf(after).includes('"erased_at"'))?.atMs ?? Number.POSITIVE_INFINITY;
  const changes = region.engine.table('simulated').changes.filter(({ key }) => String(key['pk']).startsWith(`pay#${account}`));
  const recorded = changes.flatMap(({ after, atMs }) => {
    const stored = after?.['view'] && recordIn<Payment>(after);
    return stored && atMs < erasedMs ? [stored.gateway?.transaction_id] : [];
  });
  const recordedPayments = recordsOf<Payment>(evidence, 'payment', account).map(({ gateway }) => gateway?.transaction_id);
  return region.page.stripe
    .paidTo(account)
    .map(paymentOf)
    .flatMap((payment) => {
      if ([...recorded, ...recordedPayments, ...alarms].includes(payment)) return [];
      return [`Stripe took the money of ${payment}, and ${account} has neither a payment nor an alarm of it.`];
    });
};

export const paidOnce: Invariant = {
  number: 10,
  name: 'a paid session has one order and one payment, an unpaid one none, and no shopper is charged twice',
  only: ['shop', 'mixed'],
  breaches(evidence) {
    return evidence.accounts.flatMap((account) => {
      const sessions = sessionsOfOrders(evidence, account);
      const made = madeOf(evidence, account, sessions);
      const known = new Set(made.map(({ session }) => session.id));
      const paid = new Set(made.flatMap(({ session }) => (session.status === 'paid' ? [session.id] : [])));
      const sold = recordsOf<Order>(evidence, 'order', account).filter(({ source }) => source === 'checkout');
      return [
        ...made.flatMap(findingsOf),
        ...made.flatMap(({ session }) => mispriced(session)),
        ...foreign(evidence, account),
        ...lost(evidence, account),
        ...sold.filter(({ id }) => !known.has(sessions.get(id) ?? '')).map(({ id }) => `${id} comes from no session.`),
        ...evidence.journal.thanked
          .filter((id) => known.has(id) && !paid.has(id))
          .map((id) => `The shopper of ${id} was thanked, and it is not paid.`),
      ];
    });
  },
};
