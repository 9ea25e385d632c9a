import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Approval } from '../../shared/domain/checkout/rules.ts';
import { bookingObstacle, type GatewayFee } from '../../shared/domain/expense/gateway-fee.ts';
import { type Expense, gatewayFeeId } from '../../shared/domain/expense/record.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/record.ts';
import { FeeBooked, FeeConflict } from '../../shared/table/gateway-fees.ts';
import type { Stored } from '../../shared/table/records.ts';
import type { Write } from '../../shared/table/write.ts';
import type { CheckoutPageServices } from './gateway.ts';

/**
 * Simultaneous payments conflict only when they create the day's expense. More conflicts than this
 * mean that something is wrong.
 */
const maxConflicts = 5;

/** The day's expense, or why it cannot be read. */
type FeeDay = { readonly stored: Stored<Expense> | undefined } | { readonly obstacle: string };

/**
 * Adds the fee of one settlement to its day (decisions §6, Gateway fees). If that fails, stores the
 * fee aside and an alarm fires. It never prevents the order.
 */
interface FeeBooking {
  /** Reads the day. Never rejects. */
  read(day: string): Promise<FeeDay>;
  writes(day: FeeDay, order: Order, approval: Approval): readonly Write[];
  /** Whether to try the commit again without the fee on its day. The fee is then stored aside. */
  mayGoOn(error: unknown): boolean;
}

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Whether DynamoDB rejected the request. Other errors may pass. */
const isRefusal = (error: unknown): boolean => (error as { readonly $fault?: unknown } | undefined)?.$fault === 'client';

export const feeBooking = ({ store, log }: CheckoutPageServices, account: Account): FeeBooking => {
  let conflicts = 0;
  let isBooked = false;
  let refusal: string | undefined;
  let isTold = false;
  /**
   * The time is the same in every round. So a day with a later fee keeps its time, and the next
   * round has no conflict.
   */
  let at: string | undefined;

  const keepAside = (fee: GatewayFee, reason: string): readonly Write[] => {
    const { order_id: order, transaction_id: transaction } = fee.line;
    // The line is written before the commit, so that the alarm fires even if the process dies after
    // it.
    if (!isTold) log({ op: 'settle', account: account.id, order, transaction, fee_unbooked: true, why: reason });
    isTold = true;
    return [store.gatewayFees.keepAsideWrite(account.id, { ...fee, reason })];
  };

  return {
    async read(day) {
      // Waits for the next tick, so that this read does not share a call with the order's reads,
      // which would fail together with it.
      await nextTurn();
      try {
        return { stored: await store.expenses.get(account.id, gatewayFeeId(day)) };
      } catch (error) {
        return { obstacle: messageOf(error) };
      }
    },
    writes(read, order, { fee: amount, gateway, transaction_id }) {
      if (amount <= 0 || isBooked) return [];
      at ??= order.created_at;
      const fee: GatewayFee = {
        line: { order_id: order.id, order_label: friendlyOrderNumber(order), gateway, amount, transaction_id },
        day: order.created_at.slice(0, 10),
        currency: order.currency,
        at,
      };
      const recorded = 'stored' in read ? read.stored?.record : undefined;
      const obstacle = refusal ?? ('obstacle' in read ? read.obstacle : bookingObstacle(recorded, fee));
      return obstacle === undefined ? store.gatewayFees.bookWrites(account.id, recorded, fee) : keepAside(fee, obstacle);
    },
    mayGoOn(error) {
      if (error instanceof FeeBooked) {
        isBooked = true;
        return true;
      }
      if (error instanceof FeeConflict) {
        if (++conflicts >= maxConflicts) refusal = messageOf(error);
        return true;
      }
      if (refusal !== undefined || !isRefusal(error)) return false;
      refusal = messageOf(error);
      return true;
    },
  };
};
