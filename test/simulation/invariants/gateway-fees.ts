import type { Expense, FeeLine } from '../../../shared/domain/expense/fields.ts';
import type { UnbookedFee } from '../../../shared/domain/expense/rules.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { feeByHand } from '../people/clerk.ts';
import { kindOf, recordIn } from '../reading/records.ts';
import { itemsOfKind, recordsOf } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** Returns an amount in hundredths, so that sums do not use the product's arithmetic. */
const cents = (amount: number): number => Math.round(amount * 100);
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + cents(amount), 0) / 100;

interface Line {
  readonly day: string;
  readonly line: FeeLine;
}

const isByHand = ({ line }: Line): boolean => line.transaction_id?.startsWith(feeByHand) === true;

/** Compares the fee of each checkout payment with its line, which is in a day's expense or stored aside. */
const paymentFindings = (evidence: Evidence, account: string, lines: readonly Line[]): readonly string[] => {
  const aside = recordsOf<UnbookedFee>(evidence, 'unbookedFee', account);
  // The sandbox's fee of a small sum in a currency without a smaller unit is 0.
  const paid = recordsOf<Payment>(evidence, 'payment', account).filter(
    ({ source, type, fee_amount }) => source === 'checkout' && type === 'payment' && fee_amount > 0,
  );
  const all = [...lines.filter((one) => !isByHand(one)), ...aside].map(({ line }) => line);
  return [
    ...paid.flatMap(({ id, fee_amount, gateway }) => {
      const own = all.filter(({ transaction_id }) => transaction_id === gateway?.transaction_id);
      if (own.length !== 1) return [`The fee of ${id}, ${fee_amount}, is booked ${own.length} times.`];
      return own[0]?.amount === fee_amount ? [] : [`The fee of ${id} is ${fee_amount}, and its line says ${own[0]?.amount}.`];
    }),
    ...(all.length === paid.length ? [] : [`${paid.length} payments have ${all.length} fees.`]),
  ];
};

/** Compares each day's expense with the sum of its lines. */
const dayFindings = (evidence: Evidence, account: string, lines: readonly Line[]): readonly string[] => {
  const orders = new Map(recordsOf<Order>(evidence, 'order', account).map((order) => [order.id, order]));
  const days = recordsOf<Expense>(evidence, 'expense', account).filter(({ source }) => source === 'gateway_fee');
  return [
    ...days.flatMap(({ id, amount, currency, transaction_count }) => {
      const own = lines.filter(({ day }) => id.endsWith(day));
      const sum = sumOf(own.map(({ line }) => line.amount));
      const foreign = own.filter((one) => !isByHand(one) && orders.get(one.line.order_id)?.currency !== currency);
      return [
        ...(amount === sum && transaction_count === own.length
          ? []
          : [`${id} says ${amount} of ${transaction_count} fees, and ${own.length} come to ${sum}.`]),
        ...(foreign.length === 0 ? [] : [`${id} is in ${currency}, and ${foreign.length} of its fees are not.`]),
      ];
    }),
    ...lines.filter(({ day }) => !days.some(({ id }) => id.endsWith(day))).map(({ day }) => `The fees of ${day} have no record.`),
  ];
};

/** Returns the versions of checkout payments in which a gateway's fee or amount is another than before. */
const correctedByHand = ({ region }: Evidence, account: string): readonly string[] =>
  region.engine.table('simulated').changes.flatMap(({ key, before, after }) => {
    const isOfAccount = String(key['pk']).startsWith(`pay#${account}`) && kindOf(key) === 'payment';
    if (!isOfAccount || !before?.['view'] || !after?.['view']) return [];
    const [was, is] = [recordIn<Payment>(before), recordIn<Payment>(after)];
    if (was.source !== 'checkout' || was.type !== 'payment') return [];
    const texts = [was, is].map(({ amount, tip_amount, fee_amount }) => `${amount}, tip ${tip_amount}, fee ${fee_amount}`);
    return texts[0] === texts[1] ? [] : [`${is.id} of a checkout was ${texts[0]}, and became ${texts[1]}.`];
  });

export const feesBooked: Invariant = {
  number: 30,
  name: "a checkout payment's fee equals its line of the day's gateway fees, and the expense is the sum of its lines",
  only: ['shop', 'mixed'],
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) => {
      const lines = itemsOfKind(evidence, 'feeLine', account).map((item) => ({
        day: String(item['sk']).slice(0, 10),
        line: item['line'] as unknown as FeeLine,
      }));
      return [
        ...paymentFindings(evidence, account, lines),
        ...dayFindings(evidence, account, lines),
        ...correctedByHand(evidence, account),
      ];
    }),
};
