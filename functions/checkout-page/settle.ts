import { StaleDecision } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Approval, afterCharge, type Charge, stateOf } from '../../shared/domain/checkout/rules.ts';
import { settleSession, withoutOrder } from '../../shared/domain/checkout/settlement.ts';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { type NewOrder, newOrderWrites } from '../../shared/table/new-order.ts';
import { RevisionConflict } from '../../shared/table/records.ts';
import { feeBooking } from './fee-booking.ts';
import type { CheckoutPageServices } from './gateway.ts';

const customerOf = async (
  { store, newId }: CheckoutPageServices,
  session: CheckoutSession,
  nowMs: number,
): Promise<NewOrder['customer']> => {
  const { account, customer } = session;
  if (!customer) return null;
  const holder = customer.email === null ? undefined : await store.customers.findByEmail(account, customer.email);
  if (holder === undefined) return { record: makeCustomer(customer, newId('cus', nowMs), isoFromMs(nowMs)), isNew: true };
  const stored = await store.customers.get(account, holder);
  if (!stored) throw new StaleDecision('The customer was deleted at the same time; please retry.');
  return { record: stored.record, isNew: false };
};

/**
 * Creates the order of a session with an approved payment and returns the paid session. One
 * transaction writes session, order, payment, customer, count and fee. Its condition is the
 * session's revision, so that repeated and parallel calls create one order. An exceeded order
 * limit, an expired session or a fee that cannot be booked does not stop it, because the money is
 * already taken.
 */
export const settle = async (
  services: CheckoutPageServices,
  account: Account,
  id: string,
  approval: Approval,
): Promise<CheckoutSession> => {
  const { store, clock, newId, log } = services;
  const fees = feeBooking(services, account);
  let taken: number | undefined;
  // If the session cannot be read, there is no further round, and its fee is not stored separately.
  let isRead = false;
  const mayRetry = (error: unknown): boolean => isRead && (fees.mayGoOn(error) || error instanceof StaleDecision);
  return retryStale(services, { rounds: 30, maxPauseMs: 200, mayRetry }, async () => {
    isRead = false;
    const stored = await store.checkoutSessions.get(account.id, id);
    if (!stored) {
      log(withoutOrder({ account: account.id, session: id, transaction: approval.transaction_id, why: 'session_gone' }));
      throw new Error('A payment for a session that does not exist.');
    }
    const session = stored.record;
    if (session.status === 'paid') {
      if (session.payment.transaction_id !== approval.transaction_id)
        log(withoutOrder({ account: account.id, session: id, transaction: approval.transaction_id, why: 'paid_twice' }));
      return session;
    }
    const nowMs = clock.now();
    // The sandbox takes no money. Its approval counts only for the payment in progress, and only
    // until the lease of that payment ends.
    const isUnderWay = session.payment?.gateway === 'sandbox' && stateOf(session, nowMs) !== 'interrupted';
    if (approval.gateway === 'sandbox' && !isUnderWay) return session;
    isRead = true;
    const [number, customer, feeDay] = await Promise.all([
      taken ?? store.counters.nextOrderNumber(account.id),
      customerOf(services, session, nowMs),
      fees.read(isoFromMs(nowMs).slice(0, 10)),
    ]);
    taken = number;
    const settled = settleSession(session, approval, {
      orderId: newId('ord', nowMs),
      orderNumber: number,
      paymentId: newId('pay', nowMs),
      customer: customer?.record ?? null,
      nowMs,
    });
    const { order, payment } = settled;
    await store.commit([
      store.checkoutSessions.replaceWrite(account.id, settled.session, stored),
      ...newOrderWrites(store, account, { order, payments: [payment], customer }, 'paid'),
      ...fees.writes(feeDay, order, approval),
    ]);
    log({ op: 'settle', account: account.id, order: order.id, gateway: approval.gateway, settled: true });
    return settled.session;
  });
};

/**
 * Stores the result of a payment attempt of the session. Results of other attempts are dropped,
 * unless money was taken.
 */
export const applyCharge = async (
  services: CheckoutPageServices,
  account: Account,
  { id, tries }: Pick<CheckoutSession, 'id' | 'tries'>,
  charge: Charge,
): Promise<CheckoutSession> => {
  const { store, clock } = services;
  if (charge.kind === 'approved') return settle(services, account, id, charge);
  const mayRetry = (error: unknown): boolean => error instanceof RevisionConflict;
  return retryStale(services, { rounds: 5, maxPauseMs: 0, mayRetry }, async () => {
    const stored = await store.checkoutSessions.get(account.id, id);
    if (!stored) throw new Error('A payment for a session that does not exist.');
    const next = stored.record.tries === tries ? afterCharge(stored.record, charge, clock.now()) : undefined;
    if (!next) return stored.record;
    await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored)]);
    return next;
  });
};
