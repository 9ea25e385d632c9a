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

/**
 * Creates the order of a session with an approved payment and returns the paid session. Each round
 * reads the session, drafts the order by the plan and commits the draft. If it fails, the next
 * round follows the plan that it leaves. One transaction writes session, order, payment, customer,
 * count and fee. Its condition is the session's revision, so that repeated and parallel calls
 * create one order. An exceeded order limit, an expired session or a fee that cannot be booked does
 * not stop it, because the money is already taken.
 */
export const settle = async (
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
    if (!makesOrder(services, stored.record, approval)) return stored.record;
    try {
      const draft = await draftOrder(services, settlement, stored, plan);
      plan = draft.plan;
      await store.commit(draft.writes);
      log({ op: 'settle', account: account.id, order: settlement.orderId, gateway: approval.gateway, settled: true });
      return draft.session;
    } catch (error) {
      // If the fee is the cause, the next round has another plan for it.
      const fee = planAfter(plan.fee, error);
      if (fee === undefined) throw error;
      logUnbooked(services, settlement, plan.fee, fee);
      plan = { ...plan, fee };
      throw new StaleDecision('The fee could not be booked. Repeat the request.');
    }
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
  /** The order's number; absent until a round has taken it. */
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

/**
 * Reads what the order needs, and returns the paid session, the writes to commit and the plan that
 * they follow.
 */
const draftOrder = async (services: CheckoutPageServices, settlement: Settlement, stored: Stored<CheckoutSession>, plan: Plan) => {
  const { store } = services;
  const { account, approval, orderId, paymentId, nowMs } = settlement;
  const [orderNumber, customer, day] = await Promise.all([
    plan.orderNumber ?? store.counters.nextOrderNumber(account.id),
    customerOf(services, stored.record, nowMs),
    readFeeDay(services, account.id, isoFromMs(nowMs).slice(0, 10)),
  ]);
  const made = { orderId, orderNumber, paymentId, customer: customer?.record ?? null, nowMs };
  const ordered = { ...stored.record, delivery_address: orderAddress(account.region, stored.record) };
  const { session, order, payment } = settleSession(ordered, approval, made);
  const fee = feeOf(order, approval);
  const feePlan = planOn(day, plan.fee, fee);
  logUnbooked(services, settlement, plan.fee, feePlan);
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

/**
 * Logs a fee that is kept aside from now on, before the commit: if the process ended in between, no
 * operator would learn of the fee.
 */
const logUnbooked = ({ log }: CheckoutPageServices, settlement: Settlement, before: FeePlan, after: FeePlan): void => {
  if (after.how !== 'keep aside' || before.how === 'keep aside') return;
  const { account, approval, orderId: order } = settlement;
  log({ op: 'settle', account: account.id, order, transaction: approval.transaction_id, fee_unbooked: true, why: after.reason });
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
