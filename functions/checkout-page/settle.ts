import { changedMeanwhile, StaleDecision } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession, SessionIn } from '../../shared/domain/checkout/record.ts';
import { type Approval, afterCharge, type Charge, stateOf } from '../../shared/domain/checkout/rules.ts';
import { orderlessPaymentLine, settleSession } from '../../shared/domain/checkout/settlement.ts';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { type NewOrder, newOrderWrites } from '../../shared/table/orders.ts';
import type { Stored } from '../../shared/table/records.ts';
import { orderAddress } from './address.ts';
import { type FeePlan, feeOf, feeWrites, firstPlan, planAfterFailure, planAfterReading, readFeeDay } from './fee-booking.ts';
import type { CheckoutPageServices } from './visit.ts';

/**
 * Stores the result of a payment attempt of the session: an approval makes its order, and any other
 * result goes onto the session. A result of another attempt is dropped, unless money was taken.
 */
export const applyCharge = async (
  services: CheckoutPageServices,
  account: Account,
  { id, tries }: Pick<CheckoutSession, 'id' | 'tries'>,
  charge: Charge,
): Promise<CheckoutSession> => {
  const { store, clock } = services;
  if (charge.kind === 'approved') return settlePayment(services, account, id, charge);
  return retryStale(services, { rounds: 5, maxPauseMs: 0 }, async () => {
    const stored = await store.checkoutSessions.get(account.id, id);
    if (!stored) throw new Error('A payment for a session that does not exist.');
    const next = stored.record.tries === tries ? afterCharge(stored.record, charge, clock.now()) : undefined;
    if (!next) return stored.record;
    await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored)]);
    return next;
  });
};

/**
 * Makes the order of a session with an approved payment, and returns the paid session. Each round:
 *
 * 1. Reads the session. If it is paid already, or the sandbox's approval is no longer valid, returns
 *    it.
 * 2. Drafts the writes by the plan. The order keeps the number of the first complete draft.
 * 3. Commits session, order, payment, customer, count and fee in one transaction. Its condition is
 *    the session's revision, so that repeated and parallel calls make one order.
 *
 * If another write interfered, the next round reads again. If the fee was the cause, the next round
 * has another plan for it. Any other error, and that of the last round, is thrown. The session then
 * waits for the next notice or visit. An exceeded order limit, an expired session or a fee that
 * cannot be booked does not stop the order, because the money is already taken.
 */
export const settlePayment = async (
  services: CheckoutPageServices,
  account: Account,
  id: string,
  approval: Approval,
): Promise<CheckoutSession> => {
  const { store, clock, newId, log } = services;
  const nowMs = clock.now();
  const settlement: Settlement = { account, approval, orderId: newId('ord', nowMs), paymentId: newId('pay', nowMs), nowMs };
  let plan: Plan = { fee: firstPlan };
  return retryStale(services, { rounds: 30, maxPauseMs: 200 }, async () => {
    const stored = await readSession(services, account.id, id, approval);
    const { record } = stored;
    if (record.status === 'paid') logIfPaidTwice(services, record, approval);
    if (record.status === 'paid' || !mayMakeOrder(approval, record, clock.now())) return record;
    const draft = await draftOrder(services, settlement, stored, plan);
    plan = draft.plan;
    try {
      await store.commit(draft.writes);
    } catch (error) {
      const feePlan = planAfterFailure(plan.fee, error);
      if (feePlan === undefined) throw error;
      logIfKeptAside(services, settlement, plan.fee, feePlan);
      plan = { ...plan, fee: feePlan };
      throw new StaleDecision('The fee could not be booked. Repeat the request.');
    }
    log({ op: 'settle', account: account.id, order: settlement.orderId, gateway: approval.gateway, settled: true });
    return draft.session;
  });
};

/** Values that all rounds of a settlement share. */
interface Settlement {
  readonly account: Account;
  readonly approval: Approval;
  readonly orderId: string;
  readonly paymentId: string;
  /**
   * When the settlement began: the time of its ids, so that a month's orders are counted by id, and
   * of its fee. If a parallel payment has set a later time on the day, that time stays, so the next
   * round does not conflict over it.
   */
  readonly nowMs: number;
}

/** State that a round passes to the next one. */
interface Plan {
  /** The order's number; absent before the first complete draft. */
  readonly orderNumber?: number;
  readonly fee: FeePlan;
}

/** Reads the session. If it is gone, an operator learns of the payment. */
const readSession = async (
  { store, log }: CheckoutPageServices,
  account: string,
  id: string,
  { transaction_id: transaction }: Approval,
) => {
  const stored = await store.checkoutSessions.get(account, id);
  if (stored) return stored;
  log(orderlessPaymentLine({ account, session: id, transaction, why: 'session_gone' }));
  throw new Error('A payment for a session that does not exist.');
};

/** Logs a second payment of a paid session. The merchant owes the shopper a refund. */
const logIfPaidTwice = ({ log }: CheckoutPageServices, { account, id, payment }: SessionIn<'paid'>, approval: Approval): void => {
  const { transaction_id: transaction } = approval;
  if (payment.transaction_id !== transaction) log(orderlessPaymentLine({ account, session: id, transaction, why: 'paid_twice' }));
};

/**
 * Whether the approval may make an order. The sandbox takes no money: its approval is valid only for
 * the payment in progress, and only until the lease of that payment ends.
 */
const mayMakeOrder = ({ gateway }: Approval, session: CheckoutSession, nowMs: number): boolean =>
  gateway !== 'sandbox' || (session.payment?.gateway === 'sandbox' && stateOf(session, nowMs) !== 'interrupted');

/**
 * Reads what the order needs, and returns the paid session, the writes to commit and the plan that
 * they follow.
 */
const draftOrder = async (services: CheckoutPageServices, settlement: Settlement, stored: Stored<CheckoutSession>, plan: Plan) => {
  const { store } = services;
  const { account, approval, orderId, paymentId, nowMs } = settlement;
  const [orderNumber, customer, day] = await Promise.all([
    plan.orderNumber ?? store.counters.nextOrderNumber(account.id),
    findOrMakeCustomer(services, stored.record, nowMs),
    readFeeDay(services, account.id, isoFromMs(nowMs).slice(0, 10)),
  ]);
  const origin = { orderId, orderNumber, paymentId, customer: customer?.record ?? null, nowMs };
  const ordered = { ...stored.record, delivery_address: orderAddress(account.region, stored.record) };
  const { session, order, payment } = settleSession(ordered, approval, origin);
  const fee = feeOf(order, approval);
  const feePlan = planAfterReading(day, plan.fee, fee);
  logIfKeptAside(services, settlement, plan.fee, feePlan);
  return {
    session,
    writes: [
      store.checkoutSessions.replaceWrite(account.id, session, stored),
      ...newOrderWrites(store, account, { order, payments: [payment], customer }, 'paid'),
      ...feeWrites(services, account.id, feePlan, day, fee),
    ],
    plan: { orderNumber, fee: feePlan } satisfies Plan,
  };
};

/** Returns the customer with the session's email, or else a new one; null without a customer. */
const findOrMakeCustomer = async (
  { store, newId }: CheckoutPageServices,
  session: CheckoutSession,
  nowMs: number,
): Promise<NewOrder['customer']> => {
  const { account, customer } = session;
  if (!customer) return null;
  const knownId = customer.email === null ? undefined : await store.customers.findByEmail(account, customer.email);
  if (knownId === undefined) return { record: makeCustomer(customer, newId('cus', nowMs), isoFromMs(nowMs)), isNew: true };
  const stored = await store.customers.get(account, knownId);
  if (!stored) throw changedMeanwhile('The customer');
  return { record: stored.record, isNew: false };
};

/**
 * Logs a fee that is kept aside from now on. It is logged before the commit: if the process ended in
 * between, no operator would learn of the fee.
 */
const logIfKeptAside = ({ log }: CheckoutPageServices, settlement: Settlement, before: FeePlan, after: FeePlan): void => {
  if (after.how !== 'keep aside' || before.how === 'keep aside') return;
  const { account, approval, orderId: order } = settlement;
  log({ op: 'settle', account: account.id, order, transaction: approval.transaction_id, fee_unbooked: true, why: after.reason });
};
