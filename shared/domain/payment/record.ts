import { invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount } from '../../core/money.ts';
import { type PaymentMethod, paymentMethods } from '../enumerations.ts';
import { erase, type Fields, kept, namesOf, pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

/** Whether the payment was made. Approval by staff counts as completed (decisions §7). */
export const isSettled = (status: string): boolean => status === 'completed' || status === 'approved';

/**
 * Returns the method. An unknown one becomes `other` without an error (§ Enumerations,
 * Payment-record method).
 */
export const normalisePaymentMethod = (method: unknown): PaymentMethod => {
  const known = typeof method === 'string' ? method.trim().toLowerCase() : '';
  return paymentMethods.find((name) => name === known) ?? 'other';
};

export interface Payment extends wire.Payment {
  /** Time of the last write. Never returned. */
  readonly updated_at: string;
  /**
   * Whether the record's creation emits an event (§ When payment events fire, rule 7). Later writes
   * always do.
   */
  readonly emits_on_create: boolean;
}
export type MethodDetails = NonNullable<Payment['method_details']>;
type Gateway = NonNullable<Payment['gateway']>;

const detailsFields = { brand: null, last4: null, wallet_type: null } as const satisfies Fields<MethodDetails>;

/** Kept, because the bakery's books refer to the transaction. */
const gatewayFields = { provider: kept, transaction_id: kept } as const satisfies Fields<Gateway>;

/** Fields of `data.object` in payment.* (§ Payloads) and of responses. */
const shown = {
  id: kept,
  order_id: kept,
  customer_id: kept,
  schedule_id: kept,
  amount: kept,
  tip_amount: kept,
  total_amount: kept,
  fee_amount: kept,
  net_amount: kept,
  type: kept,
  source: kept,
  method: kept,
  status: kept,
  previous_status: kept,
  method_details: null,
  gateway: (gateway: Gateway | null) => gateway && erase(gateway, gatewayFields),
  original_payment_id: kept,
  refunded_amount: kept,
  description: null,
  created_at: kept,
  completed_at: kept,
} as const satisfies Fields<wire.Payment>;

export const paymentFields = { ...shown, updated_at: kept, emits_on_create: kept } as const satisfies Fields<Payment>;

export const paymentPayload = ({ method_details, gateway, ...payment }: Payment): wire.Payment =>
  pick(
    {
      ...payment,
      method_details: method_details && pick(method_details, namesOf(detailsFields)),
      gateway: gateway && pick(gateway, namesOf(gatewayFields)),
    },
    namesOf(shown),
  );

/** Whether the amount with its tip is a valid amount. */
export const isPayable = ({ amount, tip_amount }: Pick<Payment, 'amount' | 'tip_amount'>): boolean =>
  addMoney(amount, tip_amount) < maxAmount;
export const unpayable = `must be less than ${maxAmount} together with the tip`;

/**
 * Returns the amounts with the tip and without the fee. Rejects an amount that cannot be paid, with
 * `amount` as field.
 */
export const paymentAmounts = (amount: number, tip_amount: number, fee_amount: number) => {
  if (!isPayable({ amount, tip_amount })) throw invalidValue('amount', `amount ${unpayable}.`);
  const total_amount = addMoney(amount, tip_amount);
  return { amount, tip_amount, fee_amount, total_amount, net_amount: addMoney(total_amount, -fee_amount) };
};
