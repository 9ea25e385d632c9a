import { addMoney } from '../core/money.ts';
import { parseSeconds } from '../core/time.ts';
import { type Expense, type FeeLine, gatewayFeeId, gatewayFeeSource, noPayment } from './expense.ts';

export interface GatewayFee {
  readonly line: FeeLine;
  /** Calendar day it was deducted on, `YYYY-MM-DD`. */
  readonly day: string;
  readonly currency: string;
  /** Moment of recording, ISO 8601. */
  readonly at: string;
}

const emptyDay = ({ day, currency, at }: GatewayFee): Expense => ({
  id: gatewayFeeId(day),
  amount: 0,
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
  line_items: [],
  created_at: at,
  updated_at: at,
  deleted_at: null,
});

/**
 * The day's one fee record (§ Gateway-fee expense) with one more fee; `recorded` is the record so far, if there is one.
 * A transaction that is on it already changes nothing: the same record comes back.
 */
export const recordGatewayFee = (recorded: Expense | undefined, fee: GatewayFee): Expense => {
  const { line, at } = fee;
  if (recorded?.line_items?.some(({ transaction_id }) => transaction_id === line.transaction_id)) return recorded;
  const record = recorded ?? emptyDay(fee);
  const line_items = [...(record.line_items ?? []), line];
  return { ...record, amount: addMoney(...line_items.map(({ amount }) => amount)), line_items, updated_at: at };
};
