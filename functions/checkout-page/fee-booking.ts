import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Approval } from '../../shared/domain/checkout/rules.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { bookingObstacle, type GatewayFee, gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import { FeeBooked, FeeConflict } from '../../shared/table/expenses.ts';
import type { Write } from '../../shared/table/write.ts';
import type { CheckoutPageServices } from './visit.ts';

/**
 * How a round of a settlement books the gateway's fee (decisions §6, Gateway fees). The order is never
 * rejected because of its fee: a fee that cannot be booked on its day is stored separately, and an
 * alarm fires.
 */
export type FeePlan =
  /** On its day. This many rounds failed, because the record of the day was changed. */
  | { readonly how: 'book'; readonly conflicts: number }
  | { readonly how: 'keep aside'; readonly reason: string }
  /** The gateway takes none, or another call has booked it. */
  | { readonly how: 'leave out' };

export const firstPlan: FeePlan = { how: 'book', conflicts: 0 };

/**
 * Maximum number of conflicts about the record of the day. Parallel payments conflict once, when
 * they create this record. More conflicts mean that booking fails for another reason.
 */
const maxConflicts = 5;

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/**
 * Whether DynamoDB rejected the request, also because conflicts did not end while the commit was
 * tried. A failure of the service or the network may be temporary.
 */
const isRejectedRequest = (error: unknown): boolean => (error as { readonly $fault?: unknown } | undefined)?.$fault === 'client';

/** Returns the plan of the next round after a commit failed; undefined if the fee was not the cause. */
export const planAfterFailure = (plan: FeePlan, error: unknown): FeePlan | undefined => {
  if (error instanceof FeeBooked) return { how: 'leave out' };
  if (plan.how !== 'book') return undefined;
  const conflicts = plan.conflicts + 1;
  if (error instanceof FeeConflict && conflicts < maxConflicts) return { how: 'book', conflicts };
  return error instanceof FeeConflict || isRejectedRequest(error) ? { how: 'keep aside', reason: messageOf(error) } : undefined;
};

/** The expense record of a day, or the reason why it cannot be read. */
type FeeDay = { readonly recorded: Expense | undefined } | { readonly obstacle: string };

/** Reads the record of a day. The returned promise never rejects. */
export const readFeeDay = async ({ store }: CheckoutPageServices, account: string, day: string): Promise<FeeDay> => {
  // Waits for the next tick, so that this read is not batched with the reads of the order. If a
  // batched read fails, all reads in it fail.
  await nextTurn();
  try {
    return { recorded: (await store.expenses.get(account, gatewayFeeId(day)))?.record };
  } catch (error) {
    return { obstacle: messageOf(error) };
  }
};

/** Returns the fee of an order; undefined if the gateway takes none. */
export const feeOf = (order: Order, { fee: amount, gateway, transaction_id }: Approval): GatewayFee | undefined =>
  amount <= 0
    ? undefined
    : {
        line: { order_id: order.id, order_label: friendlyOrderNumber(order), gateway, amount, transaction_id },
        day: order.created_at.slice(0, 10),
        currency: order.currency,
        at: order.created_at,
      };

/** Returns the plan after the record of the day was read. */
export const planAfterReading = (day: FeeDay, plan: FeePlan, fee: GatewayFee | undefined): FeePlan => {
  if (!fee) return { how: 'leave out' };
  if (plan.how !== 'book') return plan;
  const reason = 'obstacle' in day ? day.obstacle : bookingObstacle(day.recorded, fee);
  return reason === undefined ? plan : { how: 'keep aside', reason };
};

export const feeWrites = (
  { store }: CheckoutPageServices,
  account: string,
  plan: FeePlan,
  day: FeeDay,
  fee: GatewayFee | undefined,
): readonly Write[] => {
  if (plan.how === 'leave out' || !fee) return [];
  if (plan.how === 'keep aside') return [store.gatewayFees.keepAsideWrite(account, { ...fee, reason: plan.reason })];
  return store.gatewayFees.bookWrites(account, 'recorded' in day ? day.recorded : undefined, fee);
};
