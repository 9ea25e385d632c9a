/** Statuses an expense is created or edited with; reads echo whatever is stored. */
export const expenseStatuses = ['draft', 'submitted', 'recorded', 'approved'] as const;

interface Supplier {
  readonly id: string | null;
  readonly name: string | null;
}

export interface ExpensePayment {
  readonly method: string | null;
  readonly status: string | null;
  readonly due_date: string | null;
  readonly reference: string | null;
}

interface Tax {
  readonly amount: number | null;
  readonly rate: number | null;
}

/** One gateway fee of a day, a record of its own beside the day's. */
export interface FeeLine {
  readonly order_id: string;
  readonly order_label: string;
  readonly gateway: string;
  readonly amount: number;
  /** The transaction that bore the fee: recording it again changes nothing. Never returned. */
  readonly transaction_id: string;
}

/** The lines of a day. */
export interface FeeLines {
  /** In the order they were booked in. */
  readonly lines: readonly FeeLine[];
  /** False where there are more than an answer takes. */
  readonly complete: boolean;
}

/** What a list shows of an expense. */
export interface ExpenseSummary {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly category: string;
  /** Epoch seconds. */
  readonly date: number;
  readonly status: string;
  readonly source: string;
  readonly editable: boolean;
  readonly supplier_name: string | null;
  readonly description: string | null;
  readonly updated_at: string;
}

export interface Expense extends Omit<ExpenseSummary, 'supplier_name'> {
  readonly subcategory: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly supplier: Supplier | null;
  readonly payment: ExpensePayment;
  readonly tax: Tax | null;
  readonly external_id: string | null;
  /** Made by the service itself, as gateway-fee expenses are; never returned. */
  readonly auto_generated: boolean;
  /** Fees that a gateway-fee expense adds up; null on every other. */
  readonly transaction_count: number | null;
  readonly created_at: string;
  /** Set by the soft delete; the record stays and is not returned any more. */
  readonly deleted_at: string | null;
}

export const noPayment: ExpensePayment = { method: null, status: null, due_date: null, reference: null };

export const gatewayFeeSource = 'gateway_fee';
export const isGatewayFee = (expense: Pick<Expense, 'source'>): boolean => expense.source === gatewayFeeSource;

/** Id of the one automatic fee record of a day, `gateway_fees_YYYY-MM-DD`. */
export const gatewayFeeId = (date: string): string => `gateway_fees_${date}`;

/** The day whose fee record has the id; undefined for ids of other expenses. */
export const dayOfGatewayFees = (id: string): string | undefined => /^gateway_fees_(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1];
