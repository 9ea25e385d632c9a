import { gatewayFeeSource } from '../enumerations.ts';
import type * as wire from './wire.ts';

/** One gateway fee of a day. It is a separate record. */
export interface FeeLine {
  readonly order_id: string;
  readonly order_label: string;
  readonly gateway: string;
  readonly amount: number;
  /**
   * Id of the transaction. Recording the same transaction again changes nothing. Never returned.
   */
  readonly transaction_id: string;
}

/** The lines of a day. */
export interface FeeLines {
  /** Lines in the order in which the fees were added. */
  readonly lines: readonly FeeLine[];
  /** False if the day has more lines than fit into a response. */
  readonly complete: boolean;
}

/** Listed fields of an expense. */
export interface ExpenseSummary extends Omit<wire.ExpenseSummary, 'date'> {
  /** Epoch seconds. */
  readonly date: number;
}

export interface Expense extends Omit<wire.Expense, 'date' | 'line_items' | 'metadata'> {
  /** Epoch seconds. */
  readonly date: number;
  readonly external_id: string | null;
  /** True for gateway-fee expenses, which the service creates. Never returned. */
  readonly auto_generated: boolean;
  /** Number of fees in a gateway-fee expense; null on other expenses. */
  readonly transaction_count: number | null;
  /** Set by the soft delete. The record stays, but no response contains it. */
  readonly deleted_at: string | null;
}
export type ExpensePayment = Expense['payment'];

export const noPayment: ExpensePayment = { method: null, status: null, due_date: null, reference: null };

export const isGatewayFee = (expense: Pick<Expense, 'source'>): boolean => expense.source === gatewayFeeSource;

/** Returns the id of a day's gateway-fee expense, `gateway_fees_YYYY-MM-DD`. */
export const gatewayFeeId = (date: string): string => `gateway_fees_${date}`;

/** Returns the day in the id of a gateway-fee expense; undefined for other ids. */
export const dayOfGatewayFees = (id: string): string | undefined => /^gateway_fees_(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1];
