import { gatewayFeeSource } from '../enumerations.ts';
import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Expense, type ExpensePayment, expensePayload } from './fields.ts';

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
