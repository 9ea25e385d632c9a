import { addMoney, maxAmount } from '../../core/money.ts';
import { parseSeconds, withLaterTime } from '../../core/time.ts';
import { gatewayFeeSource } from '../enumerations.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import { type Expense, type ExpensePayment, expensePayload, type FeeLine } from './fields.ts';

export const noPayment: ExpensePayment = { method: null, status: null, due_date: null, reference: null };

export const isGatewayFee = (expense: Pick<Expense, 'source'>): boolean => expense.source === gatewayFeeSource;

/** Returns the id of a day's gateway-fee expense, `gateway_fees_YYYY-MM-DD`. */
export const gatewayFeeId = (date: string): string => `gateway_fees_${date}`;

/** Returns the day in the id of a gateway-fee expense; undefined for other ids. */
export const dayOfGatewayFees = (id: string): string | undefined => /^gateway_fees_(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1];

/**
 * Returns the events of a change. A soft delete emits nothing, and neither does a change of a
 * deleted expense (decisions §7).
 */
export const expenseEvents = ({ before, after }: Images<Expense>): readonly EventOfChange[] => {
  if (after.record.deleted_at !== null || (before && !isSaved(before, after))) return [];
  return [{ type: before ? 'expense.updated' : 'expense.created', object: expensePayload(after.record) }];
};

export interface GatewayFee {
  readonly line: FeeLine;
  /** Day on which the gateway deducted the fee, `YYYY-MM-DD`. */
  readonly day: string;
  readonly currency: string;
  /** Time of recording, ISO 8601. */
  readonly at: string;
}

/**
 * A checkout's fee that could not be added to its day. It waits for an operator (decisions §6,
 * Gateway fees).
 */
export interface UnbookedFee extends GatewayFee {
  /** Why it could not be added, for the operator. */
  readonly reason: string;
}

/** Returns the expense of a day with its first fee (§ Gateway-fee expense). */
export const dayOfFirstFee = ({ line, day, currency, at }: GatewayFee): Expense => ({
  id: gatewayFeeId(day),
  amount: line.amount,
  currency,
  category: 'bank_fees',
  subcategory: null,
  description: null,
  notes: null,
  tags: [],
  date: parseSeconds(day) ?? 0,
  status: 'recorded',
  source: gatewayFeeSource,
  editable: false,
  supplier: { id: null, name: 'Payment gateways' },
  payment: { ...noPayment, status: 'deducted_at_source' },
  tax: null,
  external_id: null,
  auto_generated: true,
  transaction_count: 1,
  created_at: at,
  updated_at: at,
  deleted_at: null,
});

/** Returns the day's expense with another fee. */
export const withFee = (recorded: Expense, { line, at }: GatewayFee): Expense =>
  withLaterTime(recorded, {
    ...recorded,
    amount: addMoney(recorded.amount, line.amount),
    transaction_count: (recorded.transaction_count ?? 0) + 1,
    updated_at: at,
  });

/**
 * Returns why a fee cannot be added to the day's expense; undefined if it can be added or is the
 * first of the day.
 */
export const bookingObstacle = (recorded: Expense | undefined, { line, day, currency }: GatewayFee): string | undefined => {
  if (!recorded) return undefined;
  if (!isGatewayFee(recorded)) return `Another expense has the id of the gateway fees of ${day}. Choose another date.`;
  if (recorded.currency !== currency)
    return `The gateway fees of ${day} are in ${recorded.currency}, and this fee is in ${currency}. Choose another date.`;
  if (addMoney(recorded.amount, line.amount) >= maxAmount)
    return `The fees of ${day} must be less than ${maxAmount} in total. Choose another date.`;
  return undefined;
};
