import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { markup, orNull, positiveMoney, record } from '../../shared/core/fields.ts';
import { makeId, type NewId, tailOfId } from '../../shared/core/ids.ts';
import { roundMoney, storedDecimalsOf } from '../../shared/core/money.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Payment, RefundIntent } from '../../shared/domain/payment/fields.ts';
import type { PaidOrder } from '../../shared/operations/money-back.ts';
import { tokenReused } from '../../shared/table/action-tokens.ts';
import type { Stored } from '../../shared/table/records.ts';
import { byId } from './action.ts';

export const input = record({
  ...byId,
  amount: positiveMoney(),
  description: orNull(markup()),
  gateway: v.optional(v.boolean('must be true or false'), true),
});
export type Input = v.InferOutput<typeof input>;

/** A payment to refund, its order and its currency. Payments have no currency field. */
export interface Original {
  readonly stored: Stored<Payment>;
  readonly order: PaidOrder | undefined;
  readonly currency: string;
}

/** How long a call may carry an intent out, in milliseconds. The function runs for 60 s at most. */
export const leaseMs = 60_000;

/** Whether a call began the refund at the gateway and did not end: it failed, or its process died. */
export const isAbandoned = ({ transaction_id, lease_until_ms }: RefundIntent, nowMs: number): boolean =>
  transaction_id === null && lease_until_ms <= nowMs;

/** Returns ids that end alike for every try of a call with this token. */
export const idsOf = (payment: string, token: string): NewId => {
  const entropy = createHash('sha256')
    .update(JSON.stringify([payment, token]))
    .digest();
  return (prefix, atMs) => makeId(prefix, atMs, entropy);
};

/** A call of the action, and its input. */
export interface RefundCall {
  readonly input: Input;
  readonly account: Account;
  readonly token: string | undefined;
}

/** A refund or an intent, as calls find it again. */
interface Begun extends Pick<RefundIntent, 'id' | 'amount' | 'description'> {
  /** Ends of the ids of calls that took it over. */
  readonly ends: readonly string[];
}
export const begunBy = (intent: RefundIntent): Begun => ({ ...intent, ends: intent.calls ?? [] });

/** Returns the end of the ids of a call's tries; undefined without a token. */
const endOf = ({ input, token }: RefundCall): string | undefined => token && tailOfId(idsOf(input.id, token)('pay', 0));

/** Whether the input asks for this amount and description. An erasure leaves no description. */
export const isSameRefund = ({ input }: RefundCall, { currency }: Original, { amount, description }: Omit<Begun, 'ends'>): boolean =>
  [input.amount, roundMoney(input.amount, storedDecimalsOf(currency))].includes(amount) &&
  (description === null || description === input.description);

/** Whether another try of this call has begun the refund. Throws if its token was used for other input. */
export const isOfCall = (call: RefundCall, original: Original, begun: Begun): boolean => {
  const end = endOf(call);
  if (end === undefined || !(tailOfId(begun.id) === end || begun.ends.includes(end))) return false;
  // A description may have been cut when the refund was recorded.
  const isCut = begun.description !== null && call.input.description?.startsWith(begun.description);
  if (isSameRefund(call, original, isCut ? { ...begun, description: null } : begun)) return true;
  throw new ApiError('idempotency_key_reused', tokenReused, { field: 'token' });
};

/**
 * Returns the intent that this call goes on with: that of another try, or else one of the same amount
 * and description that no other call carries out. Throws if another call does.
 */
export const findResumableIntent = (call: RefundCall, original: Original, nowMs: number): RefundIntent | undefined => {
  const { refund_intents = [] } = original.stored.record;
  const own = refund_intents.find((one) => isOfCall(call, original, begunBy(one)));
  if (own) return own;
  const sameRefunds = refund_intents.filter((one) => one.transaction_id === null && isSameRefund(call, original, one));
  const abandoned = sameRefunds.find((one) => isAbandoned(one, nowMs));
  if (!abandoned && sameRefunds.length > 0)
    throw new ApiError('request_in_flight', 'The same refund is still running. Repeat the call in a minute to get its response.');
  return abandoned;
};

/** Returns the intent, with the call's end if another call began it. */
export const takenOver = (intent: RefundIntent, call: RefundCall): RefundIntent => {
  const end = endOf(call);
  const { calls = [] } = intent;
  return end === undefined || tailOfId(intent.id) === end || calls.includes(end) ? intent : { ...intent, calls: [...calls, end] };
};
