import { addMoney, maxAmount } from '../../core/money.ts';
import { notBefore, parseSeconds } from '../../core/time.ts';
import { gatewayFeeSource } from '../enumerations.ts';
import { type Expense, type FeeLine, gatewayFeeId, isGatewayFee, noPayment } from './record.ts';

export interface GatewayFee {
  readonly line: FeeLine;
  /** Calendar day it was deducted on, `YYYY-MM-DD`. */
  readonly day: string;
  readonly currency: string;
  /** Moment of recording, ISO 8601. */
  readonly at: string;
}

/**
 * A checkout's fee that could not be booked on its day; it waits for an operator (decisions §6,
 * Gateway fees).
 */
export interface UnbookedFee extends GatewayFee {
  /** Why not, for the operator. */
  readonly reason: string;
}

/** The day's one fee record (§ Gateway-fee expense), with its first fee. */
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

/** The day's record with one fee more. */
export const withFee = (recorded: Expense, { line, at }: GatewayFee): Expense =>
  notBefore(recorded, {
    ...recorded,
    amount: addMoney(recorded.amount, line.amount),
    transaction_count: (recorded.transaction_count ?? 0) + 1,
    updated_at: at,
  });

/**
 * Returns why a fee cannot be added to the day's record; undefined if it can, or if it is the day's
 * first.
 */
export const bookingObstacle = (recorded: Expense | undefined, { line, day, currency }: GatewayFee): string | undefined => {
  if (!recorded) return undefined;
  if (!isGatewayFee(recorded)) return `Another expense has the id of the gateway fees of ${day}.`;
  if (recorded.currency !== currency)
    return `The gateway fees of ${day} are in ${recorded.currency}, so a fee in ${currency} cannot be added.`;
  if (addMoney(recorded.amount, line.amount) >= maxAmount) return `The fees of ${day} would come to an amount that has no exact cents.`;
  return undefined;
};
