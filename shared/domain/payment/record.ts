import { invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount } from '../../core/money.ts';

export const paymentStatuses = ['pending', 'submitted', 'completed', 'approved', 'failed', 'voided', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Staff-approved equals completed for events (decisions §7). */
export const isSettled = (status: string): boolean => status === 'completed' || status === 'approved';

export const paymentMethods = [
  'card',
  'credit_card',
  'bank_transfer',
  'wire_transfer',
  'cash',
  'check',
  'cheque',
  'paypal',
  'apple_pay',
  'google_pay',
  'afterpay',
  'klarna',
  'store_credit',
  'imported',
  'other',
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Any unrecognised method silently becomes `other` (§ Enumerations, Payment-record method). */
export const normalisePaymentMethod = (method: unknown): PaymentMethod => {
  const known = typeof method === 'string' ? method.trim().toLowerCase() : '';
  return paymentMethods.find((name) => name === known) ?? 'other';
};

export interface MethodDetails {
  readonly brand: string | null;
  readonly last4: string | null;
  readonly wallet_type: string | null;
}

export interface PaymentGatewayReference {
  readonly provider: string | null;
  readonly transaction_id: string | null;
}

export interface Payment {
  readonly id: string;
  readonly order_id: string | null;
  readonly customer_id: string | null;
  readonly schedule_id: string | null;
  readonly amount: number;
  readonly tip_amount: number;
  readonly total_amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  /** `payment`, or `refund` for a record made against an original one. */
  readonly type: 'payment' | 'refund';
  readonly source: string;
  readonly method: string;
  readonly status: string;
  /** The status before the last write; equal to `status` where the write was no status change, null on create. */
  readonly previous_status: string | null;
  readonly method_details: MethodDetails | null;
  readonly gateway: PaymentGatewayReference | null;
  readonly original_payment_id: string | null;
  readonly refunded_amount: number;
  readonly description: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  /** The moment of the last write; not returned. */
  readonly updated_at: string;
  /** Whether the record's creation is heard of (§ When payment events fire, rule 7); later writes always are. */
  readonly emits_on_create: boolean;
}

/** What is to be paid with the tip is an amount like any other. */
export const isPayable = ({ amount, tip_amount }: Pick<Payment, 'amount' | 'tip_amount'>): boolean =>
  addMoney(amount, tip_amount) < maxAmount;
export const unpayable = `must come to less than ${maxAmount} with the tip`;

/** What follows from an amount: with the tip, and without the fee. Refuses with `amount` what is not payable. */
export const paymentAmounts = (amount: number, tip_amount: number, fee_amount: number) => {
  if (!isPayable({ amount, tip_amount })) throw invalidValue('amount', `amount ${unpayable}.`);
  const total_amount = addMoney(amount, tip_amount);
  return { amount, tip_amount, fee_amount, total_amount, net_amount: addMoney(total_amount, -fee_amount) };
};
