import { ApiError } from '../../shared/core/errors.ts';
import { addMoney } from '../../shared/core/money.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { isLost } from '../../shared/domain/payment/refund-intents.ts';
import { applyRefund, releaseStoredIntent } from '../../shared/operations/money-back.ts';
import { orderWrites, textWrites } from '../../shared/operations/paid-order.ts';
import { KeysRejected } from '../../shared/providers/payment-gateways/gateway.ts';
import { type ActionServices, onAccount } from './action.ts';
import { refundAtGateway } from './refund-at-gateway.ts';
import {
  planRefund,
  type RefundInput,
  refundCall,
  refundInput,
  requireOriginal,
  requirePayment,
  transactionIdOf,
  unknownResult,
} from './refund-call.ts';
import { isAtStripe, openRefundingGateway, readUsableStripeKeys, type StripeKeysReader } from './taken-payments.ts';

/**
 * A refund is made in one of three ways:
 *
 * - If Stripe did not take the payment, the refund is only recorded.
 * - If Stripe did, Stripe makes the refund, and its report is recorded (`refundAtGateway`).
 * - With `gateway: false`, Stripe is first asked what it has given back. If that is nothing new, the
 *   refund is only recorded. If Stripe does not respond, nothing is.
 *
 * In each way, a repeated token gets the stored response for 24 hours. While Stripe makes a refund,
 * another call with its token waits for the response.
 */
export const refund = onAccount({
  summary: 'Refunds a settled payment, or part of it. If Stripe took the payment, Stripe gives the money back. This cannot be undone.',
  input: refundInput,
  async choose(token, services, input, account) {
    const { record: original } = await requirePayment(services, account.id, input.id);
    let known: ReturnType<StripeKeysReader> | undefined;
    const readKeys: StripeKeysReader = () => (known ??= readUsableStripeKeys(services, account.id));
    if (!(await isAtStripe(original, readKeys))) return { decide: recordRefund };
    if (input.gateway) return { run: () => refundAtGateway(services, refundCall(input, account, token, services.newId), readKeys) };
    const checkedPayment = await askBeforeRecording(services, input, account.id, readKeys);
    return { decide: (...call) => recordRefund(...call, checkedPayment) };
  },
});

/**
 * Writes the refund and the refunded total in one transaction, so that parallel refunds cannot
 * exceed the payment. `checkedPayment` is the payment as it was when Stripe was asked about it.
 */
const recordRefund = async (services: ActionServices, input: RefundInput, account: Account, checkedPayment?: Payment) => {
  const { store, newId } = services;
  const original = await requireOriginal(services, account, input.id);
  const { stored, order } = original;
  if (checkedPayment) assertUnchangedSince(checkedPayment, stored.record);
  const refund = planRefund(services, original, input, newId);
  const refunded: Payment = { ...stored.record, refunded_amount: addMoney(stored.record.refunded_amount, refund.amount) };
  return {
    result: paymentPayload(refund),
    writes: [
      store.payments.refundsWrite(account.id, stored, refunded),
      ...store.payments.createWrites(account.id, refund),
      ...orderWrites(store, account.id, order, [refunded, refund], refund.created_at),
      ...textWrites(store, account.id, order, refund),
    ],
  };
};

/**
 * Asks Stripe before a refund is only recorded, and records what it reports, so that one refund is
 * not recorded twice (decisions §7). Throws if Stripe reports a new refund, if one is under way, or
 * if Stripe does not respond. Returns the payment as it is then. If no key can be read or Stripe
 * rejects them all, returns undefined, and the refund is recorded without Stripe.
 */
const askBeforeRecording = async (
  services: ActionServices,
  { id }: RefundInput,
  account: string,
  readKeys: StripeKeysReader,
): Promise<Payment | undefined> => {
  const { gateway } = await openRefundingGateway(services, account, readKeys);
  if (!gateway) return undefined;
  const { record: before } = await requirePayment(services, account, id);
  const reports = await gateway.refundsOf(transactionIdOf(before)).catch((cause) => {
    if (cause instanceof KeysRejected) return undefined;
    throw unknownResult(cause);
  });
  if (!reports) return undefined;
  for (const reported of reports) await applyRefund(services, account, { ...reported, paymentId: id });
  for (const intent of before.refund_intents ?? []) {
    const isReported = reports.some((reported) => reported.intentId === intent.id);
    if (!isReported && isLost(intent, services.clock.now())) await releaseStoredIntent(services, account, id, intent);
  }
  const { record: after } = await requirePayment(services, account, id);
  if (after.refunded_amount > before.refunded_amount) throw newRefundError(before, after);
  if (after.refund_intents || reports.some(({ status }) => status === 'pending')) throw refundUnderWayError();
  return after;
};

/** Rejects the payment if a refund of it was begun or recorded after Stripe was asked. */
const assertUnchangedSince = (checkedPayment: Payment, payment: Payment): void => {
  if (payment.refund_intents) throw refundUnderWayError();
  if (payment.refunded_amount > checkedPayment.refunded_amount) throw newRefundError(checkedPayment, payment);
};

/**
 * Errors of a refund that cannot be recorded only, because Stripe gives money back (decisions §7).
 */
const refundUnderWayError = (): ApiError =>
  new ApiError('request_in_flight', 'Another refund of the payment is still running. Repeat the call when it has ended.');
const newRefundError = (before: Payment, after: Payment): ApiError => {
  const amount = addMoney(after.refunded_amount, -before.refunded_amount);
  return new ApiError(
    'conflict',
    `Stripe has given back ${amount} of the payment, and the service has recorded it now. Repeat the call only for another refund.`,
  );
};
