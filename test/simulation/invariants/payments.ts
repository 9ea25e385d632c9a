import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { madeBy } from '../people/journal.ts';
import { recordIn } from '../reading/records.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** Returns an amount in hundredths, so that sums do not use the product's arithmetic. */
const cents = (amount: number): number => Math.round(amount * 100);

type Amounts = Pick<Payment, 'id' | 'amount' | 'tip_amount' | 'total_amount' | 'fee_amount' | 'net_amount'>;

/**
 * Checks that the total is amount plus tip, and the net amount is the total minus the gateway's
 * fee.
 */
const unsummed = (where: string, { id, amount, tip_amount, total_amount, fee_amount, net_amount }: Amounts): readonly string[] => {
  const total = cents(amount) + cents(tip_amount);
  return cents(total_amount) === total && cents(net_amount) === total - cents(fee_amount)
    ? []
    : [`${id} ${where} is ${amount}, tip ${tip_amount}, fee ${fee_amount}, and says total ${total_amount} and net ${net_amount}.`];
};

/** Returns all versions of every payment, oldest first. */
const versionsOf = ({ region }: Evidence): ReadonlyMap<string, readonly Payment[]> => {
  const versions = new Map<string, Payment[]>();
  for (const { key, after } of region.engine.table('simulated').changes) {
    if (!String(key['pk']).startsWith('pay#') || !after?.['view']) continue;
    const record = recordIn<Payment>(after);
    versions.set(record.id, [...(versions.get(record.id) ?? []), record]);
  }
  return versions;
};

/** Returns the payments that events contain. */
const paymentsInEvents = ({ region }: Evidence): readonly Amounts[] =>
  region.receivers.attempts.flatMap(({ body, isTest }) => {
    if (isTest || !body.includes('"type":"payment.')) return [];
    return [(JSON.parse(body) as { readonly data: { readonly object: Amounts } }).data.object];
  });

const textOf = (amount: number, tip: number, fee: number): string => [amount, tip, fee].map(cents).join('/');

interface Sent {
  readonly amount: number;
  readonly tip_amount?: number;
  readonly fee_amount?: number;
}

/** Returns orders with other payments than in the request. */
const otherThanSent = ({ journal }: Evidence, first: readonly Payment[]): readonly string[] =>
  journal.intents.flatMap(({ kind, tries }) => {
    const made = kind === 'order' ? tries.find((one) => one.kind === 'order' && madeBy(one) !== undefined) : undefined;
    const sent = (made?.body as { readonly payments?: readonly Sent[] } | undefined)?.payments;
    if (!made || !sent) return [];
    const id = madeBy(made);
    const expected = sent.map(({ amount, tip_amount = 0, fee_amount = 0 }) => textOf(amount, tip_amount, fee_amount));
    const own = first.filter(({ order_id, source }) => order_id === id && source === 'api');
    const stored = own.map(({ amount, tip_amount, fee_amount }) => textOf(amount, tip_amount, fee_amount));
    const isSame = expected.toSorted().join() === stored.toSorted().join();
    return isSame ? [] : [`${id} was sent with the payments ${expected.join(', ')}, and has ${stored.join(', ')}.`];
  });

/**
 * Checks that each payment's refunded amount is the sum of its refunds, and at most amount plus tip. Money
 * that the gateway gave back is on record even if a merchant recorded another refund by hand before.
 */
const refundFindings = (versions: ReadonlyMap<string, readonly Payment[]>, { journal }: Evidence): readonly string[] => {
  const last = [...versions.values()].flatMap((all) => all.slice(-1));
  return last.flatMap(({ id, refunded_amount, amount, tip_amount }) => {
    const own = last.filter((refund) => refund.original_payment_id === id && refund.status !== 'failed');
    const sumOf = (refunds: readonly Payment[]): number => refunds.reduce((sum, refund) => sum + cents(refund.amount), 0);
    const refunded = sumOf(own);
    const certain = journal.refundsByHand.has(id) ? sumOf(own.filter(({ gateway }) => gateway?.transaction_id)) : refunded;
    return refunded === cents(refunded_amount) && certain <= cents(amount) + cents(tip_amount)
      ? []
      : [`${refunded / 100} was given back of ${amount} and a tip of ${tip_amount} of ${id}, which says ${refunded_amount}.`];
  });
};

export const paymentsAddUp: Invariant = {
  number: 8,
  name: 'a payment is stored and told with the amount, tip and fee that were sent, and its total, net and refunds follow from them',
  only: ['shop', 'mixed'],
  breaches(evidence) {
    const versions = versionsOf(evidence);
    const first = [...versions.values()].flatMap((all) => all.slice(0, 1));
    return [
      ...[...versions.values()].flat().flatMap((payment) => unsummed('as it was stored', payment)),
      ...paymentsInEvents(evidence).flatMap((payment) => unsummed('in its event', payment)),
      ...evidence.journal.payments.flatMap(({ id, amount, tip, fee }) => {
        const stored = versions.get(id)?.[0];
        return stored && textOf(stored.amount, stored.tip_amount, stored.fee_amount) === textOf(amount, tip, fee)
          ? []
          : [`${id} was sent as ${amount}, tip ${tip}, fee ${fee}, and is not stored so.`];
      }),
      ...otherThanSent(evidence, first),
      ...refundFindings(versions, evidence),
    ];
  },
};
