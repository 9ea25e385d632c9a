import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Expense } from '../../../shared/domain/expense/fields.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { paymentOf } from '../../stripe/books.ts';
import { madeRecord } from '../people/journal.ts';
import { type Kind, recordIn } from '../reading/records.ts';
import { isoDecimals, minorOf } from '../world/currencies.ts';
import { feeOf } from '../world/stripe.ts';
import { changesOf, itemsOfKind, recordsOf } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** Decimals of an amount that the service calculates: those of its currency, and two at most (decisions §6). */
const placesIn = (currency: string): number => Math.min(2, isoDecimals(currency));

const isWithin = (amount: number, places: number): boolean => {
  const [, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(String(amount)) ?? [undefined, 'not a decimal'];
  return fraction.length <= places;
};

type Amounts = Readonly<Record<string, number>>;

/** Returns the amounts that do not fit the currency's decimals. */
const unfit = (id: string, currency: string, amounts: Amounts): readonly string[] =>
  Object.entries(amounts).flatMap(([name, amount]) =>
    isWithin(amount, placesIn(currency)) ? [] : [`${name} of ${id} is ${amount} ${currency}, which has ${placesIn(currency)} decimals.`],
  );

/** Returns every version of an account's records of a kind, with the one before. */
const versionsOf = <Record>(evidence: Evidence, kind: Kind, account: string) =>
  changesOf(evidence, kind, account).flatMap(({ before, after }) => (after ? [{ isFirst: !before, record: recordIn<Record>(after) }] : []));

const sessionFindings = (evidence: Evidence, account: string): readonly string[] =>
  versionsOf<CheckoutSession>(evidence, 'checkoutSession', account).flatMap(({ record, isFirst }) => {
    const { id, currency, items, subtotal, delivery_fee, total } = record;
    const lines = items.flatMap(({ unit_price, total: sum }, i) => [
      [`unit_price ${i}`, unit_price] as const,
      [`total ${i}`, sum] as const,
    ]);
    return isFirst ? unfit(id, currency, { ...Object.fromEntries(lines), subtotal, delivery_fee, total }) : [];
  });

/** Checks orders as they came from a checkout. A merchant may change their amounts later. */
const orderFindings = (evidence: Evidence, account: string): readonly string[] =>
  versionsOf<Order>(evidence, 'order', account).flatMap(({ record, isFirst }) => {
    const { id, source, currency, subtotal, tax, delivery_fee, discount, total } = record;
    return isFirst && source === 'checkout' ? unfit(id, currency, { subtotal, tax, delivery_fee, discount, total }) : [];
  });

/**
 * Returns Stripe's fee in the units of the currency, rounded half up to the decimals that the
 * service keeps.
 */
const feeIn = (fee: number, currency: string): number => {
  const places = placesIn(currency);
  return Math.round(fee / 10 ** (isoDecimals(currency) - places)) / 10 ** places;
};

/** Checks payments of a checkout, and what their gateway gave back. */
const paymentFindings = (evidence: Evidence, account: string): readonly string[] => {
  const currencies = new Map(recordsOf<Order>(evidence, 'order', account).map(({ id, currency }) => [id, currency]));
  const payments = recordsOf<Payment>(evidence, 'payment', account);
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const hosted = new Map(evidence.region.page.stripe.paidTo(account).map((one) => [paymentOf(one), one]));
  return payments.flatMap((payment) => {
    const { id, order_id, original_payment_id, amount, tip_amount, total_amount, fee_amount, net_amount, refunded_amount } = payment;
    const original = original_payment_id === null ? payment : byId.get(original_payment_id);
    if (original?.source !== 'checkout') return [];
    const currency = currencies.get(order_id ?? '') ?? '';
    const taken = original_payment_id === null ? hosted.get(payment.gateway?.transaction_id ?? '') : undefined;
    const fee = taken ? feeIn(feeOf(taken), currency) : fee_amount;
    return [
      ...unfit(id, currency, { amount, tip_amount, total_amount, fee_amount, net_amount, refunded_amount }),
      ...(fee === fee_amount ? [] : [`The fee of ${id} is ${fee_amount} ${currency}, and Stripe kept ${fee}.`]),
    ];
  });
};

const feeFindings = (evidence: Evidence, account: string): readonly string[] => {
  const days = recordsOf<Expense>(evidence, 'expense', account).filter(({ source }) => source === 'gateway_fee');
  const lines = itemsOfKind(evidence, 'feeLine', account).map((item) => ({
    day: String(item['sk']).slice(0, 10),
    amount: (item['line'] as unknown as { readonly amount: number }).amount,
  }));
  return days.flatMap(({ id, amount, currency }) => [
    ...unfit(id, currency, { amount }),
    ...lines.filter(({ day }) => id.endsWith(day)).flatMap((line) => unfit(`a fee in ${id}`, currency, { amount: line.amount })),
  ]);
};

/** Compares what the gateway was asked to take with the session, and with what its page showed. */
const gatewayFindings = (evidence: Evidence, account: string): readonly string[] => {
  const sessions = new Map(recordsOf<CheckoutSession>(evidence, 'checkoutSession', account).map((session) => [session.id, session]));
  const hosted = evidence.region.page.stripe.books.sessions;
  return [
    ...[...hosted.values()].flatMap(({ id, client_reference_id, amount_total, currency }) => {
      const session = sessions.get(client_reference_id);
      if (!session || (amount_total === minorOf(session.total, session.currency) && currency === session.currency.toLowerCase())) return [];
      return [`Stripe's page ${id} takes ${amount_total} ${currency} for ${session.id}, which is ${session.total} ${session.currency}.`];
    }),
    ...evidence.journal.priced.flatMap(({ session: id, text }) => {
      const session = sessions.get(id);
      // The digits of an amount with all its decimals are the amount in the smallest unit.
      return !session || Number(text.replace(/\D/g, '')) === minorOf(session.total, session.currency)
        ? []
        : [`The page of ${id} says ${text}, and its total is ${session.total} ${session.currency}.`];
    }),
  ];
};

interface SentOrder {
  readonly items?: readonly { readonly unit_price?: number }[];
  readonly amount?: number;
}

/** Whether an amount is stored as it was sent, in two decimals. */
const inCents = (sent: number | undefined, stored: number | undefined): boolean =>
  sent === undefined || Math.round(sent * 100) / 100 === stored;

/** Checks that amounts of a caller keep two decimals, whatever the currency. */
const callerFindings = ({ journal }: Evidence, account: string): readonly string[] =>
  journal.intents
    .filter((intent) => intent.account === account && (intent.kind === 'order' || intent.kind === 'expense'))
    .flatMap(({ tries }) =>
      tries.flatMap((one) => {
        const made = madeRecord(one) as (SentOrder & { readonly id: string }) | undefined;
        const sent = one.body as SentOrder;
        if (!made || one.seen.response?.replayed) return [];
        const isUnchanged =
          inCents(sent.amount, made.amount) &&
          (sent.items ?? []).every(({ unit_price }, i) => inCents(unit_price, made.items?.[i]?.unit_price));
        return isUnchanged ? [] : [`${made.id} has other amounts than were sent.`];
      }),
    );

export const decimals: Invariant = {
  number: 25,
  name: "an amount that the service calculates, shows or sends to a gateway fits its currency's decimals, and a caller's own keeps two",
  only: ['shop', 'mixed'],
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) =>
      [sessionFindings, orderFindings, paymentFindings, feeFindings, gatewayFindings, callerFindings].flatMap((findings) =>
        findings(evidence, account),
      ),
    ),
};
