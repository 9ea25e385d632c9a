import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Approval } from '../../shared/domain/checkout/rules.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { bookingObstacle, type GatewayFee, gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import { FeeBooked, FeeConflict } from '../../shared/table/gateway-fees.ts';
import type { Stored } from '../../shared/table/records.ts';
import type { Write } from '../../shared/table/write.ts';
import type { CheckoutPageServices } from './gateway.ts';

/**
 * Maximum number of conflicts about the record of the day. Parallel payments conflict once, when
 * they create this record. More conflicts mean that booking fails for another reason.
 */
const maxConflicts = 5;

/** The expense record of the day, or the reason why it cannot be read. */
type FeeDay = { readonly stored: Stored<Expense> | undefined } | { readonly obstacle: string };

/**
 * Books the gateway fee of one settlement (decisions §6, Gateway fees). If the fee cannot be booked
 * on its day, it is stored separately and an alarm fires. The order is never rejected because of
 * its fee.
 */
interface FeeBooking {
  /** Reads the record of the day. The returned promise never rejects. */
  read(day: string): Promise<FeeDay>;
  writes(day: FeeDay, order: Order, approval: Approval): readonly Write[];
  /**
   * Whether the commit may be tried again after this error. The next round books the fee again,
   * stores it separately, or leaves it out if it is booked already.
   */
  mayGoOn(error: unknown): boolean;
}

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Whether DynamoDB rejected the request itself. Other errors may be temporary. */
const isRefusal = (error: unknown): boolean => (error as { readonly $fault?: unknown } | undefined)?.$fault === 'client';

export const feeBooking = ({ store, log }: CheckoutPageServices, account: Account): FeeBooking => {
  let conflicts = 0;
  let isBooked = false;
  let refusal: string | undefined;
  let isTold = false;
  /**
   * Time of the fee, the same in every round. If a parallel payment has set a later time on the
   * day, that time stays, so the next round does not conflict over it.
   */
  let at: string | undefined;

  const keepAside = (fee: GatewayFee, reason: string): readonly Write[] => {
    const { order_id: order, transaction_id: transaction } = fee.line;
    // Logged before the commit. If the process ended between commit and log, no operator would
    // learn about the fee.
    if (!isTold) log({ op: 'settle', account: account.id, order, transaction, fee_unbooked: true, why: reason });
    isTold = true;
    return [store.gatewayFees.keepAsideWrite(account.id, { ...fee, reason })];
  };

  return {
    async read(day) {
      // Waits for the next tick, so that this read is not batched with the reads of the order. If a
      // batched read fails, all reads in it fail.
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
