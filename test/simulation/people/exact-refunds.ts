import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { paymentOf } from '../../stripe/books.ts';
import type { Random } from '../scheduler/random.ts';
import { isoDecimals } from '../world/currencies.ts';
import { act } from './dashboard.ts';
import type { Stage } from './person.ts';

const mostAtStripe = 2;

/**
 * The merchant's office that gives back a part of a payment, one unit more than the rest, exactly the
 * rest, and one unit after that: of a payment by hand, and of payments at Stripe.
 */
export const aimAtRefunds = async ({ region, journal, tenant, number }: Stage): Promise<void> => {
  const { account, currency } = tenant;
  const { scheduler } = region.world;
  const { stripe } = region.page;
  const name = `exact-refunds-${number}`;
  const random = scheduler.stream(name);
  if (!random.chance(0.6)) return;
  let calls = 0;
  const call = (action: string, input: object, own: Random = random) => {
    calls += 1;
    return act(region, name, { action, account, input, token: `${name}-${calls}` }, own);
  };
  /** Requests a refund, and records its expected result. Undefined if the result is unknown. */
  const refund = async (payment: string, amount: number, remaining: number | undefined): Promise<void> => {
    const response = await call('payment.refund', { id: payment, amount });
    if (response && remaining !== undefined) journal.edges.push({ payment, amount, remaining, isMade: response.ok });
  };

  const places = Math.min(2, isoDecimals(currency));
  const unit = 10 ** -places;
  const inUnits = (units: number): number => Number((units * unit).toFixed(places));

  /** Records a payment by hand and gives it back. */
  const byHand = async (): Promise<void> => {
    const [amount, tip] = [100 + random.below(5_000), random.pick([0, 1 + random.below(300)])];
    const sent = { amount: inUnits(amount), tip_amount: inUnits(tip), fee_amount: 0 };
    const made = await call('payment.create', { ...sent, method: 'cash', status: 'completed' });
    if (!made?.ok) return;
    const { id } = made.result as { readonly id: string };
    journal.payments.push({ id, amount: sent.amount, tip: sent.tip_amount, fee: 0 });
    let remaining = amount + tip;
    const part = random.below(remaining);
    if (part > 0) await refund(id, inUnits(part), inUnits(remaining));
    remaining -= part;
    await refund(id, inUnits(remaining + 1), inUnits(remaining));
    if (random.chance(0.5)) await refund(id, inUnits(remaining), inUnits(remaining));
    else {
      const both = await Promise.all(
        ['a', 'b'].map((one) => call('payment.refund', { id, amount: inUnits(remaining) }, scheduler.stream(`${name}-${one}`))),
      );
      const madeOf = both.filter((response) => response?.ok).length;
      if (both.every((response) => response !== undefined))
        journal.edges.push({ payment: id, amount: inUnits(remaining), remaining: inUnits(remaining), isMade: madeOf === 1 });
    }
    await refund(id, inUnits(1), 0);
  };

  /** Gives back the rest of a payment at Stripe. A refund that the bank rejects gives nothing back. */
  const atStripe = async (payment: Payment, gatewayId: string, paidIn: string): Promise<void> => {
    const { id, order_id } = payment;
    if (order_id) journal.touched.add(order_id);
    const decimals = isoDecimals(paidIn);
    const smallest = decimals === 3 ? 10 : 1;
    const remainingAmount = () => stripe.books.remaining(gatewayId);
    const amountOf = (minor: number) => minor / 10 ** decimals;
    const ask = async (minor: number, isKnown: boolean): Promise<void> => {
      const room = remainingAmount();
      journal.refundCalls.set(id, (journal.refundCalls.get(id) ?? 0) + 1);
      await refund(id, amountOf(minor), isKnown || minor > room ? amountOf(room) : undefined);
    };
    await ask(remainingAmount() + smallest, true);
    // The bank may reject it, and an earlier refund may still reserve its amount.
    if (remainingAmount() > 0) await ask(remainingAmount(), false);
    await ask(remainingAmount() + smallest, true);
  };

  // A payment by hand has the account's currency, which the bookkeeper may have changed.
  await call('account.update', { id: account, currency });
  await byHand();
  for (const hosted of stripe.paidTo(account).slice(0, mostAtStripe)) {
    const stored = await region.store.payments.byTransaction(account, [paymentOf(hosted)]);
    if (stored) await atStripe(stored.record, paymentOf(hosted), hosted.currency);
  }
};
