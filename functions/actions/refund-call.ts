import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { markup, orNull, positiveMoney, record } from '../../shared/core/fields.ts';
import { makeId, type NewId, tailOfId } from '../../shared/core/ids.ts';
import { roundMoney, storedDecimalsOf } from '../../shared/core/money.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { saleCurrency } from '../../shared/domain/order/rules.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { makeRefund, refundableAmount } from '../../shared/domain/payment/refunds.ts';
import { assertReadable, findOrder, type PaidOrder } from '../../shared/operations/paid-order.ts';
import { tokenReused } from '../../shared/table/action-tokens.ts';
import type { Stored } from '../../shared/table/records.ts';
import { type ActionServices, idField } from './action.ts';

export const refundInput = record({
  ...idField,
  amount: positiveMoney(),
  description: orNull(markup()),
  gateway: v.optional(v.boolean('must be true or false'), true),
});
export type RefundInput = v.InferOutput<typeof refundInput>;

/**
 * A call of the action. If a call has a token, all its tries make ids with the same end, its mark. By
 * the mark, a call finds the refund of an earlier try that stored no response, or whose response has
 * expired.
 */
export interface RefundCall {
  readonly input: RefundInput;
  readonly account: Account;
  readonly newId: NewId;
  /** Undefined without a token. */
  readonly mark: string | undefined;
}

export const refundCall = (input: RefundInput, account: Account, token: string | undefined, newId: NewId): RefundCall => {
  if (token === undefined) return { input, account, newId, mark: undefined };
  const entropy = createHash('sha256')
    .update(JSON.stringify([input.id, token]))
    .digest();
  const idOf: NewId = (prefix, atMs) => makeId(prefix, atMs, entropy);
  return { input, account, newId: idOf, mark: tailOfId(idOf('pay', 0)) };
};

/** A payment to refund, its order and its currency. Payments have no currency field. */
export interface Original {
  readonly stored: Stored<Payment>;
  readonly order: PaidOrder | undefined;
  readonly currency: string;
}

/** Returns the gateway's id of a payment that it took. */
export const transactionIdOf = ({ gateway }: Payment): string => String(gateway?.transaction_id);

export const requirePayment = async ({ store }: ActionServices, account: string, id: string): Promise<Stored<Payment>> => {
  const stored = await store.payments.get(account, id);
  if (!stored) throw notFound('Payment');
  return stored;
};

/** `takenCurrency` is the currency in which a gateway took the payment, if it was asked. */
export const requireOriginal = async (
  services: ActionServices,
  account: Account,
  id: string,
  takenCurrency?: string,
): Promise<Original> => {
  const stored = await requirePayment(services, account.id, id);
  const order = await findOrder(services.store, account.id, stored.record.order_id);
  return { stored, order, currency: takenCurrency ?? order?.stored.record.currency ?? saleCurrency(account) };
};

/**
 * Returns the record of the refund that the input asks for. Rejects an amount above the rest of the
 * payment, and a description that does not fit.
 */
export const planRefund = (
  { clock }: Pick<ActionServices, 'clock'>,
  { stored, order, currency }: Original,
  { amount: requestedAmount, description }: RefundInput,
  newId: NewId,
): Payment => {
  const amount = refundableAmount(stored.record, requestedAmount, storedDecimalsOf(currency));
  const nowMs = clock.now();
  const now = isoFromMs(nowMs);
  const origin = { id: newId('pay', nowMs), amount, description, source: 'dashboard', created_at: now };
  const refund = makeRefund(stored.record, origin, null, now);
  assertReadable(order, refund);
  return refund;
};

/** The fields of a refund that a call decides, and by which it is recognised. */
type RefundTerms = Pick<Payment, 'amount' | 'description'>;

const isAmountOf = ({ amount }: RefundInput, { currency }: Original, refund: RefundTerms): boolean =>
  refund.amount === amount || refund.amount === roundMoney(amount, storedDecimalsOf(currency));

/** Whether the input asks for this refund. An erasure leaves no description. */
export const isSameRefund = (input: RefundInput, original: Original, refund: RefundTerms): boolean =>
  isAmountOf(input, original, refund) && (refund.description === null || refund.description === input.description);

/**
 * Rejects a call whose token was used for another refund. Its description may have been cut when it
 * was recorded.
 */
export const assertSameInput = (input: RefundInput, original: Original, refund: RefundTerms): void => {
  const { description } = refund;
  if (isAmountOf(input, original, refund) && (description === null || input.description?.startsWith(description))) return;
  throw new ApiError('idempotency_key_reused', tokenReused, { field: 'token' });
};

/**
 * Returns the error of a call with an unknown result at Stripe. The service's own errors stay as
 * they are.
 */
export const unknownResult = (cause: unknown): ApiError =>
  cause instanceof ApiError
    ? cause
    : new ApiError(
        'request_in_flight',
        'Stripe did not say whether it made the refund. Repeat the same call. If it fails again, see checkout.check.',
        { cause },
      );
