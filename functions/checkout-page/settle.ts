import { changedMeanwhile, StaleDecision } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Approval, afterCharge, type Charge, stateOf } from '../../shared/domain/checkout/rules.ts';
import { settleSession, withoutOrder } from '../../shared/domain/checkout/settlement.ts';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { type NewOrder, newOrderWrites } from '../../shared/table/orders.ts';
import type { Stored } from '../../shared/table/records.ts';
import { orderAddress } from './address.ts';
import { type FeePlan, feeOf, feeWrites, firstPlan, planAfter, planOn, readFeeDay } from './fee-booking.ts';
import type { CheckoutPageServices } from './visit.ts';

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
  if (!stored) throw changedMeanwhile('The customer');
  return { record: stored.record, isNew: false };
};

/** Reads the session. If it is gone, an operator learns of the payment. */
const sessionOf = async ({ store, log }: CheckoutPageServices, account: string, id: string, { transaction_id: transaction }: Approval) => {
  const stored = await store.checkoutSessions.get(account, id);
  if (stored) return stored;
  log(withoutOrder({ account, session: id, transaction, why: 'session_gone' }));
  throw new Error('A payment for a session that does not exist.');
};

/** Whether the approved payment makes an order: the session has none, and the payment counts. */
const makesOrder = ({ clock, log }: CheckoutPageServices, session: CheckoutSession, approval: Approval): boolean => {
  const { account, id, payment } = session;
  if (session.status === 'paid') {
    if (session.payment.transaction_id !== approval.transaction_id)
      log(withoutOrder({ account, session: id, transaction: approval.transaction_id, why: 'paid_twice' }));
    return false;
  }
  // The sandbox takes no money. Its approval counts only for the payment in progress, and only until
  // the lease of that payment ends.
  return approval.gateway !== 'sandbox' || (payment?.gateway === 'sandbox' && stateOf(session, clock.now()) !== 'interrupted');
};

/** The values that all rounds of one settlement share. */
interface Settlement {
  readonly account: Account;
  readonly approval: Approval;
  readonly orderId: string;
  readonly paymentId: string;
  /**
   * When the settlement began: the time of its ids, so that a month's orders are counted by id, and of
   * its fee. If a parallel payment has set a later time on the day, that time stays, so the next round
   * does not conflict over it.
   */
  readonly nowMs: number;
  /** The order's number. The first round takes it. */
  number?: number;
  /** How the next round books the fee. */
  fee: FeePlan;
}

/**
 * Changes how the fee is booked. If it is kept aside now, the log says so before the commit: if the
 * process ended in between, no operator would learn of the fee.
 */
const replan = ({ log }: CheckoutPageServices, settlement: Settlement, fee: FeePlan): void => {
  const { account, approval, orderId: order } = settlement;
  if (fee.how === 'keep aside' && settlement.fee.how !== 'keep aside')
    log({ op: 'settle', account: account.id, order, transaction: approval.transaction_id, fee_unbooked: true, why: fee.reason });
  settlement.fee = fee;
};

/** One round: reads what the order needs, decides it, and commits all in one transaction. */
const settleOnce = async (
  services: CheckoutPageServices,
  stored: Stored<CheckoutSession>,
  settlement: Settlement,
): Promise<CheckoutSession> => {
  const { store, log } = services;
  const { account, approval, orderId, paymentId, nowMs } = settlement;
  const [orderNumber, customer, day] = await Promise.all([
    settlement.number ?? store.counters.nextOrderNumber(account.id),
    customerOf(services, stored.record, nowMs),
    readFeeDay(services, account.id, isoFromMs(nowMs).slice(0, 10)),
  ]);
  settlement.number = orderNumber;
  const made = { orderId, orderNumber, paymentId, customer: customer?.record ?? null, nowMs };
  const ordered = { ...stored.record, delivery_address: orderAddress(account.region, stored.record) };
  const { session, order, payment } = settleSession(ordered, approval, made);
  const fee = feeOf(order, approval, order.created_at);
  if (fee) replan(services, settlement, planOn(day, settlement.fee, fee));
  await store.commit([
    store.checkoutSessions.replaceWrite(account.id, session, stored),
    ...newOrderWrites(store, account, { order, payments: [payment], customer }, 'paid'),
    ...(fee ? feeWrites(services, account.id, settlement.fee, day, fee) : []),
  ]);
  log({ op: 'settle', account: account.id, order: order.id, gateway: approval.gateway, settled: true });
  return session;
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
  const nowMs = services.clock.now();
  const [orderId, paymentId] = [services.newId('ord', nowMs), services.newId('pay', nowMs)];
  const settlement: Settlement = { account, approval, orderId, paymentId, nowMs, fee: firstPlan };
  return await retryStale(services, { rounds: 30, maxPauseMs: 200 }, async () => {
    const stored = await sessionOf(services, account.id, id, approval);
    if (!makesOrder(services, stored.record, approval)) return stored.record;
    try {
      return await settleOnce(services, stored, settlement);
    } catch (error) {
      const fee = planAfter(settlement.fee, error);
      if (fee === undefined) throw error;
      replan(services, settlement, fee);
      throw new StaleDecision('The fee could not be booked. Repeat the request.');
    }
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
  return retryStale(services, { rounds: 5, maxPauseMs: 0 }, async () => {
    const stored = await store.checkoutSessions.get(account.id, id);
    if (!stored) throw new Error('A payment for a session that does not exist.');
    const next = stored.record.tries === tries ? afterCharge(stored.record, charge, clock.now()) : undefined;
    if (!next) return stored.record;
    await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored)]);
    return next;
  });
};
